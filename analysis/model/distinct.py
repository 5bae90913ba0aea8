"""Several claims time one and the same kernel; among the kernels that errors are of it counts once.

Two cases are of the same kernel if all their launches are of the same code, which the names of the templates
with all arguments tell: algorithm, tile, threads, index map, element and operator; and if it does the same an
element, which the data may decide. The length is no part of it, as it scales counts and time alike. Of
several cases the first stands for the kernel, by claim and then by case, with its own counts and its own
time.
"""

from collections.abc import Iterable

from analysis.model.kernels import Kernel

SAME = 0.05  # of the instructions an element


def are_same(one: Kernel, other: Kernel) -> bool:
    own, others = (each.counts.get("instructions", 0) / each.n for each in (one, other))
    return one.code == other.code and abs(own - others) <= SAME * max(own, others)


def distinct(kernels: Iterable[Kernel]) -> list[Kernel]:
    """The first of each."""
    found: dict[tuple, list[Kernel]] = {}
    firsts = []
    for each in kernels:
        of_code = found.setdefault(each.code, [])
        if not any(are_same(each, first) for first in of_code):
            of_code.append(each)
            firsts.append(each)
    return firsts
