"""The kernels of all claims at prices that were measured on their own: parts, limiters and predictions."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy

from analysis.model import times
from analysis.model.distinct import firsts
from analysis.model.excluded import outside
from analysis.model.kernels import Kernel, recorded
from analysis.model.prices import machine_of, measured, prices_of
from analysis.model.times import PARTS, Machine, Prices


@dataclass(frozen=True)
class View:
    """All cases, also those of one kernel. `parts`: microseconds, a row for each of PARTS, a column for each
    case."""

    kernels: Sequence[Kernel]
    machine: Machine
    prices: Prices
    parts: numpy.ndarray
    predicted_us: numpy.ndarray

    @property
    def limiters(self) -> list[str]:
        return times.limiters(self.parts)

    @property
    def sample(self) -> list[int]:
        """The columns that the errors are of: every kernel once, without those outside of the model."""
        inside = (place for place, each in enumerate(self.kernels) if not outside(each))
        return firsts(self.kernels, inside)

    def ratio(self, place: int) -> float:
        """Predicted over measured time."""
        return float(self.predicted_us[place] / self.kernels[place].us)

    def place(self, claim: str, case: str) -> int | None:
        """The column of a kernel."""
        names = [(each.claim, each.case) for each in self.kernels]
        return names.index((claim, case)) if (claim, case) in names else None

    def part(self, name: str, place: int) -> float:
        return float(self.parts[PARTS.index(name), place])

    def waits(self, place: int) -> dict[str, float]:
        """What the part `latency` consists of, in microseconds."""
        kernel, busy, steps = self.kernels[place], self.machine.multiprocessors * self.machine.cycles, 0
        for work in kernel.work:
            turns = work.blocks / work.resident(self.machine.limits)
            steps += turns * work.sum("barriers") * times.latency_of(work, self.prices)
        found = {"barriers": steps / busy, "copies": kernel.turns * self.prices.block_copy / busy}
        return found | {"own": self.part("latency", place) - sum(found.values())}


def view(results: Path) -> View | None:
    """None if no kernel has both counts and times, or the prices are not recorded."""
    kernels, rates = recorded(results), measured(results)
    return seen(kernels, machine_of(rates[0]), prices_of(rates[0])) if kernels and rates else None


def seen(kernels: Sequence[Kernel], machine: Machine, prices: Prices) -> View:
    kernels = [each for each in kernels if each.copy_us]
    parts, predictions = (of(kernels, prices, machine) for of in (times.parts, times.predicted))
    return View(kernels, machine, prices, parts, predictions)
