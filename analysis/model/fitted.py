"""The same parts with prices fitted to the kernels themselves: how well such a model can do, and a check of
the prices measured on their own.

Six numbers: factors of the ideal price of an instruction and of a wavefront, a block's cycles and its
cycles a barrier, nanoseconds of starting a block, and the p of the p-norm. Bytes move at the rate of the
copy that was timed beside the kernel. The mean error is made as small as possible, by the simplex method of
Nelder and Mead, 1965, on the logarithms of the six.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy

from analysis.model.distinct import distinct
from analysis.model.kernels import Kernel
from analysis.model.times import Machine, column, errors, together

NAMES = ("instruction", "wavefront", "block_cycles", "barrier_cycles", "block_ns", "sharpness")
START = (1.0, 1.0, 2000.0, 60.0, 0.5, 4.0)
SCHEDULERS = 4
TILE_CLAIMS = ("depth", "divergence", "padding", "shuffle", "work")
ROUNDS = 3  # the simplex is started anew where the last one ended


class Fit:
    """The fitted form for some kernels on a machine."""

    def __init__(self, kernels: Sequence[Kernel], machine: Machine):
        of, busy = partial(column, kernels), machine.multiprocessors * machine.cycles
        self.measured = of("us")
        cycles = [of("instructions") / SCHEDULERS, of("wavefronts"), of("turns"), of("steps")]
        self.ideal = numpy.array([*(each / busy for each in cycles), of("blocks") / 1000, of("copy_us")])

    def parts(self, numbers: Sequence[float]) -> numpy.ndarray:
        instruction, wavefront, block, barrier, start, _ = numbers
        issue, banks, turns, steps, blocks, copied = self.ideal
        latency = turns * block + steps * barrier
        return numpy.array([issue * instruction, banks * wavefront, copied, latency, blocks * start])

    def predicted(self, numbers: Sequence[float]) -> numpy.ndarray:
        return together(self.parts(numbers), numbers[-1])

    def mean_error(self, numbers: Sequence[float]) -> float:
        """0 without kernels: any numbers do."""
        away = numpy.abs(self.predicted(numbers) / self.measured - 1)
        return float(away.sum()) / max(len(away), 1)

    def numbers(self) -> numpy.ndarray:
        best = numpy.log(START)
        for _ in range(ROUNDS):
            best = simplex(lambda logs: self.mean_error(numpy.exp(logs)), best)
        return numpy.exp(best)


def simplex(cost: Callable[[numpy.ndarray], float], start: numpy.ndarray, steps: int = 400) -> numpy.ndarray:
    """A minimum of `cost` near `start`."""
    corners = [start, *(start + 0.2 * axis for axis in numpy.eye(len(start)))]
    costs = [cost(corner) for corner in corners]
    for _ in range(steps):
        order = numpy.argsort(costs, kind="stable")
        corners, costs = [corners[each] for each in order], [costs[each] for each in order]
        if costs[-1] - costs[0] < 1e-6:
            break
        middle = numpy.mean(corners[:-1], axis=0)
        away = middle - corners[-1]
        reflected, cost_reflected = middle + away, cost(middle + away)
        if cost_reflected < costs[0]:
            further, cost_further = middle + 2 * away, cost(middle + 2 * away)
            better = cost_further < cost_reflected
            corners[-1], costs[-1] = (further, cost_further) if better else (reflected, cost_reflected)
        elif cost_reflected < costs[-2]:
            corners[-1], costs[-1] = reflected, cost_reflected
        elif (cost_closer := cost(closer := middle - away / 2)) < costs[-1]:
            corners[-1], costs[-1] = closer, cost_closer
        else:
            corners = [corners[0], *(corners[0] + (corner - corners[0]) / 2 for corner in corners[1:])]
            costs = [costs[0], *(cost(corner) for corner in corners[1:])]
    return corners[int(numpy.argmin(costs))]


def of_tiles(kernels: Sequence[Kernel]) -> list[Kernel]:
    """Those that the form is fitted to: one launch over tiles, with a copy beside it."""
    return [each for each in kernels if each.claim in TILE_CLAIMS and each.launches == 1 and each.copy_us]


def document(kernels: Sequence[Kernel], machine: Machine) -> dict:
    """The numbers and errors of a fit to all kernels, each once, and those of each claim whose kernels, and
    the same ones in other claims, are held out of its fit."""
    fit = Fit(distinct(kernels), machine)
    numbers = fit.numbers()
    halves = {claim: held_out_of(kernels, claim) for claim in sorted({each.claim for each in kernels})}
    held_out = {
        claim: Fit(own, machine).mean_error(Fit(others, machine).numbers())
        for claim, (own, others) in halves.items()
        if own and others  # else the claim has all kernels, or none of its own
    }
    found = {"numbers": dict(zip(NAMES, map(float, numbers), strict=True))}
    found["errors"] = errors(fit.predicted(numbers), fit.measured)
    return rounded(found | {"held_out_mean": held_out})


def held_out_of(kernels: Sequence[Kernel], claim: str) -> tuple[list[Kernel], list[Kernel]]:
    """The kernels of a claim, and those of the other claims that it does not share."""
    own = distinct([each for each in kernels if each.claim == claim])
    known = {each.code for each in own}
    return own, [each for each in distinct(kernels) if each.code not in known]


def alone(kernels: Sequence[Kernel]) -> dict:
    """How well each count predicts the times by itself, over the kernels that have it: the mean error of the
    best factor, and the correlation of the logarithms."""
    us, found = column(kernels, "us"), {}
    for name in ("ops", "wavefronts", "instructions", "bytes"):
        counts = column(kernels, name)
        known = counts > 0
        if not known.any():  # operators of integers, say, which the machine code does not show
            continue
        rates = us[known] / counts[known]
        error = min(float(numpy.abs(rate / rates - 1).mean()) for rate in rates)
        logs = numpy.corrcoef(numpy.log(counts[known]), numpy.log(us[known]))
        found[name] = {"kernels": int(known.sum())} | rounded(
            {"mean_error": error, "correlation": float(logs[0, 1])}
        )
    return found


def rounded(found):
    """Numbers to three digits, also those in dictionaries and lists."""
    if isinstance(found, list):
        return [rounded(each) for each in found]
    if isinstance(found, dict):
        return {key: rounded(value) for key, value in found.items()}
    return found if found is None or isinstance(found, int | str) else float(f"{found:.3g}")
