"""The sources' worked examples: what shared memory holds after each step, and what is printed of it."""

import re

from analysis.core.evidence import Results
from experiments.block.worked_examples.analysis import EXAMPLES, SOURCES
from experiments.block.worked_examples.examples import SETS, Line, case_of, printed_steps, steps_of

STEP_NAMES = {"input": "the input is loaded", "root": "the root is cleared"}
PRINTS = {
    "value": "values in shared memory",
    "word": "elements that the step writes",
    "final": "elements that hold their result",
    "stride": "strides",
    "lanes": "active lanes by step",
}


def examples_of(counted: Results | None) -> list[dict]:
    """The examples of which intermediate numbers are printed: their steps, and the lines of each."""
    lines = printed_steps(counted)
    found = []
    for example in dict.fromkeys(line.example for line in lines):
        steps = steps_of(counted, example)
        here = [line for line in lines if line.example == example and line.true]
        source = SOURCES[case_of(counted, example)["source"]]
        shown = []
        for name, step in steps.items():
            values = [int(step.values[element]) for element in sorted(step.values)]
            own = [said(line) for line in here if line.step == name]
            about = {"name": name_in_words(name), "values": values, "written": sorted(step.written)}
            shown.append(about | {"lines": own})
        found.append({"id": example, "title": EXAMPLES[example], "source": source, "steps": shown})
        found[-1]["lines"] = [said(line) for line in here if line.step not in steps]
    return found


def name_in_words(name: str) -> str:
    sweep = re.sub(r"^(up|down)(?=\d)", r"\1-sweep, stride ", name)
    return STEP_NAMES.get(name, sweep if sweep != name else f"stride {name}")


def said(line: Line) -> dict:
    """The printed numbers, which of them are wrong, and what is true. In a set, numbers may be missing."""
    what = PRINTS[line.kind] + (f" of the {line.step}-sweep" if line.step in ("up", "down") else "")
    if line.kind in SETS:
        true, wrong = line.true, [number not in line.true for number in line.printed]
        missing = [number for number in line.true if number not in line.printed]
    else:
        true, missing = line.true[: len(line.printed)], []
        wrong = [a != b for a, b in zip(line.printed, line.true, strict=False)]
    return {"what": what, "printed": line.printed, "wrong": wrong, "missing": missing, "true": true}
