"""Times of scans over several GPUs, by the number of GPUs and the floats on each of them.

Times are medians in microseconds; cold, with the totals exchanged by flags, by the GPUs' clock, unless
something else is asked for. None: not timed.
"""

from analysis.core import words
from analysis.core.evidence import Results
from analysis.core.statistics import Median

LATE = 20.0  # microseconds
SHOWN = 0.995  # a ratio above it is printed as 1.00


def one_gpu(timed: Results, n: int, clock: str = "gpu") -> Median | None:
    """n floats on one GPU."""
    return timed.time(algorithm="one_gpu", part=n, cache="cold", clock=clock)


def in_parts(timed: Results, gpus: int, n: int, **other) -> Median | None:
    """n floats on each GPU. other: cache, exchange, clock, or the order in which each part is reduced."""
    usual = {"exchange": "flags", "clock": "gpu", "reduce": "default", "cache": "cold"}
    return timed.time(algorithm="parts", gpus=gpus, part=n, **usual | other)


def gathered(timed: Results, gpus: int, n: int) -> Median | None:
    """n floats on each GPU, copied to one of them, scanned there and copied back."""
    return timed.time(algorithm="gather_scan_scatter", gpus=gpus, part=n, cache="cold")


def exchange_alone(timed: Results, way: str, gpus: int, clock: str) -> Median | None:
    """Warm."""
    return timed.time(operation="exchange", algorithm=way, gpus=gpus, clock=clock, cache="warm")


def numbers_of_gpus(timed: Results | None) -> list[int]:
    """In increasing order; each is two or more."""
    return sorted(timed.levels("gpus", algorithm="parts")) if timed else []


def parts_timed(timed: Results) -> list[int]:
    """Floats per GPU, the longest first."""
    return sorted(timed.levels("part", algorithm="parts", reduce="default", clock="gpu"), reverse=True)


def weak_parts(timed: Results | None) -> list[int]:
    """Floats per GPU that were scanned by one GPU and by every number of them, the longest first."""
    counts = numbers_of_gpus(timed)
    every = parts_timed(timed) if counts else []
    return [n for n in every if one_gpu(timed, n) and all(in_parts(timed, gpus, n) for gpus in counts)]


def strong_sizes(timed: Results) -> list[int]:
    """Total floats that every number of GPUs scanned both in parts and gathered, the most first."""
    ways = [(way, g) for way in (in_parts, gathered) for g in numbers_of_gpus(timed)]
    sizes = sorted(timed.levels("part", algorithm="one_gpu", clock="gpu"), reverse=True)
    return [n for n in sizes if all(way(timed, g, n // g) for way, g in ways)]


def rates(timed: Results) -> dict[str, dict[int, float]]:
    """The rate of each GPU relative to one GPU alone, by what they scan and their number."""
    gpus, found = numbers_of_gpus(timed), {}
    for n in weak_parts(timed):
        alone = one_gpu(timed, n).value
        found[f"{words.power(n)} per GPU"] = {g: alone / in_parts(timed, g, n).value for g in gpus}
    for name, way in (("in total", in_parts), ("in total, gathered", gathered)):
        for n in strong_sizes(timed):
            alone = one_gpu(timed, n).value
            found[f"{words.power(n)} {name}"] = {g: alone / way(timed, g, n // g).value / g for g in gpus}
    return found


def late(timed: Results, gpus: int) -> tuple[int, int]:
    """Of the samples by flags and the GPUs' clock, how many are more than LATE above their case's median, and
    how many there are."""
    rows = timed.rows
    by_flags = (rows["exchange"] == "flags") | (rows["algorithm"] == "flags")
    ours = rows[by_flags & (rows["clock"] == "gpu") & (rows["gpus"] == gpus)]
    above = ours["time_us"] - ours.groupby("name")["time_us"].transform("median")
    return int((above > LATE).sum()), len(ours)


def by_descending(timed: Results) -> dict[int, tuple[float, bool]]:
    """By floats per GPU: time with parts reduced from the end relative to from the front, and whether it is
    less: by intervals that do not overlap, and by so much that three digits show it."""
    found = {}
    for gpus in numbers_of_gpus(timed):
        for n in timed.levels("part", algorithm="parts", reduce="descending", gpus=gpus):
            down, up = (in_parts(timed, gpus, n, reduce=order) for order in ("descending", "ascending"))
            if down and up:
                ratio = down.value / up.value
                found[n] = (ratio, down.below(up) and ratio < SHOWN)
    return dict(sorted(found.items()))
