"""The noise floor: by how much the times of two cases must differ to count as different.

Twins are two measurements of one kernel on one vector, recorded by the claim `noise`. The floor of a
length is the ratio of twin medians that LEVEL of its pairs, cold and warm, do not exceed. Between two lengths
that were recorded it is the larger of their floors, outside of them that of the nearest. Without a recording
there is no floor, and confidence intervals decide alone.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from analysis.core.statistics import LEVEL, Median

EXPERIMENT = "noise"


@dataclass(frozen=True)
class Pair:
    """Both measurements of one case."""

    algorithm: str
    cache: str
    n: int
    a: Median
    b: Median

    @property
    def ratio(self) -> float:
        """The longer median over the shorter."""
        return max(self.a.value, self.b.value) / min(self.a.value, self.b.value)

    @property
    def overlaps(self) -> bool:
        return not self.a.below(self.b) and not self.b.below(self.a)


@dataclass(frozen=True)
class Floor:
    """Ratios by length: 1.012 if two medians that differ by 1.2% may be of one thing."""

    by_length: Mapping[int, float] = field(default_factory=dict)

    def at(self, n: int) -> float:
        below = max((m for m in self.by_length if m <= n), default=None)
        above = min((m for m in self.by_length if m >= n), default=None)
        return max((self.by_length[m] for m in (below, above) if m), default=1.0)

    def faster(self, one: Median | None, other: Median | None, n: int) -> bool | None:
        """Whether one is faster: its interval lies below, and the medians differ by more than the floor."""
        if not one or not other:
            return None
        return one.below(other) and other.value > one.value * self.at(n)

    def as_fast(self, ratio: float, n: int, slack: float) -> bool:
        """Whether a ratio of times is at most 1 + slack, or within the floor if that is larger."""
        return ratio <= max(1 + slack, self.at(n))

    def reaches(self, share: float, least: float, n: int) -> bool:
        """Whether a share of a speed is at least `least`, or falls short by no more than the floor."""
        return share * self.at(n) >= least


def pairs_of(timed) -> list[Pair]:
    """All pairs with both twins timed, the shortest vectors first."""
    found = []
    for n in sorted(timed.levels("n", twin="a")) if timed else []:
        for algorithm in timed.levels("algorithm", twin="a", n=n):
            for cache in ("cold", "warm"):
                case = {"algorithm": algorithm, "cache": cache, "n": n}
                a, b = (timed.time(twin=twin, **case) for twin in ("a", "b"))
                if a and b:
                    found.append(Pair(algorithm, cache, n, a, b))
    return found


def floor_of(pairs: Iterable[Pair]) -> float:
    """The ratio of twin medians that LEVEL of the pairs do not exceed."""
    ratios = sorted(pair.ratio for pair in pairs)
    return ratios[math.ceil(LEVEL * len(ratios)) - 1]


def floors(timed) -> Floor:
    """The floor of every length for which twins were timed."""
    pairs = pairs_of(timed)
    return Floor({n: floor_of(pair for pair in pairs if pair.n == n) for n in {pair.n for pair in pairs}})
