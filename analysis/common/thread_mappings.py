"""Which threads do the work of a tree: counts and times of a kernel by its thread mapping.

A pair is a kernel and an index map.
"""

from collections.abc import Callable

from analysis.common import sweep
from analysis.common.evidence import Results
from analysis.common.statistics import Median

TREE, SCAN = ("reduce", "tree"), ("scan", "brent_kung")
KERNELS = {TREE: "reduction", SCAN: "Brent-Kung scan"}
MAPS = ("plain", "padded")
PAIRS = [(kernel, index) for kernel in KERNELS for index in MAPS]
TILE = 1024
BLOCK = {TREE: 512, SCAN: 1024}  # the same for every thread mapping
HALF = 512  # a block of half a tile, which contiguous threads make possible for the scan


def case(kernel: tuple[str, str], index: str, threads: str, block: int | None = None) -> dict:
    factors = {"operation": kernel[0], "algorithm": kernel[1], "threads": threads, "index": index}
    return factors | {"block": block or BLOCK[kernel], "tile": TILE}


def count(counted: Results | None, quantity: str, *key) -> float | None:
    """A count per block, by kernel, map and threads."""
    factors = case(*key)
    return sweep.per_tile(counted, quantity, factors.pop("tile"), **factors)


def time_of(timed: Results | None, *key, block: int | None = None, cache: str = "cold") -> Median | None:
    n = sweep.longest(timed, algorithm="tree")
    return timed.time(**case(*key, block), cache=cache, n=n) if timed else None


def name_of(pair: tuple) -> str:
    kernel, index = pair
    return f"{index} {KERNELS[kernel]}"


def counts(counted: Results | None, quantity: str, some: str, base: str = "spaced") -> dict[tuple, float]:
    """By pair: a count with some threads relative to that with others."""
    return relative(lambda *key: count(counted, quantity, *key), some, base)


def paces(timed: Results | None, some: str, base: str = "spaced") -> dict[tuple, float]:
    """By pair: the time with some threads relative to that with others."""
    return relative(lambda *key: (time := time_of(timed, *key)) and time.value, some, base)


def relative(of: Callable[..., float | None], some: str, base: str) -> dict[tuple, float]:
    """Of the pairs for which both are known."""
    found = {pair: [of(*pair, each) for each in (some, base)] for pair in PAIRS}
    return {pair: one / other for pair, (one, other) in found.items() if one is not None and other}


def named(found: dict[tuple, float]) -> dict[str, float]:
    return {name_of(pair): value for pair, value in found.items()}


def half_blocks(timed: Results | None) -> dict[str, float]:
    """By index map: time of contiguous threads' scan in blocks of half a tile relative to a whole one."""
    found = {
        index: [time_of(timed, SCAN, index, "contiguous", block=each) for each in (HALF, None)]
        for index in MAPS
    }
    return {index: half.value / whole.value for index, (half, whole) in found.items() if half and whole}


def half_blocks_over_spaced(timed: Results | None) -> dict[str, float]:
    """By index map: time of contiguous threads' scan in blocks of half a tile relative to spaced threads."""
    same, half = paces(timed, "contiguous"), half_blocks(timed)
    return {index: ratio * same[SCAN, index] for index, ratio in half.items() if (SCAN, index) in same}
