"""What the lines that take most time do, and what would cure it. Only what the counts prove.

A cure is told with what it makes of the counts, which the machine has counted along with the others. What it
makes of the time a second program shows, with --against.
"""

from collections import Counter
from dataclasses import dataclass
from math import ceil
from pathlib import Path

from ..observed import ELSEWHERE, Launch, Line
from ..quantities import conflicts, wavefronts
from .clock import spent
from .terminal import summed, text_of

SHOWN = 3
DECIDES = 0.05  # of the whole: what costs less is not worth a change
WORTH = 1.05  # what is cured is told if it makes so many times less
WARP = 32


@dataclass(frozen=True)
class Advice:
    """why: what the line does. cure: empty if the counts prove none."""

    why: str
    cure: str = ""


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
    if strides.get("shared_narrow", width) != width:  # each was counted with padding of its own width
        return Advice(why, "padding, as a word after every 32: the accesses differ in width, so try it")
    pad = "a word of padding after every 32" if width == 4 else f"{width} bytes of padding after every 128"
    cure = f"{pad} (a row of 32 words gets {32 + width // 4}): {taken:,} passes become {padded:,}"
    return Advice(why, cure)


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
    return Advice(why, cure and f"{cure}: {taken:,} sectors become {fewest:,}")


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


def advices(launches: list[Launch], line: Line) -> list[Advice]:
    """launches: none of them refused."""
    counts = sum((Counter(launch.lines[line]) for launch in launches if line in launch.lines), Counter())
    total = sum((launch.total for launch in launches), Counter())
    strides = next((launch.strides[line] for launch in launches if launch.strides.get(line)), {})
    return [advice for rule in RULES if (advice := rule(counts, total, strides))]


def report(launches: list[Launch]) -> str:
    """What the counts prove of the lines that take most time or, without times, have most instructions; empty
    if there is nothing to say."""
    run = [launch for launch in launches if not launch.refused]
    lines = summed(run)
    times = spent(run)
    costs = times or {line: counts["warp_instructions"] for line, counts in lines.items()}
    whole = sum(costs.values()) or 1
    dear = [line for line in sorted(costs, key=costs.get, reverse=True) if costs[line] >= DECIDES * whole]
    found = {line: advices(run, line) for line in dear if line != ELSEWHERE and line in lines}
    printed = []
    for line, said in [(line, said) for line, said in found.items() if said][:SHOWN]:
        printed.append(f"{costs[line] / whole:5.0%}  {Path(line[0]).name}:{line[1]}  {text_of(line)}")
        for advice in said:
            printed.append(f"       {advice.why}")
            printed += [f"       cure: {advice.cure}"] if advice.cure else []
    share = "time" if times else "instructions"
    title = f"what the counts prove of the lines that take most, with their share of the {share}"
    return "\n".join(["", title, *printed]) if printed else ""
