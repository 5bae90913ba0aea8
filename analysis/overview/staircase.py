"""The staircase: from Hillis-Steele's scan to the fast scan, one change a step, against the time of a copy.

The first flight scans every tile by itself, the second a whole vector. A step is compared with a copy of the
same length, timed in the same process: its height is the ratio of the two times, its gain the height of the
step before over its own.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from analysis.common import plotting, sweep, words
from analysis.common.evidence import Evidence, Results
from analysis.common.files import recordings
from analysis.common.loading import load
from analysis.common.looks import LOOKS
from analysis.common.noise_floor import Floor
from analysis.common.recorded import SUFFIX

NAME = "staircase"
TILE = 1024
SMALLER = words.integer(15 * 256)  # elements of a tile of the first look-back
COPY = "device_to_device"
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}  # behind text


@dataclass(frozen=True)
class Step:
    """`look`: the algorithm's in looks.py; `of`: the factors of the case that claim `claim` timed."""

    look: str
    name: str
    change: str | Callable[[Evidence], str]
    claim: str
    of: dict
    copy: dict = field(default_factory=dict)
    climbs: bool = True  # whether it is compared with the step before: a reference is not


def fewer_operations(evidence: Evidence) -> str:
    """The change from Hillis-Steele to a tree, with its number if it was counted."""
    ops = [
        sweep.per_tile(evidence.counted, "ops", TILE, algorithm=each, index="plain")
        for each in ("hillis_steele", "brent_kung")
    ]
    return f"{words.share(ops[1] / ops[0])} of the operations" if all(ops) else "fewer operations"


def tile(look: str, name: str, change: str | Callable[[Evidence], str], **of) -> Step:
    return Step(look, name, change, "shuffle", {"algorithm": look, "tile": TILE} | of)


def vector(look: str, name: str, change: str, **of) -> Step:
    if {"items", "threads"} <= set(of):
        change = change.format(words.integer(of["items"] * of["threads"]))
    of = {"operation": "scan", "algorithm": look, "type": "float"} | of
    return Step(look, name, change, "single_pass", of, {"type": "float"}, climbs=look != "cub_device")


FAST = {"type": "float", "submit": "stream"}
FLIGHTS = {
    "Every tile by itself": [
        tile("hillis_steele", "Hillis-Steele", "as the lecture notes print it", index="plain"),
        tile("brent_kung", "Brent-Kung", fewer_operations, index="plain"),
        tile("brent_kung", "padded", "i + i/32: fewer bank conflicts", index="padded"),
        tile("raking", "raking", "registers and shuffles in place of steps", items=2, index="padded"),
        tile("raking", "longer chunks", "8 items per thread, not 2", items=8, index="padded"),
    ],
    "A whole vector": [
        vector("three_phase", "three phases", "block sums on the host", spine="host"),
        vector("three_phase", "GPU spine", "block sums stay on the GPU", spine="device"),
        vector("look_back", "look-back", "one pass; tiles raked, no tree", items=15, threads=256),
        vector("look_back", "larger tiles", "{} elements, not " + SMALLER, items=23, threads=512),
        vector("cub_device", "CUB", "for comparison"),
        Step(
            "fast",
            "fast scan",
            "a ring keeps loads in flight",
            "copy_speed",
            {"operation": "scan", "algorithm": "ours", "operator": "sum"} | FAST,
            FAST,
        ),
    ],
}


def climbed(results: Path) -> tuple[dict[str, list[dict]], Results | None]:
    """The steps that were timed, by flight, and the results of the first."""
    claims = {step.claim for steps in FLIGHTS.values() for step in steps}
    found = {claim: load(results, claim)[0] for claim in claims if recordings(results, f"{claim}{SUFFIX}")}
    flights = {name: flight(steps, found) for name, steps in FLIGHTS.items()}
    first = next((found[step["claim"]] for steps in flights.values() for step in steps), None)
    return {name: steps for name, steps in flights.items() if steps}, first and first.timed


