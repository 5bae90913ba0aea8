"""The network of five charges beside models that know less, over the same kernels."""

from collections.abc import Sequence
from dataclasses import replace

import numpy

from analysis.core.statistics import rounded
from analysis.model import times
from analysis.model.kernels import Kernel
from analysis.model.times import PARTS, Machine, Prices, column, errors

OF_THREE = ("issue", "banks", "bytes")


def largest_of_three(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> numpy.ndarray:
    """Zhang and Owens, HPCA 2011: instruction pipeline, shared memory or global memory, what takes longest;
    here at full rates, however few warps there are."""
    found = times.parts(kernels, prices, machine)
    three = numpy.array([found[PARTS.index(part)] for part in OF_THREE])
    return three.max(axis=0) + times.starts(kernels, prices)


def bytes_alone(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> numpy.ndarray:
    return times.parts(kernels, prices, machine)[PARTS.index("bytes")] + times.starts(kernels, prices)


def operations_alone(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> numpy.ndarray:
    """As if every kernel issued its operations and did nothing else but move its bytes; where the machine
    code does not show operations, one an element."""
    return times.predicted([of_operations(each) for each in kernels], prices, machine)


def of_operations(kernel: Kernel) -> Kernel:
    ops = kernel.n if numpy.isnan(kernel.ops) else kernel.ops
    alone = {"warp_instructions": numpy.array([ops / 32 / kernel.blocks])}
    counts = [{name: numpy.zeros(1) for name in each.counts} | alone for each in kernel.work]
    works = (replace(each, counts=own) for each, own in zip(kernel.work, counts, strict=True))
    return replace(kernel, work=tuple(works))


FORMS = {
    "network": times.predicted,
    "three": largest_of_three,
    "bytes": bytes_alone,
    "operations": operations_alone,
}


def compared(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> dict[str, dict]:
    """The errors of each form."""
    us = column(kernels, "us")
    return {name: rounded(errors(form(kernels, prices, machine), us)) for name, form in FORMS.items()}


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
