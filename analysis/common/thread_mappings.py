"""Which threads do the work of a tree: counts and times of a kernel by its thread mapping.

A pair is a kernel and an index map.
"""

from collections.abc import Callable

from analysis.common import sweep
from analysis.common.evidence import Results
from analysis.common.statistics import Median

KERNELS = {("reduce", "tree"): "reduction", ("scan", "brent_kung"): "Brent-Kung scan"}
MAPS = ("plain", "padded")
PAIRS = [(kernel, index) for kernel in KERNELS for index in MAPS]
TILE = 1024
BLOCK = {("reduce", "tree"): 512, ("scan", "brent_kung"): 1024}  # the same for every thread mapping
HALF = 512  # a block of half a tile, which contiguous threads make possible for the scan


def case(kernel: tuple[str, str], index: str, threads: str, block: int | None = None) -> dict:
    factors = {"operation": kernel[0], "algorithm": kernel[1], "threads": threads, "index": index}
    return factors | {"block": block or BLOCK[kernel], "tile": TILE}


def count(counted: Results | None, quantity: str, kernel, index: str, threads: str) -> float | None:
    """A count per block."""
    factors = case(kernel, index, threads)
    return sweep.per_tile(counted, quantity, factors.pop("tile"), **factors)


def time_of(timed: Results | None, kernel, index: str, threads: str, **more) -> Median | None:
    factors = case(kernel, index, threads, more.get("block"))
    n = sweep.longest(timed, algorithm="tree")
    return timed.time(**factors, cache=more.get("cache", "cold"), n=n) if timed else None


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
    scan, found = ("scan", "brent_kung"), {}
    for index in MAPS:
        half, whole = (time_of(timed, scan, index, "contiguous", block=each) for each in (HALF, BLOCK[scan]))
        if half and whole:
            found[index] = half.value / whole.value
    return found


def half_blocks_over_spaced(timed: Results | None) -> dict[str, float]:
    """By index map: time of contiguous threads' scan in blocks of half a tile relative to spaced threads."""
    same = paces(timed, "contiguous")
    scan = ("scan", "brent_kung")
    return {
        index: ratio * same[scan, index]
        for index, ratio in half_blocks(timed).items()
        if (scan, index) in same
    }
