"""Medians with distribution-free confidence intervals, and numbers as documents have them.

Source: Hoefler and Belli, "Scientific benchmarking of parallel computing systems", SC'15.
"""

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass

LEVEL = 0.95


@dataclass(frozen=True)
class Median:
    """The median of `count` samples and the interval [low, high] that contains the true one.

    `level` is the interval's exact confidence: at least 0.95 from six samples on. With fewer, the
    interval is the whole range and its confidence is lower.
    """

    value: float
    low: float
    high: float
    count: int
    level: float

    def below(self, other: "Median") -> bool:
        """Less, and the intervals do not overlap."""
        return self.high < other.low


def coverage(count: int, rank: int) -> float:
    """Probability that the true median is between the rank-th smallest and the rank-th largest sample."""
    tail = sum(math.comb(count, k) for k in range(rank)) / 2**count
    return 1 - 2 * tail


def widest_rank(count: int) -> int:
    """The largest rank whose interval still reaches LEVEL; 1 if not even the whole range does."""
    rank = 1
    while rank < (count + 1) // 2 and coverage(count, rank + 1) >= LEVEL:
        rank += 1
    return rank


def median(samples: Iterable[float]) -> Median:
    """Median and interval of at least one sample."""
    ordered = sorted(samples)
    middle, count = statistics.median(ordered), len(ordered)
    rank = widest_rank(count)
    return Median(middle, ordered[rank - 1], ordered[count - rank], count, max(0.0, coverage(count, rank)))


def rounded(found):
    """Numbers to three digits, also those in dictionaries and lists."""
    if isinstance(found, list):
        return [rounded(each) for each in found]
    if isinstance(found, dict):
        return {key: rounded(value) for key, value in found.items()}
    return found if found is None or isinstance(found, int | str) else float(f"{found:.3g}")
