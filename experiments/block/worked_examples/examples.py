"""Examples that a source works by hand: what it prints, and what the kernel computes.

The printed values come with the case's row (experiments/harness/examples.h defines the format), the true
ones from the SIMT machine's record of the block.
"""

import re
from dataclasses import dataclass

import numpy
import pandas

from analysis.core import plotting
from analysis.core.errors import EvidenceError
from analysis.core.evidence import Results, select
from experiments.block import lanes

INPUT, ROOT = "input", "root"
LINE = re.compile(r"(printed|rule)_([a-z]+)_(?:([a-z]*\d*)_)?(\d+)")
SETS = ("word", "final")  # kinds of lines whose order does not matter, and in which one may be missing


@dataclass(frozen=True)
class Step:
    """Shared memory at the end of a step: values by element, and the elements that the step wrote."""

    name: str
    values: dict[int, float]
    written: set[int]


@dataclass(frozen=True)
class Line:
    """One line that a source prints as an intermediate step, or that its rule yields, and the true one."""

    example: str
    kind: str
    step: str
    printed: list[int]
    true: list[int]
    by_rule: bool = False

    @property
    def wrong(self) -> int:
        """Numbers that are wrong or, in a set, missing. Other lines may be printed only in part."""
        if self.kind in SETS:
            return len(set(self.printed) ^ set(self.true))
        return sum(printed != true for printed, true in zip(self.printed, self.true, strict=False))


def step_names(algorithm: str, n: int) -> list[str]:
    """The steps that write to shared memory, by sweep and stride."""
    strides = [1 << k for k in range((n - 1).bit_length())]
    up = [f"up{stride}" for stride in strides]
    down = [f"down{stride}" for stride in reversed(strides)]
    return {
        "hillis_steele": [INPUT, *map(str, strides)],
        "blelloch": [INPUT, *up, ROOT, *down],
        "brent_kung": [INPUT, *up, *down[1:]],
    }[algorithm]


def case_of(results: Results, example: str) -> pandas.Series:
    rows = results.where(example=example)
    if rows["name"].nunique() != 1:
        raise EvidenceError(f"{results.path}: the example {example} is not one case")
    return rows.iloc[0]


def result_of(results: Results | None, example: str) -> list[int]:
    """The first elements of the kernel's result; empty without evidence."""
    if results is None or example not in results.levels("example"):
        return []
    return numbered(case_of(results, example), "result")


def numbered(row: pandas.Series, name: str) -> list[int]:
    """name_0, name_1, .. as far as they exist."""
    found = [row.get(f"{name}_{index}") for index in range(len(row))]
    return [int(value) for value in found if value is not None and pandas.notna(value)]


def steps_of(counted: Results | None, example: str) -> dict[str, Step]:
    """Shared memory step by step, by the step's name; empty if it was not recorded."""
    shared = None if counted is None else counted.shared
    shared = pandas.DataFrame() if shared is None else select(shared, {"example": example})
    if shared.empty:
        return {}
    case = case_of(counted, example)
    names = step_names(case["algorithm"], int(case["n"]))
    if len(names) != (steps := shared["step"].nunique()):
        raise EvidenceError(f"{counted.path}: {example} has {steps} steps, not {len(names)}")
    first = shared["word"].min()  # where the tile begins
    values, found = {}, {}
    for name, (_, step) in zip(names, shared.groupby("step"), strict=True):
        floats = step["value"].to_numpy(numpy.int32).view(numpy.float32)
        written = dict(zip((int(word - first) for word in step["word"]), map(float, floats), strict=True))
        values = values | written
        found[name] = Step(name, values, set(written))
    return found


def activity(counted: Results, example: str) -> dict[str, tuple[int, set[int]]]:
    """Stride and active lanes of each step that applies the operator, by the step's name."""
    trace = None if counted.trace is None else select(counted.trace, {"example": example})
    case = case_of(counted, example)
    if trace is None or trace.empty:
        return {}
    names = [name for name in step_names(case["algorithm"], int(case["n"])) if name not in (INPUT, ROOT)]
    found = lanes.activity(trace)  # the total, after the last step, has no name
    return dict(zip(names, found, strict=False))


def true_line(counted: Results, example: str, kind: str, step: str) -> list[int]:
    """What the source's line should have been; empty if it was not recorded."""
    if kind == "ops":
        return [counted.count("ops", example=example)]
    if kind == "lanes" and counted.steps is not None:
        return plotting.select_steps(counted, example=example)["ops"].tolist()
    if kind in ("stride", "first"):
        found = activity(counted, example)
        strides = [stride for name, (stride, _) in found.items() if name.startswith(step)]
        return strides if kind == "stride" else [min(busy) for _, busy in found.values()]
    steps = {} if kind == "lanes" else steps_of(counted, example)
    if not steps:
        return []
    if kind == "word":
        return sorted(steps[step].written)
    values = steps[step].values
    if kind == "final":
        last = list(steps.values())[-1].values
        return [element for element in values if values[element] == last[element]]
    return [int(values[element]) for element in places(step, len(values))]


def places(step: str, n: int) -> range:
    """The elements that a line of values covers: the nodes of a tree's level, else all."""
    every = 2 * int(step.removeprefix("up")) if step.startswith("up") else 1
    return range(every - 1, n, every)


def lines_of(counted: Results) -> list[Line]:
    """Every intermediate line that the sources print or imply by a rule."""
    found = []
    for _, row in counted.rows.drop_duplicates("name").iterrows():
        matches = filter(None, (LINE.fullmatch(str(column)) for column in row.dropna().index))
        for origin, kind, step in dict.fromkeys((match[1], match[2], match[3] or "") for match in matches):
            printed = numbered(row, "_".join(filter(None, (origin, kind, step))))
            true = true_line(counted, row["example"], kind, step)
            found.append(Line(row["example"], kind, step, printed, true, origin == "rule"))
    return found


def printed_steps(counted: Results | None) -> list[Line]:
    """The intermediate lines that the sources print, without those that only a rule yields."""
    return [line for line in lines_of(counted) if not line.by_rule] if counted else []


def marks_of(counted: Results, example: str) -> dict[tuple[str, int | None], str]:
    """Where the source differs from the kernel's values and strides: what it prints, or "" for nothing."""
    marks = {}
    for line in [line for line in printed_steps(counted) if line.example == example and line.wrong]:
        if line.kind in SETS:
            marks |= {(line.step, element): "" for element in set(line.printed) ^ set(line.true)}
            continue
        names = [name for name in activity(counted, example) if name.startswith(line.step)]
        values = [(line.step, element) for element in places(line.step, int(case_of(counted, example)["n"]))]
        strides = [(name, None) for name in names]
        where = strides if line.kind == "stride" else values
        pairs = zip(where, line.printed, line.true, strict=False)
        marks |= {place: str(printed) for place, printed, true in pairs if printed != true}
    return marks
