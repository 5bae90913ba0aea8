"""Evidence: results/<machine>/<claim>.jsonl and the tables beside it, as pandas frames.

One row per repetition, with a column for each factor: operation, algorithm, index, tile, n ..
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy
import pandas

from analysis.common.errors import EvidenceError
from analysis.common.noise_floor import Floor
from analysis.common.recorded import stem_of
from analysis.common.statistics import Median, median


@dataclass(frozen=True)
class Results:
    """One claim's results on one machine."""

    path: Path
    claim: dict
    machine: dict
    provenance: dict
    skipped: list
    factors: dict[str, dict]  # of each case, by its name
    rows: pandas.DataFrame
    steps: pandas.DataFrame | None
    launches: pandas.DataFrame | None
    trace: pandas.DataFrame | None
    shared: pandas.DataFrame | None  # words that a step wrote to shared memory; value: 32 bits, as an integer
    metrics: dict  # of hardware counters: the metric that measures each quantity

    @property
    def folder(self) -> str:
        return self.path.parent.name

    @functools.cached_property
    def stems(self) -> dict[str, str]:
        """By name: what a case is called whatever its length and the state of the cache."""
        return {name: stem_of(factors) for name, factors in self.factors.items()}

    @functools.cached_property
    def known(self) -> dict:
        """What was asked before: an analysis asks for few masks, levels and times, thousands of times."""
        return {}

    def once(self, key: tuple, find: Callable):
        if key not in self.known:
            self.known[key] = find()
        return self.known[key]

    def where(self, **factors) -> pandas.DataFrame:
        """The rows whose factors have these levels."""
        return self.rows.iloc[self.places(factors)]

    def places(self, factors: dict) -> numpy.ndarray:
        """Where in `rows` they are."""
        masks = [numpy.ones(len(self.rows), dtype=bool)]
        for each in factors.items():
            masks.append(self.once(("mask", *each), lambda each=each: mask(self.rows, *each)))
        return numpy.flatnonzero(numpy.logical_and.reduce(masks))

    def levels(self, factor: str, **factors) -> list:
        """The levels a factor takes in those rows, in order of appearance."""

        def find() -> list:
            levels = self.where(**factors)[factor].dropna().unique().tolist() if factor in self.rows else []
            return [int(level) if isinstance(level, float) else level for level in levels]

        return list(self.once(("levels", factor, frozenset(factors.items())), find))

    def count(self, quantity: str, **factors) -> int | float | None:
        """A counter of the one case with these factors; None if there is no such case or counter."""
        places = self.places(factors)
        value = self.rows[quantity].iloc[places[0]] if places.size and quantity in self.rows else None
        if pandas.isna(value):
            return None
        self.check_one_case(places, factors)
        return int(value) if float(value).is_integer() else float(value)

    def time(self, **factors) -> Median | None:
        """Median time of the one case with these factors, in microseconds; None if it was not timed."""

        def find() -> Median | None:
            places = self.places(factors)
            self.check_one_case(places, factors)
            return median(self.rows["time_us"].iloc[places]) if places.size else None

        return self.once(("time", frozenset(factors.items())), find)

    def check_one_case(self, places: numpy.ndarray, factors: dict) -> None:
        if len(set(self.rows["name"].iloc[places])) > 1:
            levels = ", ".join(f"{factor}={level!r}" for factor, level in factors.items())
            cases = f"{levels} names more than one case of {self.path}"
            raise EvidenceError(f"the analysis of {self.claim['id']}: {cases}; name every factor there")


@dataclass(frozen=True)
class Evidence:
    """All that a verdict may use: counts, and times, counters and noise of one GPU. Each may be missing."""

    claim: dict
    counted: Results | None
    timed: Results | None
    counters: Results | None = None
    floor: Floor = Floor()

    @property
    def gpu(self) -> Results | None:
        """The results that identify the GPU."""
        return self.timed or self.counters

    @property
    def stale_counters(self) -> bool:
        """The counters are of other kernels than the times: one of the two was recorded anew since."""
        return code_of(self.timed, self.counters) == OTHER

    @property
    def code(self) -> str:
        """Whether counts and counters are of the same machine code; empty if one does not say."""
        return code_of(self.counted, self.counters)


SAME, OTHER = "same", "other"


def code_of(*results: Results | None) -> str:
    """Whether these are of the same machine code, by its digest; empty if one is missing or does not say."""
    digests = {each and each.provenance.get("machine_code") for each in results}
    return "" if None in digests else SAME if len(digests) == 1 else OTHER


def select(frame: pandas.DataFrame, factors: dict) -> pandas.DataFrame:
    for each in factors.items():
        frame = frame[mask(frame, *each)]
    return frame


def mask(frame: pandas.DataFrame, factor: str, level) -> numpy.ndarray:
    if factor not in frame:
        return numpy.zeros(len(frame), dtype=bool)
    return (frame[factor] == level).to_numpy()
