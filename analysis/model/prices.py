"""The machine's prices, each measured on its own by experiments/rates.cu: kernels that know nothing of scans.

Every price here is a Median of `charged` things in sequence, in cycles of a multiprocessor; the time of an
empty kernel is taken off first.
"""

from pathlib import Path

from analysis.common.evidence import Evidence, Results
from analysis.common.files import recordings
from analysis.common.loading import load
from analysis.common.recorded import SUFFIX
from analysis.common.statistics import Median, median
from analysis.model.times import Machine, Prices

EXPERIMENT = "rates"
COLD = {"operation": "charge", "cache": "cold"}
SMALLEST = 32  # threads of the smallest block
TWO_WARPS = 64  # of the smallest block in which a barrier joins anything
NOT_RECORDED = (
    "The machine's prices are not recorded: make record measures them, and predicts the time of every kernel."
)


def machine_of(timed: Results) -> Machine:
    return Machine(int(timed.machine["sm_count"]), float(timed.machine["sm_clock_mhz"]))


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
    found = [
        price.value for each in resident for price in by(timed, "step", "threads", resident=each).values()
    ]
    return [min(found), max(found)]


def blocks(timed: Results | None) -> dict[int, Median]:
    """Nanoseconds of the GPU that starting a block takes, by its threads."""
    found = {}
    for threads in sorted(timed.levels("threads", **COLD, algorithm="block")) if timed else []:
        case = COLD | {"algorithm": "block", "threads": threads}
        count = timed.levels("blocks", **case)[0]
        found[threads] = scaled(timed.time(**case), empty(timed), 1000 / count)
    return found


def block_copies(timed: Results | None) -> dict[int, Median]:
    """Cycles of a block that loads a tile and stores it, alone on its multiprocessor, by its threads."""
    found = {}
    for threads in sorted(timed.levels("threads", **COLD, algorithm="block_copy")) if timed else []:
        case = COLD | {"algorithm": "block_copy", "threads": threads}
        machine, n = machine_of(timed), timed.levels("n", **case)[0]
        turns = n / threads / machine.multiprocessors
        found[threads] = scaled(timed.time(**case), empty(timed), machine.cycles / turns)
    return found


def next_launch(timed: Results) -> float:
    """Microseconds of one more empty kernel, queued behind others."""
    ends = sorted(timed.levels("kernels", **COLD, algorithm="launch"))
    times = [timed.time(**COLD, algorithm="launch", kernels=each).value for each in ends]
    return (times[-1] - times[0]) / (ends[-1] - ends[0])


def per_byte(timed: Results, algorithm: str) -> float:
    """Microseconds a byte of a copy's input, or of a read."""
    case = {"algorithm": algorithm, "cache": "cold"}
    return timed.time(**case).value / (4 * timed.levels("n", **case)[0])


def prices_of(timed: Results) -> Prices:
    """One number each: of an instruction and of a wavefront the median over all levels."""
    return Prices(
        instruction=middle(by(timed, "instruction", "threads")),
        wavefront=middle(by(timed, "wavefront", "degree")),
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


def measured(results: Path) -> tuple[Prices, Evidence] | None:
    """Of the first GPU; None if they are not recorded."""
    if not [path for path in recordings(results, f"{EXPERIMENT}{SUFFIX}") if path.parent.name != "simt"]:
        return None
    evidence = load(results, EXPERIMENT)[0]
    return prices_of(evidence.timed), evidence