def flight(steps: list[Step], found: dict[str, Evidence]) -> list[dict]:
    """The timed steps, each with its gain over the one before: None for the first and for a reference."""
    made, before, n = [], None, 0
    for step in steps:
        evidence = found.get(step.claim)
        n = n or (evidence and sweep.longest(evidence.timed, **step.of))
        known = measured(step, evidence, n) if n and evidence and evidence.timed else None
        if known is None:
            continue
        change = step.change if isinstance(step.change, str) else step.change(evidence)
        gain = before / known["ratio"] if before and step.climbs else None
        made.append({"look": step.look, "name": step.name, "change": change, "claim": step.claim})
        made[-1] |= known | {"gain": gain, "said": gain and said(gain, evidence.floor, n)}
        before = known["ratio"] if step.climbs else before
    return made


def measured(step: Step, evidence: Evidence, n: int) -> dict | None:
    """Length, times in µs of the step and of the copy, cold, and their ratio; None if either is lacking."""
    case, copy = (
        evidence.timed.time(**of, n=n, cache="cold") for of in (step.of, {"algorithm": COPY} | step.copy)
    )
    if not case or not copy:
        return None
    return {"n": n, "us": case.value, "copy_us": copy.value, "ratio": case.value / copy.value}


def said(gain: float, floor: Floor, n: int) -> str:
    """1.7× as fast; or that it is as fast, where the difference is within the noise floor."""
    if max(gain, 1 / gain) <= floor.at(n):
        return "as fast"
    return f"{gain:.{2 if gain < 1.095 else 1}f}× as fast"


def caption(flights: dict[str, list[dict]]) -> str:
    climbs = [name.lower() for name in flights]
    return (
        "From the first scan of the lecture notes to the speed of a copy. Bars: time relative to a copy of "
        f"the same length, medians, cold; {words.listing(climbs)}. Right: the gain over our step before."
    )


def draw(flights: dict[str, list[dict]], where: str):
    """A line of text and a bar for each step; the bars end at their multiples of a copy's time."""
    rows = sum(len(steps) + 0.85 for steps in flights.values())
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 0.45 + 0.285 * rows)
    longest = max(step["ratio"] for steps in flights.values() for step in steps)
    right, y = longest * 1.11, 0.0
    for name, steps in flights.items():
        text(axes, 0, y + 0.45, f"{name}, {words.power(steps[0]['n'])} floats", fontsize=8, fontweight="bold")
        y += 0.85
        for step in steps:
            draw_step(axes, step, y, right)
            y += 1
    axes.set_ylim(y, 0)
    axes.set_xlim(0, right)
    multiples = range(2, int(longest) + 1)
    axes.set_xticks([0, 1, *multiples], ["0", "copy", *[f"{each}×" for each in multiples]])
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.set_xlabel("time relative to a copy")
    plotting.foot(figure, f"Times: {where}.")
    return figure


def draw_step(axes, step: dict, y: float, right: float) -> None:
    """Name, change and gain; below them the bar, with its value."""
    place = {"textcoords": "offset points", "va": "center", "fontsize": 7}
    name = text(axes, 0, y + 0.27, step["name"], fontweight="bold")
    axes.annotate(step["change"], (1, 0.5), xycoords=name, xytext=(4, 0), bbox=CLEAR, **place)
    if step["said"]:
        text(axes, right, y + 0.27, step["said"], fontweight="bold", ha="right")
    axes.barh(y + 0.71, step["ratio"], height=0.42, color=LOOKS[step["look"]].color)
    axes.vlines(1, y + 0.5, y + 0.92, color="white", linestyle=(0, (1, 1)), linewidth=1.2, zorder=3)
    axes.annotate(f"{step['ratio']:.2f}", (step["ratio"], y + 0.71), xytext=(3, 0), bbox=CLEAR, **place)


def text(axes, x: float, y: float, said: str, **style):
    return axes.text(x, y, said, va="center", bbox=CLEAR, **{"fontsize": 7} | style)
