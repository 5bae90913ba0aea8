"""The time of a kernel, in five parts, and which of them limits it.

Five things happen at the same time, and the slowest decides: warp instructions are issued, wavefronts of
shared memory are served, bytes are moved, blocks are started, and resident blocks wait, each for its own
chain: it loads and stores, and passes its barriers one after the other. A block's own instructions and
wavefronts are in its chain as well. What overlaps does so imperfectly, so the time is not the largest part
but the p-norm of the five, which is the largest for p without end.

Two sets of prices: measured on their own (prices.py), or fitted to these very kernels (fitted.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from analysis.model.kernels import Kernel

PARTS = ("issue", "banks", "bytes", "latency", "blocks")
IN_WORDS = {
    "issue": "instruction issue",
    "banks": "shared-memory wavefronts",
    "bytes": "bytes",
    "latency": "waiting at barriers",
    "blocks": "starting blocks",
}


@dataclass(frozen=True)
class Machine:
    """multiprocessors, and cycles of each in a microsecond."""

    multiprocessors: int
    cycles: float


@dataclass(frozen=True)
class Prices:
    """In cycles of one multiprocessor, but for blocks and launches: microseconds of the GPU."""

    instruction: float
    wavefront: float
    step: float  # between two barriers, of a block alone
    block_copy: float  # a block alone that loads a tile and stores it
    block_us: float
    launch_us: float  # an empty kernel
    next_launch_us: float  # one more, queued behind it
    copy_us: float  # a byte read and a byte written
    read_us: float  # a byte read


def parts(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> numpy.ndarray:
    """Microseconds, a row for each of PARTS, a column for each kernel."""
    column = Columns(kernels)
    busy = machine.multiprocessors * machine.cycles
    issue = column.instructions * prices.instruction
    banks = column.wavefronts * prices.wavefront
    both = numpy.minimum(column.bytes_read, column.bytes_written)
    return numpy.array(
        [
            issue / busy,
            banks / busy,
            both * prices.copy_us + (column.bytes_read - both) * prices.read_us,
            (
                column.turns * prices.block_copy
                + column.steps * prices.step
                + (issue + banks) / column.resident
            )
            / busy,
            column.blocks * prices.block_us,
        ]
    )


class Columns:
    """The counts of all kernels as arrays, by name."""

    def __init__(self, kernels: Sequence[Kernel]):
        self.kernels = kernels

    def __getattr__(self, name: str) -> numpy.ndarray:
        return numpy.array([getattr(each, name) for each in self.kernels], dtype=float)


def together(found: numpy.ndarray, sharpness: float) -> numpy.ndarray:
    """The p-norm of the parts; the largest for an infinite p."""
    largest = found.max(axis=0)
    if numpy.isinf(sharpness):
        return largest
    return largest * ((found / largest) ** sharpness).sum(axis=0) ** (1 / sharpness)


def predicted(kernels: Sequence[Kernel], prices: Prices, machine: Machine, sharpness: float) -> numpy.ndarray:
    """Microseconds."""
    launches = Columns(kernels).launches
    return (
        together(parts(kernels, prices, machine), sharpness)
        + prices.launch_us
        + (launches - 1) * prices.next_launch_us
    )


def limiters(found: numpy.ndarray) -> list[str]:
    """The largest part of each kernel, by name."""
    return [PARTS[index] for index in found.argmax(axis=0)]


def errors(predictions: numpy.ndarray, measured: numpy.ndarray) -> dict:
    """Of ratios predicted to measured: mean distance from 1, shares within a distance, the worst."""
    ratios = predictions / measured
    away = numpy.abs(ratios - 1)
    within = {f"within_{percent}": float((away <= percent / 100).mean()) for percent in (10, 15, 20)}
    return (
        {"cases": len(away), "mean": float(away.mean()), "bias": float(ratios.mean())}
        | within
        | {"worst": float(ratios[away.argmax()]) if len(away) else None}
    )
