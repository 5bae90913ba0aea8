"""The machine's prices, each measured on its own by the claim `rates`: kernels that know nothing of scans.

Every price here is a Median of `charged` things in sequence, in cycles of a multiprocessor; the time of an
empty kernel is taken off first.
"""

from collections.abc import Callable
from pathlib import Path

import numpy

from analysis.core.evidence import Results
from analysis.core.files import claims_in
from analysis.core.loading import load
from analysis.core.statistics import Median, median
from analysis.model.times import Machine, Prices
from analysis.model.work import LIMITS, WARP

EXPERIMENT = "rates"
COLD = {"operation": "charge", "cache": "cold"}
SMALLEST = 32  # threads of the smallest block
TWO_WARPS = 64  # of the smallest block in which a barrier joins anything
OF_STEP = 3  # wavefronts of a warp in a step: two loads and a store


def machine_of(timed: Results) -> Machine:
    limits = LIMITS.get(timed.machine.get("compute_capability"), LIMITS["9.0"])
    return Machine(int(timed.machine["sm_count"]), float(timed.machine["sm_clock_mhz"]), limits)


def empty(timed: Results) -> float:
    """Microseconds of a kernel that does nothing."""
    return timed.time(**COLD, algorithm="launch", kernels=1).value


def scaled(time: Median, less: float, factor: float) -> Median:
    ends = ((each - less) * factor for each in (time.value, time.low, time.high))
    return Median(*ends, time.count, time.level)


def in_cycles(timed: Results, algorithm: str, **factors) -> Median | None:
    """Cycles of a multiprocessor for one of what the case charges."""
    case = COLD | {"algorithm": algorithm} | factors
    charged, time = timed.count("charged", **case), timed.time(**case)
    return scaled(time, empty(timed), machine_of(timed).cycles / charged) if time and charged else None


def by(timed: Results | None, algorithm: str, factor: str, **factors) -> dict[int, Median]:
    """The price in cycles by the levels of a factor."""
    levels = sorted(timed.levels(factor, **COLD, algorithm=algorithm, **factors)) if timed else []
    found = {level: in_cycles(timed, algorithm, **{factor: level}, **factors) for level in levels}
    return {level: price for level, price in found.items() if price}


def steps(timed: Results) -> list[float]:
    """The least and the most cycles of a barrier, by threads and by blocks that are resident together; the
    model has one price of them."""
    resident = timed.levels("resident", **COLD, algorithm="step")
    prices = (price for each in resident for price in by(timed, "step", "threads", resident=each).values())
    found = [price.value for price in prices]
    return [min(found), max(found)]


def by_threads(timed: Results | None, algorithm: str, level: str, factor: Callable) -> dict[int, Median]:
    """The times of kernels by threads of a block, times a factor of that level and the threads."""
    found = {}
    for threads in sorted(timed.levels("threads", **COLD, algorithm=algorithm)) if timed else []:
        case = COLD | {"algorithm": algorithm, "threads": threads}
        scale = factor(timed.levels(level, **case)[0], threads)
        found[threads] = scaled(timed.time(**case), empty(timed), scale)
    return found


def blocks(timed: Results | None) -> dict[int, Median]:
    """Nanoseconds of the GPU that starting a block takes, by its threads."""
    return by_threads(timed, "block", "blocks", lambda count, _: 1000 / count)


def block_copies(timed: Results) -> dict[int, Median]:
    """Cycles of a block that loads a tile and stores it, alone on its multiprocessor, by its threads."""
    cycles, multiprocessors = machine_of(timed).cycles, machine_of(timed).multiprocessors
    return by_threads(timed, "block_copy", "n", lambda n, threads: cycles / (n / threads / multiprocessors))


def next_launch(timed: Results) -> float:
    """Microseconds of one more empty kernel, queued behind others."""
    ends = sorted(timed.levels("kernels", **COLD, algorithm="launch"))
    times = [timed.time(**COLD, algorithm="launch", kernels=each).value for each in ends]
    return (times[-1] - times[0]) / (ends[-1] - ends[0])


def per_byte(timed: Results, algorithm: str) -> float:
    """Microseconds a byte of a copy's input, or of a read."""
    case = {"algorithm": algorithm, "cache": "cold"}
    return timed.time(**case).value / (4 * timed.levels("n", **case)[0])


def barriers(timed: Results) -> tuple[float, float]:
    """Cycles of the pipe to memory that a barrier takes where most blocks are resident: of the block, and of
    each of its warps. By the line through the prices of a step, its wavefronts taken off, by warps."""
    warps, rest = [], []
    for threads in sorted(timed.levels("threads", **COLD, algorithm="step")):
        most = max(timed.levels("resident", **COLD, algorithm="step", threads=threads))
        price = in_cycles(timed, "step", threads=threads, resident=most)
        warps.append(threads // WARP)
        rest.append(price.value / most - OF_STEP * threads // WARP)
    slope, level = numpy.polyfit(warps, rest, 1) if len(warps) > 1 else (0.0, rest[0])
    return float(level), float(slope)


def latencies(timed: Results, barrier: tuple[float, float]) -> dict[int, float]:
    """Cycles that a step of a block alone takes beyond its passes of the pipe, by its warps."""
    found = {}
    for threads, price in by(timed, "step", "threads", resident=1).items():
        warps = threads // WARP
        found[warps] = max(0.0, price.value - OF_STEP * warps - barrier[0] - barrier[1] * warps)
    return found


def prices_of(timed: Results) -> Prices:
    """One number each: of an instruction and of a wavefront the median over all levels."""
    barrier = barriers(timed)
    return Prices(
        instruction=middle(by(timed, "instruction", "threads")),
        wavefront=middle(by(timed, "wavefront", "degree")),
        barrier=barrier[0],
        barrier_warp=barrier[1],
        latency=latencies(timed, barrier),
        step=by(timed, "step", "threads", resident=1)[TWO_WARPS].value,
        block_copy=block_copies(timed)[SMALLEST].value,
        block_us=blocks(timed)[SMALLEST].value / 1000,
        launch_us=empty(timed),
        next_launch_us=next_launch(timed),
        copy_us=per_byte(timed, "device_to_device"),
        read_us=per_byte(timed, "ceiling"),
    )


def middle(levels: dict[int, Median]) -> float:
    return median(price.value for price in levels.values()).value


def measured(results: Path) -> list[Results]:
    """The times of each GPU that has recorded its prices, the first one's first."""
    evidence = load(results, EXPERIMENT) if EXPERIMENT in claims_in(results) else []
    return [each.timed for each in evidence if each.timed]
