"""Rounding and determinism, and the errors that the lecture notes print."""

from analysis.common import grids, plotting, words
from analysis.common.examples import marks_of, steps_of
from analysis.common.files import read_json

WRONG = "steps"  # the example with the most wrong numbers
SCANS = {
    "three_phase": "tree: scan, then add",
    "hillis_steele": "Hillis-Steele tiles",
    "look_back": "look-back",
    "ring": "fast scan",
    "cub_device": "CUB",
}


def numbers(recorded) -> dict:
    evidence = recorded.of("rounding")
    timed = evidence.timed
    cold = {"cache": "cold"} if "cold" in timed.levels("cache") else {}
    n = max(timed.levels("n"))
    uniform = timed.where(input="uniform", n=n, **cold)
    ulps = uniform.groupby("algorithm")["max_ulps"].max()
    distinct = timed.rows.groupby("algorithm")["distinct_of_100"].max()
    return {
        "n": words.power(n),
        "sequential_ulps": words.rounded(uniform["sequential_max_ulps"].max(), 2),
        "rows": [
            ["sequential sum", words.rounded(uniform["sequential_max_ulps"].max(), 2), "1"],
        ]
        + [
            [name, words.rounded(ulps[key], 2), words.integer(distinct[key])]
            for key, name in SCANS.items()
            if key in ulps and key in distinct
        ],
        "distinct": {key: words.integer(distinct[key]) for key in SCANS if key in distinct},
        "errata": errata(recorded),
        "examples": examples(recorded),
    }


def tables(recorded) -> list[dict]:
    path = recorded.figures / "worked_examples.json"
    return read_json(path)["tables"] if path.exists() else []


def errata(recorded) -> list[list[str]]:
    """Source, what it prints, what is true."""
    found = next((each for each in tables(recorded) if "what it prints" in each["columns"]), None)
    return [row[:3] for row in found["rows"]] if found else []


def examples(recorded) -> str:
    path = recorded.figures / "worked_examples.json"
    return read_json(path)["verdict"]["finding"] if path.exists() else ""


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
