"""The clock beside what knows less, over the same kernels."""

from collections.abc import Sequence

import numpy

from analysis.core.statistics import rounded
from analysis.model.errors import errors
from analysis.model.kernels import Kernel

# By form what is taken for the time: of these parts the longest. Three are those of Zhang and Owens, HPCA
# 2011: instruction pipeline, shared memory and global memory, here as busy as the clock sees them.
FORMS = {"three": ("issue", "pipe", "bytes"), "bytes": ("bytes",)}


def measured(kernels: Sequence[Kernel]) -> numpy.ndarray:
    return numpy.array([each.us for each in kernels])


def clock(kernels: Sequence[Kernel]) -> numpy.ndarray:
    return numpy.array([each.predicted_us for each in kernels])


def compared(kernels: Sequence[Kernel], launch_us: float) -> dict[str, dict]:
    """The errors of each form, to which a launch is added. launch_us: of an empty kernel."""
    us = measured(kernels)
    found = {"clock": errors(clock(kernels), us)}
    for name, parts in FORMS.items():
        busy = [max(each.parts[part] for part in parts) + launch_us for each in kernels]
        found[name] = errors(numpy.array(busy), us)
    return rounded(found)


def alone(kernels: Sequence[Kernel]) -> dict:
    """How well each count predicts the times by itself, over the kernels that have it: the mean error of the
    best factor, and the correlation of the logarithms."""
    us, found = measured(kernels), {}
    for name in ("ops", "wavefronts", "instructions", "bytes"):
        counts = numpy.array([each.count(name) for each in kernels])
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
