"""The time of a kernel from what it does, in five charges, and which of them limits it.

A block goes from step to step, a step ending at a barrier. In a step its warps issue instructions and pass
their requests through the pipe to memory side by side, so the larger of the two is what it holds up others
by; then it waits for its slowest warp. Before, it is started, and its bytes are moved. The resident blocks of
a multiprocessor are so many customers of a closed queueing network: each is at one of the stations issue,
pipe, bytes and start of blocks, or waits by itself. How many blocks a cycle it serves follows by mean value
analysis (Reiser and Lavenberg, 1980), from the prices and with no number that is chosen. With many resident
blocks the largest charge is left, with one the sum of all.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy

from analysis.model.kernels import Kernel
from analysis.model.work import LIMITS, Limits, Work

PARTS = ("issue", "banks", "bytes", "latency", "blocks")
IN_WORDS = {
    "issue": "instruction issue",
    "banks": "passes of the memory pipe",
    "bytes": "bytes",
    "latency": "waiting in the block",
    "blocks": "starting blocks",
}

# How many times as long as any warp instruction one takes that a pipe of its own executes, and the cycles
# until one that depends on another can follow: CUDA C++ Programming Guide, arithmetic instructions and
# multiprocessor level, for compute capability 9.0.
SLOWER = {"alu_instructions": 2, "fp64_instructions": 2, "xu_instructions": 8}
DEPENDENT = 4
# Warp instructions a warp of the kernels by which waiting is priced, as the machine counts them: in a step of
# kernels/rates/barrier_steps.cuh, in a block of block_copies.cuh.
IN_STEP, IN_COPY = 6.5, 24


@dataclass(frozen=True)
class Machine:
    """multiprocessors, and cycles of each in a microsecond."""

    multiprocessors: int
    cycles: float
    limits: Limits = LIMITS["9.0"]


@dataclass(frozen=True)
class Prices:
    """In cycles of one multiprocessor, but for blocks and launches: microseconds of the GPU."""

    instruction: float
    wavefront: float
    barrier: float  # of the pipe to memory, by a block
    barrier_warp: float  # and by each of its warps
    latency: dict[int, float]  # of a step between two barriers, beyond its passes, by warps of the block
    step: float  # the same with them, of a block of two warps alone
    block_copy: float  # a block alone that loads a tile and stores it
    block_us: float
    launch_us: float  # an empty kernel
    next_launch_us: float  # one more, queued behind it
    copy_us: float  # a byte read and a byte written
    read_us: float  # a byte read


@dataclass(frozen=True)
class Charges:
    """Of one block, in cycles of a multiprocessor. Where issue and pipe are needed in the same step, the
    larger is what holds up: `holds`."""

    issue: float
    banks: float
    bytes: float
    blocks: float
    wait: float
    holds: tuple[float, float]  # issue, pipe


def latency_of(work: Work, prices: Prices) -> float:
    """Cycles of a step that no pipe is busy for."""
    return float(numpy.interp(work.warps, list(prices.latency), list(prices.latency.values())))


def charges(work: Work, prices: Prices, machine: Machine) -> Charges:
    count, warps = work.counts, work.warps
    slow = (factor * count[name] for name, factor in SLOWER.items())
    issue = prices.instruction * numpy.maximum.reduce([count["warp_instructions"], *slow])
    barrier = prices.barrier + prices.barrier_warp * warps
    banks = prices.wavefront * work.passes + barrier * count["barriers"]
    in_a_row = count["warp_instructions"] / warps - IN_STEP * count["barriers"]
    in_a_row = max(0.0, float(numpy.maximum(in_a_row, 0).sum()) - IN_COPY)
    both = min(work.bytes_read, work.bytes_written)
    moved = both * prices.copy_us + (work.bytes_read + work.bytes_written - 2 * both) * prices.read_us
    busy = machine.multiprocessors * machine.cycles
    return Charges(
        issue=float(issue.sum()),
        banks=float(banks.sum()),
        bytes=moved * busy,
        blocks=prices.block_us * busy,
        wait=prices.block_copy + latency_of(work, prices) * work.sum("barriers") + DEPENDENT * in_a_row,
        holds=(float(issue[issue >= banks].sum()), float(banks[banks > issue].sum())),
    )


def cycles_a_block(of: Charges, resident: int) -> float:
    """Of a multiprocessor with so many blocks, by mean value analysis; no less than issue or pipe need."""
    stations = numpy.array([*of.holds, of.bytes, of.blocks])
    waiting, rate = numpy.zeros(len(stations)), 0.0
    for blocks in range(1, resident + 1):
        stay = stations * (1 + waiting)
        rate = blocks / (of.wait + stay.sum())
        waiting = rate * stay
    return max(1 / rate, of.issue, of.banks)


def of_work(work: Work, prices: Prices, machine: Machine) -> float:
    """Microseconds of a launch, its start left out: full waves of blocks, and a last one."""
    of, resident = charges(work, prices, machine), work.resident(machine.limits)
    waves, last = divmod(max(1.0, work.blocks / machine.multiprocessors), resident)
    cycles = waves * resident * cycles_a_block(of, resident)
    if last > 0:
        cycles += last * cycles_a_block(of, min(resident, max(1, round(last))))
    return cycles / machine.cycles


def predicted(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> numpy.ndarray:
    """Microseconds."""
    us = [sum(of_work(each, prices, machine) for each in kernel.work) for kernel in kernels]
    return numpy.array(us) + starts(kernels, prices)


def starts(kernels: Sequence[Kernel], prices: Prices) -> numpy.ndarray:
    """Microseconds that launches take by themselves."""
    return prices.launch_us + (column(kernels, "launches") - 1) * prices.next_launch_us


def parts(kernels: Sequence[Kernel], prices: Prices, machine: Machine) -> numpy.ndarray:
    """Each charge as if it were alone: microseconds, a row for each of PARTS, a column for each kernel."""
    us = [sum(parts_of(work, prices, machine) for work in kernel.work) for kernel in kernels]
    return numpy.array(us).reshape(-1, len(PARTS)).T


def parts_of(work: Work, prices: Prices, machine: Machine) -> numpy.ndarray:
    of, resident = charges(work, prices, machine), work.resident(machine.limits)
    alone = of.wait + sum(of.holds)
    each = numpy.array([of.issue, of.banks, of.bytes, alone / resident, of.blocks])
    return each * work.blocks / machine.multiprocessors / machine.cycles


def column(kernels: Sequence[Kernel], name: str) -> numpy.ndarray:
    """What all kernels have of this name."""
    return numpy.array([getattr(each, name) for each in kernels], dtype=float)


def limiters(found: numpy.ndarray) -> list[str]:
    """The largest part of each kernel, by name."""
    return [PARTS[index] for index in found.argmax(axis=0)]


def errors(predictions: numpy.ndarray, measured: numpy.ndarray) -> dict:
    """Of ratios predicted to measured: mean distance from 1, shares within a distance, the worst; the number
    alone if there are no ratios."""
    ratios = predictions / measured
    away = numpy.abs(ratios - 1)
    if not len(away):
        return {"cases": 0}
    within = {f"within_{percent}": float((away <= percent / 100).mean()) for percent in (10, 15, 20)}
    return {"cases": len(away), "mean": float(away.mean()), **within, "worst": float(ratios[away.argmax()])}
