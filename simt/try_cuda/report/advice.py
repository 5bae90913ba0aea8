"""Where the time goes: the lines that cost most, why, and what would cure it. Only what the counts prove.

A line costs what its counts cost at a GPU's prices: issue, passes of the memory pipe, bytes. A cure is told
with what it makes of the counts, which the machine has counted along with the others, and with the predicted
time of the launch after it.
"""

from collections import Counter
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path

from ..observed import ELSEWHERE, Launch, Line
from ..quantities import conflicts, wavefronts
from .terminal import groups, summed, text_of

SHOWN = 3
DECIDES = 0.05  # of the whole: what costs less is not worth a change
WORTH = 1.05  # what is cured is told if it makes so many times less
WARP = 32


@dataclass(frozen=True)
class Advice:
    """why: what the line does. cure: empty if the counts prove none; kind: which of `cured`, if any."""

    why: str
    cure: str = ""
    kind: str = ""  # of CURES


def words_of(stride: int, unit: str = "words") -> str:
    """How far the lanes of a warp are apart, as most of its requests have it. 0: they are not in a row."""
    if unit == "words" and stride % 4 == 0:
        return f"neighbouring lanes are {stride // 4:,} words apart"
    return f"neighbouring lanes are {stride:,} bytes apart"


def of_banks(counts: Counter, total: Counter, strides: dict[str, int]) -> Advice | None:
    taken, padded = wavefronts(counts), counts["padded_wavefronts"]
    fewest = taken - conflicts(counts) + counts["shared_atomic_requests"]  # a compare-and-swap takes two
    if not taken or taken < WORTH * fewest:
        return None
    stride = strides.get("shared_stride", 0)
    cause = f": {words_of(stride)}" if stride > 4 else ""
    why = f"{taken:,} passes over the banks where {fewest:,} would do{cause}"
    if taken < WORTH * padded or wavefronts(total) < WORTH * total["padded_wavefronts"]:
        return Advice(why)
    width = strides.get("shared_width", 4)  # wider accesses must stay aligned
    pad = "a word of padding after every 32" if width == 4 else f"{width} bytes of padding after every 128"
    cure = f"{pad} (a row of 32 words gets {32 + width // 4}): {taken:,} passes become {padded:,}"
    return Advice(why, cure, "banks")


def of_sectors(counts: Counter, _: Counter, strides: dict[str, int]) -> Advice | None:
    taken = counts["global_load_sectors"] + counts["global_store_sectors"]
    fewest = counts["ideal_sectors"]
    if not fewest or taken < WORTH * fewest:
        return None
    stride = strides.get("global_stride", 0)
    requests = counts["global_load_requests"] + counts["global_store_requests"]
    if stride == round(counts["global_lane_bytes"] / max(counts["global_lanes"], 1)):
        # Neighbours need the rest of those sectors: a stencil is as good as it can be.
        cause, cure = "rows begin between sectors", ""
        if taken < fewest + requests:
            return None
    elif stride:
        cause, cure = words_of(stride, "bytes"), "let neighbouring lanes access neighbouring elements"
    else:
        cause, cure = "the lanes of a warp are not in a row", ""
    why = f"{taken:,} sectors where {fewest:,} would do ({taken / requests:.1f} a request): {cause}"
    return Advice(why, cure and f"{cure}: {taken:,} sectors become {fewest:,}", "sectors" if cure else "")


def of_atomics(counts: Counter, *_: object) -> Advice | None:
    lanes, words = counts["atomic_lanes"], counts["atomic_words"]
    if not words or lanes < 2 * words:
        return None
    return Advice(
        f"{lanes / words:.1f} lanes of a warp change one word at a time, one after the other",
        "combine them in the warp first (__reduce_add_sync, or shuffles): "
        f"{lanes:,} changes become {words:,}",
    )


def of_lanes(counts: Counter, *_: object) -> Advice | None:
    issued, lanes = counts["warp_instructions"], counts["thread_instructions"]
    if not issued or lanes > 0.75 * WARP * issued:
        return None
    packed = ceil(lanes / WARP)
    return Advice(
        f"{lanes / issued:.1f} of 32 lanes at work: {issued:,} instructions, "
        f"which whole warps would do in {packed:,}"
    )


