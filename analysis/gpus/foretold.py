"""How well the times of a further GPU were predicted, and whether the first GPU's times would have done.

A prediction is worth something if it is nearer than what one knows without it: that the other GPU takes as
long as the first. Where both GPUs take about as long that is hard to beat, so the kernels whose time differs
are also judged apart.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy

from analysis.common.files import claims_in
from analysis.common.loading import load
from analysis.model import ahead, times
from analysis.model.kernels import Kernel, of_evidence
from analysis.model.view import View

CHANGED = 0.10  # of the first GPU's time: from there on a kernel's time differs


@dataclass(frozen=True)
class Foretold:
    """Kernels that both GPUs have timed at one length, each once; microseconds. before: the prediction was
    written before anything but the prices was timed on the further GPU; it is that of the model of then, and
    `today` that of the model as it is."""

    before: bool
    limiters: list[str]
    predicted: numpy.ndarray
    today: numpy.ndarray
    measured: numpy.ndarray
    predicted_first: numpy.ndarray
    measured_first: numpy.ndarray

    @property
    def changed(self) -> numpy.ndarray:
        return numpy.abs(self.measured / self.measured_first - 1) > CHANGED

    def errors(self) -> dict[str, dict]:
        """Of the prediction, of the first GPU's time, and of that time with the predicted change; the first
        two also of the kernels whose time differs."""
        scaled = self.measured_first * self.today / self.predicted_first
        ways = {"today": self.today, "predicted": self.predicted}
        ways |= {"same_time": self.measured_first, "scaled": scaled}
        found = {"first": times.errors(self.predicted_first, self.measured_first)}
        found |= {name: times.errors(us, self.measured) for name, us in ways.items()}
        own = self.changed
        for name in ("predicted", "same_time") if own.any() else ():
            found[f"{name}_changed"] = times.errors(ways[name][own], self.measured[own])
        return found


def foretold(found: View, results: Path, folder: str) -> Foretold | None:
    """None without prices of the further GPU, or without a kernel that both have counted and timed."""
    table, rates = ahead.read(results, folder), ahead.rates_of(results, folder)
    if rates is None or found.predicted_us is None:
        return None
    before, today = table is not None, ahead.predicted(found, rates)
    if table is None:
        table = today
    now = today["predicted_us"].to_numpy(dtype=float)
    rows = {(row.claim, row.case, row.n): row for row in table.itertuples()}
    measured = {key(kernel): kernel.us for kernel in kernels_of(results, folder)}
    places = [place for place in found.sample if key(found.kernels[place]) in measured.keys() & rows.keys()]
    if not places:
        return None
    own = [rows[key(found.kernels[place])] for place in places]
    return Foretold(
        before,
        [row.limiter for row in own],
        numpy.array([float(row.predicted_us) for row in own]),
        now[places],
        numpy.array([measured[key(found.kernels[place])] for place in places]),
        found.predicted_us[places],
        numpy.array([found.kernels[place].us for place in places]),
    )


def key(kernel: Kernel) -> tuple[str, str, int]:
    return kernel.claim, kernel.case, kernel.n


def kernels_of(results: Path, folder: str) -> Iterator[Kernel]:
    for claim in claims_in(results):
        for evidence in load(results, claim):
            if evidence.timed and evidence.timed.folder == folder:
                yield from of_evidence(evidence)
