"""What the lanes of a warp do, by the SIMT machine's trace and the GPU's counters, and the banks they access.

A GPU issues an instruction for the active lanes of a warp; a lane that is predicated off does no work.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy
import pandas
from matplotlib.collections import PolyCollection

from analysis.core import plotting, words
from analysis.core.evidence import Results
from analysis.core.prose import told
from analysis.core.sweep import COUNTERS, Table

COLUMNS = [
    "warp\ninstructions",
    "lanes\nissued",
    "lanes not\npredicated off",
    "branches",
    "divergent\nbranches",
]
QUANTITIES = (
    "warp_instructions",
    "thread_instructions",
    "thread_instructions_pred_on",
    "branches",
    "divergent_branches",
)


@dataclass(frozen=True)
class Lanes:
    """Of one case: warp instructions, the mean lanes they are issued for and that work, branches."""

    warp_instructions: int
    issued: float
    working: float
    branches: int
    divergent: int

    def cells(self) -> list[str]:
        lanes = [words.decimal(each, 1) for each in (self.issued, self.working)]
        counts = [words.integer(each) for each in (self.warp_instructions, self.branches, self.divergent)]
        return [counts[0], *lanes, *counts[1:]]


def lanes_of(counters: Results | None, **factors) -> Lanes | None:
    """Of the case with these factors, at its largest n; None if any of QUANTITIES is missing."""
    rows = counters.where(**factors) if counters else None
    if rows is None or not set(QUANTITIES) <= set(rows):
        return None
    rows = rows.dropna(subset=list(QUANTITIES)).sort_values("n")
    if rows.empty:
        return None
    instructions, issued, working, branches, divergent = map(int, rows.iloc[-1][list(QUANTITIES)])
    return Lanes(instructions, issued / instructions, working / instructions, branches, divergent)


def of_cases(counters: Results | None, cases: dict[tuple[str, ...], dict]) -> dict[tuple[str, ...], Lanes]:
    """The lanes of the cases that have any, by what a case is called, from its factors."""
    found = {called: lanes_of(counters, **factors) for called, factors in cases.items()}
    return {called: each for called, each in found.items() if each}


def tables(names: list[str], found: dict[tuple[str, ...], Lanes]) -> list[Table]:
    """A table of the cases' lanes: what each is called, in the columns `names`; no table without cases."""
    rows = [[*called, *lanes.cells()] for called, lanes in found.items()]
    about = {"text_columns": len(names), "source": COUNTERS}
    return [Table(told("lanes: table"), [*names, *COLUMNS], rows, **about)] if rows else []


def in_words(found: list[Lanes]) -> list[str]:
    """What lanes do in the cases whose branches never diverge, and in the others."""
    whole = [each for each in found if not each.divergent]
    split = [each for each in found if each.divergent]
    idle, of = [each.issued - each.working for each in whole], {"all": len(found), "whole": len(whole)}
    said = []
    if whole:
        said.append(told("lanes: whole", **of | means(whole), idle=(min(idle), max(idle))))
    if split:
        tally = {of: sum(getattr(each, of) for each in split) for of in ("divergent", "branches")}
        said.append(told("lanes: split", **of | means(split) | tally, split=len(split)))
    return said


def means(found: list[Lanes]) -> dict[str, str]:
    every = {"issued": [each.issued for each in found], "working": [each.working for each in found]}
    return {of: words.span(values, "{:,.1f}".format) for of, values in every.items()}


def compared(first: Lanes, second: Lanes) -> str:
    """How many lanes work with the first and with the second, and how many instructions that takes."""
    working = [words.decimal(each.working, 1) for each in (first, second)]
    ratio = second.warp_instructions / first.warp_instructions
    return told("lanes: compared", working=working, instructions=ratio)


def lane_map(axes, grid: Sequence[Sequence[int]], cells: Sequence[tuple[str, float]], rows: list[str]):
    """Boxes: a row for each step, a column for each lane or bank; grid[row][column] selects the cell."""
    corners = numpy.array([(0.08, -0.5), (0.92, -0.5), (0.92, 0.5), (0.08, 0.5)])
    for kind, (color, height) in enumerate(cells):
        box = corners * (1, height)
        boxes = [box + (x, y + 0.5) for y, x in numpy.argwhere(numpy.equal(grid, kind))]
        axes.add_collection(PolyCollection(boxes, facecolor=color, linewidth=0), autolim=False)
    width = len(grid[0])
    axes.set(xlim=(0, width), ylim=(len(grid), 0))
    axes.set_yticks([row + 0.5 for row in range(len(grid))], rows)
    axes.set_xticks([0.5, 8.5, 16.5, 24.5, width - 0.5], ["0", "8", "16", "24", str(width - 1)])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def activity(trace: pandas.DataFrame) -> list[tuple[int, set[int]]]:
    """Stride and active lanes of each step that applies the operator; the stride from the words it adds, all
    of which one wide load may bring. 0 if nvcc has moved an addition away from its loads, past a barrier."""
    found = []
    for _, step in trace.groupby("step"):
        busy = set(step[step["kind"] == "op"]["lane"])
        if busy:
            loads = step[(step["kind"] == "load") & (step["lane"] == min(busy))]
            last = loads["word"] + loads.get("words", 1) - 1
            found.append((int(last.max() - loads["word"].min()) if len(loads) else 0, busy))
    return found


def activities(panels: dict[str, tuple[list[tuple[int, set[int]]], plotting.Look]], height: float):
    """A figure with a panel for each title: a row for each step, as activity() finds them, a column for each
    lane; active lanes in the look's colour."""
    figure, axes = plotting.new_figure(plotting.WIDE, height, ncols=len(panels))
    for panel, (title, (steps, look)) in zip(axes, panels.items(), strict=True):
        grid = [[int(lane in busy) for lane in range(32)] for _, busy in steps]
        cells = [(plotting.PALE, 0.84), (look.color, 0.84)]
        lane_map(panel, grid, cells, [str(stride) for stride, _ in steps])
        panel.set(xlabel="lane", title=title)
    axes[0].set_ylabel("stride")
    return figure
