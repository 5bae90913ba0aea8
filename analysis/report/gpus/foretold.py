"""How well the times of a further GPU are predicted, and whether the first GPU's times would have done.

A prediction is worth something if it is nearer than what one knows without it: that the other GPU takes as
long as the first. Where both GPUs take about as long that is hard to beat, so the kernels whose time differs
are also judged apart.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy

from analysis.core.loading import REFERENCE_GPU
from analysis.model import forms
from analysis.model.distinct import distinct
from analysis.model.errors import errors
from analysis.model.kernels import Kernel, recorded

CHANGED = 0.10  # of the first GPU's time: from there on a kernel's time differs


@dataclass(frozen=True)
class Foretold:
    """Kernels that are predicted for both GPUs, and that both have timed at one length, each once."""

    first: list[Kernel]
    further: list[Kernel]

    @property
    def changed(self) -> numpy.ndarray:
        return numpy.abs(forms.measured(self.further) / forms.measured(self.first) - 1) > CHANGED

    def errors(self) -> dict[str, dict]:
        """Of both predictions, of the first GPU's time for the further one's, and of that time with the
        predicted change; of two also over the kernels whose time differs."""
        measured, same_time = forms.measured(self.further), forms.measured(self.first)
        predicted, own = forms.clock(self.further), self.changed
        ways = {"predicted": predicted, "same_time": same_time}
        ways["scaled"] = same_time * predicted / forms.clock(self.first)
        found = {"first": errors(forms.clock(self.first), same_time)}
        found |= {name: errors(us, measured) for name, us in ways.items()}
        for name in ("predicted", "same_time") if own.any() else ():
            found[f"{name}_changed"] = errors(ways[name][own], measured[own])
        return found


def foretold(results: Path, folder: str) -> Foretold | None:
    """None without a kernel that is predicted for and timed on both."""
    others = {each.where(): each for each in recorded(results, folder)}
    first = [each for each in distinct(recorded(results, REFERENCE_GPU)) if each.where() in others]
    return Foretold(first, [others[each.where()] for each in first]) if first else None
