"""How well the times of a further GPU were predicted, and whether the first GPU's times would have done.

A prediction is worth something if it is nearer than what one knows without it: that the other GPU takes as
long as the first. Where both GPUs take about as long that is hard to beat, so the kernels whose time differs
are also judged apart.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy

from analysis.core.files import claims_in
from analysis.core.loading import load
from analysis.model import predictions, times
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
    table, rates = predictions.read(results, folder), predictions.rates_of(results, folder)
    if rates is None:
        return None
    today = predictions.predicted(found, rates)
    before = {(row.claim, row.case, row.n): row for row in (today if table is None else table).itertuples()}
    evidence = (each for claim in claims_in(results) for each in load(results, claim))
    own = (each for each in evidence if each.timed and each.timed.folder == folder)
    measured = {key(kernel): kernel.us for each in own for kernel in of_evidence(each)}
    both = measured.keys() & before.keys()
    sample = [place for place in found.sample if key(found.kernels[place]) in both]
    if not sample:
        return None
    kernels = [found.kernels[place] for place in sample]
    return Foretold(
        table is not None,
        [before[key(each)].limiter for each in kernels],
        numpy.array([float(before[key(each)].predicted_us) for each in kernels]),
        today["predicted_us"].to_numpy(dtype=float)[sample],
        numpy.array([measured[key(each)] for each in kernels]),
        found.predicted_us[sample],
        numpy.array([each.us for each in kernels]),
    )


def key(kernel: Kernel) -> tuple[str, str, int]:
    return kernel.claim, kernel.case, kernel.n
