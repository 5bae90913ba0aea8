"""Several claims time one and the same kernel; in the model's sample it counts once.

Two cases are of the same kernel if all their launches are of the same code, which the names of the templates
with all arguments tell: algorithm, tile, threads, index map, element and operator. The length is no part of
it, as it scales counts and time alike. Of several cases the first stands for the kernel, by claim and then
by case, with its own counts and its own time.
"""

from collections.abc import Iterable, Sequence

from analysis.model.kernels import Kernel


def firsts(kernels: Sequence[Kernel], places: Iterable[int]) -> list[int]:
    """Of these places the first of each kernel."""
    found = {}
    for place in places:
        found.setdefault(kernels[place].code, place)
    return list(found.values())


def distinct(kernels: Sequence[Kernel]) -> list[Kernel]:
    return [kernels[place] for place in firsts(kernels, range(len(kernels)))]


def other_than(held_out: Sequence[Kernel], kernels: Sequence[Kernel]) -> list[Kernel]:
    """Those kernels of which none is among those held out, in whichever claim."""
    known = {each.code for each in held_out}
    return [each for each in distinct(kernels) if each.code not in known]
