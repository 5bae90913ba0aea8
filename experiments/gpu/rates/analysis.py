"""rates: each thing that a GPU does has one price, whatever the kernel.

Every price is a Median of `charged` things in sequence, in cycles of a multiprocessor; the time of an empty
kernel is taken off first.
"""

from collections.abc import Callable

import numpy

from analysis.core import plotting, sweep, words
from analysis.core.claim import (
    Evidence,
    Look,
    Median,
    Results,
    Table,
    Verdict,
    closed_forms,
    judge,
    told,
)
from analysis.core.noise_floor import Floor

SLACK = 0.25
LOOK = Look("", plotting.BLUE, "o")
RESIDENT = {
    1: Look("1 resident block", plotting.BLUE, "o"),
    4: Look("4 resident blocks", plotting.GREEN, "^", "--"),
    16: Look("16 resident blocks", plotting.RED, "s", ":", filled=False),
}
UNITS = {"instruction": "cycles", "wavefront": "cycles", "block": "ns", "step": "cycles"}
NAMES = {
    "instruction": "an instruction",
    "wavefront": "a wavefront",
    "block": "a block",
    "step": "a step to the next barrier",
}
COLD = {"operation": "charge", "cache": "cold"}
WARP, OF_STEP = 32, 3  # lanes; wavefronts of a warp in a step: two loads and a store
FACTORS = {"instruction": "threads", "wavefront": "conflict degree", "block": "threads", "step": "threads"}


def cycles_of(timed: Results) -> tuple[int, float]:
    """Multiprocessors, and cycles of each in a microsecond."""
    return int(timed.machine["sm_count"]), float(timed.machine["sm_clock_mhz"])


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
    return scaled(time, empty(timed), cycles_of(timed)[1] / charged) if time and charged else None


def by(timed: Results | None, algorithm: str, factor: str, **factors) -> dict[int, Median]:
    """The price in cycles by the levels of a factor."""
    levels = sorted(timed.levels(factor, **COLD, algorithm=algorithm, **factors)) if timed else []
    found = {level: in_cycles(timed, algorithm, **{factor: level}, **factors) for level in levels}
    return {level: price for level, price in found.items() if price}


def steps(timed: Results) -> list[float]:
    """The least and the most cycles of a barrier, by threads and by blocks that are resident together."""
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
    multiprocessors, cycles = cycles_of(timed)
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


def found(timed: Results | None) -> dict[str, dict[int, Median]]:
    """Prices by level, the first level first."""
    of_degrees = by(timed, "wavefront", "degree")
    return {
        "instruction": by(timed, "instruction", "threads"),
        "wavefront": {degree: of_degrees[degree] for degree in sorted(of_degrees, reverse=True)},
        "block": blocks(timed),
        "step": by(timed, "step", "threads", resident=1),
    }


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted)
    every = found(evidence.timed)
    if not all(every.values()):
        return judge(right, {}, wrong or told("rates"))
    near = {}
    for name, levels in every.items():
        first, *others = levels
        ratios = {level: levels[level].value / levels[first].value for level in others}
        near[name] = {level: is_near(ratio, evidence.floor) for level, ratio in ratios.items()}
    follows = {(name, level): same for name, of in near.items() for level, same in of.items()}
    spans = {}
    for name, levels in every.items():
        said = words.span([price.value for price in levels.values()], words.significant)
        spans[NAMES[name]] = f"{said} {UNITS[name]}"
    finding = told("rates", prices=spans, full=words.significant(steps(evidence.timed)[1]))
    return judge(right, follows, wrong or finding, said_where(near))


def is_near(ratio: float, floor: Floor) -> bool:
    """Whether a price is the first one, or differs by less than what two measurements of it may."""
    return floor.as_fast(max(ratio, 1 / ratio), 1, SLACK)


def said_where(near: dict[str, dict[int, bool]]) -> str:
    """Which have one price at all levels, and at which levels another has it."""
    said = [words.listing([NAMES[name] for name, of in near.items() if all(of.values())])]
    for name, of_levels in near.items():
        levels = words.listing([f"{level:,}" for level, same in sorted(of_levels.items()) if same])
        if levels and not all(of_levels.values()):
            where = f"{levels} threads" if FACTORS[name] == "threads" else f"{FACTORS[name]} {levels}"
            said.append(f"{NAMES[name]} at {where}")
    return "; ".join(filter(None, said))


def cause(_: Evidence) -> str:
    return told("rates: cause")


@plotting.of_times
def figure(evidence: Evidence):
    timed, every = evidence.timed, found(evidence.timed)
    figure, panels = plotting.new_figure(plotting.WIDE, 2.2, ncols=len(every))
    for axes, (name, levels) in zip(panels, every.items(), strict=True):
        first = next(iter(levels.values())).value
        axes.axhspan(first / (1 + SLACK), first * (1 + SLACK), color=plotting.PALE, linewidth=0)
        curves = {LOOK: dict(sorted(levels.items()))}
        if name == "step":
            curves = {look: by(timed, name, "threads", resident=k) for k, look in RESIDENT.items()}
        sweep.lines(axes, curves)
        sweep.finish(axes, UNITS[name], name.capitalize(), FACTORS[name], sorted(levels), every=2)
        axes.set_ylim(bottom=0)
    plotting.legend_on_top(figure, RESIDENT.values())
    return figure


def tables(evidence: Evidence) -> list[Table]:
    timed = evidence.timed
    if not timed:
        return []
    priced = []
    for name, levels in found(timed).items():
        priced += [(f"{name}, {FACTORS[name]} {level:,}", UNITS[name], levels[level]) for level in levels]
    for threads, price in block_copies(timed).items():
        priced.append((f"a block that copies, alone, threads {threads:,}", "cycles", price))
    for price in by(timed, "latency", "places").values():
        priced.append(("a load after a load", "cycles", price))
    of_block, of_warp = barriers(timed)
    single = [
        ("a barrier of a block, in passes of the memory pipe", "cycles", of_block),
        ("the same, for each of its warps", "cycles", of_warp),
        ("an empty kernel", "µs", empty(timed)),
        ("one more, queued behind", "µs", next_launch(timed)),
        ("a byte copied", "ps", 1e6 * per_byte(timed, "device_to_device")),
        ("a byte read", "ps", 1e6 * per_byte(timed, "ceiling")),
    ]
    rows = [[*of, words.interval(price)] for *of, price in priced]
    rows += [[*of, words.significant(price)] for *of, price in single]
    return [Table(told("rates: table"), ["for", "unit", "price [95% CI]"], rows)]
