"""The kernels of all claims as one set of prices sees them: parts, limiters and predictions.

The prices are those measured on their own; without a recording of them, those fitted to the kernels.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy

from analysis.common.evidence import Evidence
from analysis.common.files import claims_in
from analysis.common.loading import load
from analysis.model import fitted, forms, times
from analysis.model.distinct import firsts
from analysis.model.kernels import Kernel, recorded
from analysis.model.outside import outside
from analysis.model.prices import machine_of, measured
from analysis.model.times import PARTS, Machine, Prices

MEASURED, FITTED = "measured on their own", "fitted to the kernels"


@dataclass(frozen=True)
class View:
    """All cases, also those of one kernel. `parts`: microseconds, a row for each of PARTS, a column for each
    case. `fit`: fitted.document()."""

    kernels: Sequence[Kernel]
    machine: Machine
    prices: Prices | None
    forms: dict | None  # forms.compared()
    fit: dict
    parts: numpy.ndarray
    fitted_us: numpy.ndarray
    predicted_us: numpy.ndarray | None

    @property
    def by(self) -> str:
        return MEASURED if self.prices else FITTED

    @property
    def best_us(self) -> numpy.ndarray:
        """Predicted with the prices at hand."""
        return self.fitted_us if self.predicted_us is None else self.predicted_us

    @property
    def limiters(self) -> list[str]:
        return times.limiters(self.parts)

    @property
    def sample(self) -> list[int]:
        """The columns that the errors are of: every kernel once, without those outside of the model."""
        inside = (place for place, each in enumerate(self.kernels) if not outside(each))
        return firsts(self.kernels, inside)

    def place(self, claim: str, case: str) -> int | None:
        """The column of a kernel."""
        names = [(each.claim, each.case) for each in self.kernels]
        return names.index((claim, case)) if (claim, case) in names else None

    def part(self, name: str, place: int) -> float:
        return float(self.parts[PARTS.index(name), place])

    def waits(self, place: int) -> dict[str, float]:
        """What the part `latency` consists of, in microseconds."""
        kernel, busy = self.kernels[place], self.machine.multiprocessors * self.machine.cycles
        if self.prices:
            steps = sum(
                work.blocks
                / work.resident(self.machine.limits)
                * work.sum("barriers")
                * times.latency_of(work, self.prices)
                for work in kernel.work
            )
            block = self.prices.block_copy
        else:
            steps, block = (
                kernel.steps * self.fit["numbers"]["barrier_cycles"],
                self.fit["numbers"]["block_cycles"],
            )
        found = {"barriers": steps / busy, "copies": kernel.turns * block / busy}
        return found | {"own": self.part("latency", place) - sum(found.values())}


def view(results: Path) -> View | None:
    """None if no kernel has both counts and times."""
    kernels = recorded(results)
    return seen(kernels, machine_in(results), measured(results)) if kernels else None


def machine_in(results: Path) -> Machine:
    found = (load(results, claim)[0] for claim in claims_in(results))
    return machine_of(next(each.timed for each in found if each.timed))


def seen(kernels: Sequence[Kernel], machine: Machine, found: tuple[Prices, Evidence] | None) -> View:
    kernels = [each for each in kernels if each.copy_us]
    fit = fitted.document(fitted.of_tiles(kernels), machine)
    numbers = [fit["numbers"][name] for name in fitted.NAMES]
    form = fitted.Fit(kernels, machine)
    prices = found[0] if found else None
    if prices is None:
        return View(kernels, machine, None, None, fit, form.parts(numbers), form.predicted(numbers), None)
    inside = [each for each in kernels if not outside(each)]
    parts, predictions = (of(kernels, prices, machine) for of in (times.parts, times.predicted))
    compared = forms.compared(inside, prices, machine)
    return View(kernels, machine, prices, compared, fit, parts, form.predicted(numbers), predictions)