RULES = (of_banks, of_sectors, of_atomics, of_lanes)


def cured(work, total: Counter, kind: str):
    """The work of a launch in which the cure is applied to all of its lines."""
    counts = dict(work.counts)
    if kind == "banks":
        factor = total["padded_wavefronts"] / wavefronts(total)
        names = [f"shared_{way}_wavefronts" for way in ("load", "store", "atomic")]
    else:
        factor = total["ideal_sectors"] / (total["global_load_sectors"] + total["global_store_sectors"])
        names = ["global_load_sectors", "global_store_sectors"]
    return replace(work, counts=counts | {name: counts[name] * factor for name in names})


class Prices:
    """Of one GPU: what lines cost there, and how long launches take."""

    def __init__(self, folders: list[str], longer: float):
        from analysis.model import times

        from . import predictions

        self.gpu = next(iter(predictions.chosen(folders)), None)
        self.predictions, self.times, self.longer = predictions, times, longer

    def work(self, launch: Launch):
        return self.predictions.work_in(launch.work).longer(self.longer, None)

    def us(self, work) -> float:
        """0 if it cannot be told."""
        return self.predictions.predicted(work, self.gpu, self.predictions.known()[1]).us

    def of_line(self, counts: Counter) -> float:
        """Cycles of a multiprocessor: the larger of issue and pipe, and the bytes."""
        prices = self.gpu.prices
        issue = max(counts["warp_instructions"], *(f * counts[name] for name, f in self.times.SLOWER.items()))
        sectors = counts["global_load_sectors"] + counts["global_store_sectors"]
        passes = wavefronts(counts) + sectors / 4 + counts["atomic_lanes"] + counts["barriers"]
        cycles = self.gpu.machine.multiprocessors * self.gpu.machine.cycles
        bytes_ = WARP * sectors * prices.read_us * cycles
        return max(prices.instruction * issue, prices.wavefront * passes, bytes_)


def advices(launches: list[Launch], line: Line) -> list[Advice]:
    """launches: none of them refused."""
    counts = sum((Counter(launch.lines[line]) for launch in launches if line in launch.lines), Counter())
    total = sum((launch.total for launch in launches), Counter())
    strides = next((launch.strides[line] for launch in launches if launch.strides.get(line)), {})
    return [advice for rule in RULES if (advice := rule(counts, total, strides))]


def after(launches: list[Launch], line: Line, kind: str, prices: Prices) -> str:
    """What the cure makes of the launch that takes longest of those with the line."""
    timed = [
        (prices.us(prices.work(group[0])), group[0])
        for group in groups(launches)
        if line in group[0].lines and group[0].is_whole
    ]
    us, launch = max(timed, key=lambda each: each[0], default=(0.0, None))
    if not us:
        return ""
    then = prices.us(cured(prices.work(launch), launch.total, kind))
    return f"; {launch.kernel}: {us:.3g} µs become {then:.3g} µs" if then else ""


def report(launches: list[Launch], folders: list[str], longer: float) -> str:
    """The lines that cost most, the first with most; empty without prices."""
    prices = Prices(folders, longer)
    run = [launch for launch in launches if not launch.refused]
    if prices.gpu is None or not run:
        return ""
    lines = summed(run)
    costs = {line: prices.of_line(counts) for line, counts in lines.items() if line != ELSEWHERE}
    whole = sum(prices.of_line(counts) for counts in lines.values()) or 1.0
    printed = ["", f"where it goes, at the prices of {prices.gpu.folder}"]
    for line in sorted(costs, key=costs.get, reverse=True)[:SHOWN]:
        printed.append(f"{costs[line] / whole:5.0%}  {Path(line[0]).name}:{line[1]}  {text_of(line)}")
        for advice in advices(run, line) if costs[line] >= DECIDES * whole else ():
            printed.append(f"       {advice.why}")
            if advice.cure:
                end = after(run, line, advice.kind, prices) if advice.kind else ""
                printed.append(f"       cure: {advice.cure}{end}")
    return "\n".join(printed)
