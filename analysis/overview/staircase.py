"""The staircase: from Hillis-Steele's scan to the fast scan, one change a step, against the time of a copy.

The first flight scans every tile by itself, the second a whole vector. A step is compared with a copy of the
same length, timed in the same process: its height is the ratio of the two times, its gain the height of the
step before over its own.
"""

from pathlib import Path

from analysis.common import plotting, sweep, words
from analysis.common.evidence import Evidence, Results
from analysis.common.files import claims_in, read_csv
from analysis.common.loading import load
from analysis.common.looks import LOOKS
from analysis.common.noise_floor import Floor
from analysis.common.prose import render

NAME, COPY = "staircase", "device_to_device"
STEPS = Path(__file__).parents[2] / "paper/staircase.csv"
COLUMNS = ("flight", "look", "name", "change", "claim")  # look: the algorithm's in looks.py; then factors
REFERENCE = "cub_device"  # it is not compared with the step before
CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.6}  # behind text


def climbed(results: Path) -> tuple[dict[str, list[dict]], Results | None]:
    """The steps that were timed, by flight, and the results of the first."""
    steps = read_csv(STEPS, COLUMNS)
    found = {claim: load(results, claim)[0] for claim in {*steps["claim"]} & {*claims_in(results)}}
    groups = steps.groupby("flight", sort=False)
    flights = {name: flight(own.to_dict("records"), found) for name, own in groups}
    first = next((found[step["claim"]] for steps in flights.values() for step in steps), None)
    return {name: steps for name, steps in flights.items() if steps}, first and first.timed


def flight(steps: list[dict], found: dict[str, Evidence]) -> list[dict]:
    """The timed steps, each with its gain over the one before: None for the first and for a reference."""
    made, before, n, tile = [], None, 0, 0
    for step in steps:
        evidence, of = found.get(step["claim"]), factors_of(step)
        n = n or (evidence and sweep.longest(evidence.timed, **of))
        known = measured(of, evidence, n) if n and evidence and evidence.timed else None
        if known is None:
            continue
        last, tile = tile, of.get("items", 0) * of.get("threads", 0)
        change = render(STEPS, None, step["change"], tile=tile, before=last, ops=less(evidence, of))
        climbs = step["look"] != REFERENCE
        gain = before / known["ratio"] if before and climbs else None
        made.append({name: step[name] for name in ("look", "name", "claim")} | known | {"change": change})
        made[-1] |= {"gain": gain, "said": gain and said(gain, evidence.floor, n)}
        before = known["ratio"] if climbs else before
    return made


def factors_of(step: dict) -> dict:
    """Of the case that a step shows; its cell of any other factor is empty."""
    levels = {name: level for name, level in step.items() if name not in COLUMNS and level == level}
    return {name: int(level) if isinstance(level, float) else level for name, level in levels.items()}


def less(evidence: Evidence, of: dict) -> float | None:
    """The operations of a scan of a tile relative to Hillis-Steele's."""
    if "tile" not in of or "items" in of:
        return None
    scans = ({"algorithm": each, "index": "plain"} for each in (of["algorithm"], "hillis_steele"))
    own, base = (sweep.per_tile(evidence.counted, "ops", of["tile"], **each) for each in scans)
    return own / base if own and base else None


def measured(of: dict, evidence: Evidence, n: int) -> dict | None:
    """Length, times in µs of the step and of the copy, cold, and their ratio; None if either is lacking."""
    copy = {"algorithm": COPY} | {name: of[name] for name in ("type", "submit") if name in of}
    case, copy = (evidence.timed.time(**each, n=n, cache="cold") for each in (of, copy))
    if not case or not copy:
        return None
    return {"n": n, "us": case.value, "copy_us": copy.value, "ratio": case.value / copy.value}


def said(gain: float, floor: Floor, n: int) -> str:
    """1.7× as fast; or that it is as fast, where the difference is within the noise floor."""
    if max(gain, 1 / gain) <= floor.at(n):
        return "as fast"
    return f"{gain:.{2 if gain < 1.095 else 1}f}× as fast"


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
    multiples = range(2, int(longest) + 1)
    axes.set_xticks([0, 1, *multiples], ["0", "copy", *[f"{each}×" for each in multiples]])
    axes.set(xlim=(0, right), ylim=(y, 0), yticks=[], xlabel="time relative to a copy")
    axes.spines["left"].set_visible(False)
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
