"""Several claims time one and the same kernel; in the model's sample it counts once.

Two cases are of the same kernel if all their launches are of the same code, which the names of the templates
with all arguments tell: algorithm, tile, threads, index map, element and operator; and if it does the same an
element, which the data may decide. The length is no part of it, as it scales counts and time alike. Of
several cases the first stands for the kernel, by claim and then by case, with its own counts and its own
time.
"""

from collections.abc import Iterable, Sequence

from analysis.model.kernels import Kernel

SAME = 0.05  # of the instructions an element


def are_same(one: Kernel, other: Kernel) -> bool:
    own, others = (each.instructions / each.n for each in (one, other))
    return one.code == other.code and abs(own - others) <= SAME * max(own, others)


def firsts(kernels: Sequence[Kernel], places: Iterable[int]) -> list[int]:
    """Of these places the first of each kernel."""
    found: dict[tuple, list[int]] = {}
    for place in places:
        of_code = found.setdefault(kernels[place].code, [])
        if not any(are_same(kernels[place], kernels[first]) for first in of_code):
            of_code.append(place)
    return sorted(place for of_code in found.values() for place in of_code)


def distinct(kernels: Sequence[Kernel]) -> list[Kernel]:
    return [kernels[place] for place in firsts(kernels, range(len(kernels)))]
