"""Rounding and determinism, and the errors that the lecture notes print."""

from analysis.core import plotting
from analysis.core.files import read_json
from experiments.block.worked_examples import grids
from experiments.block.worked_examples.examples import marks_of, steps_of

WRONG = "steps"  # the example with the most wrong numbers
SCANS = {
    "three_phase": "tree: scan, then add",
    "hillis_steele": "Hillis-Steele tiles",
    "look_back": "look-back",
    "ring": "fast scan",
    "cub_device": "CUB",
}


def numbers(recorded) -> dict:
    timed, noted = recorded.of("rounding").timed, read_json(recorded.figures / "worked_examples.json")
    n = max(timed.levels("n"))
    uniform = timed.where(input="uniform", n=n)
    sequential = uniform["sequential_max_ulps"].max()
    ulps = uniform.groupby("algorithm")["max_ulps"].max()
    distinct = timed.rows.groupby("algorithm")["distinct_of_100"].max().map(int)
    errata = next(each for each in noted["tables"] if "what it prints" in each["columns"])
    return {
        "n": n,
        "sequential_ulps": sequential,
        "rows": [["sequential sum", sequential, 1]]
        + [[name, ulps[key], distinct[key]] for key, name in SCANS.items()],
        "distinct": {key: distinct[key] for key in SCANS},
        "repeating": repeating(recorded.of("copy_speed").timed),
        "errata": [row[:3] for row in errata["rows"]],  # source, what it prints, what is true
        "examples": noted["verdict"]["finding"],
    }


def repeating(timed) -> dict:
    """The newest CUB's scan of floats with run-to-run determinism, cold, relative to others."""
    n = max(timed.levels("n", algorithm="cub_newest_run_to_run"))
    case = {"type": "float", "submit": "stream", "cache": "cold", "n": n}
    asked = timed.time(algorithm="cub_newest_run_to_run", **case).value
    others = {each: timed.time(algorithm=each, **case).value for each in ("cub_newest", "cub_device", "ours")}
    return {"n": n} | {each: asked / us for each, us in others.items()}


def draw(recorded):
    """The simple scan of eight elements: what the notes print wrong is crossed out."""
    counted = recorded.of("worked_examples").counted
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.3)
    steps = steps_of(counted, WRONG)
    grids.draw_steps(axes, steps, marks_of(counted, WRONG), columns=8, look=lambda *_: grids.UNCHANGED)
    names = [name if name == grids.INPUT else f"stride {name}" for name in steps]
    axes.set_yticks([row + 0.5 for row in range(len(steps))], names)
    return figure


DRAWINGS = {"noted": draw}
