"""Grids of values: a row for each step, a column for each element; errors of the source are marked."""

import re
from collections.abc import Callable, Mapping

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from analysis.core import plotting
from analysis.core.plotting import Look
from experiments.block.worked_examples.examples import INPUT, Step

WRITTEN = Look("written in this step", "#BBDDF5", "s", "none", size=6)
UNCHANGED = Look("unchanged", plotting.PALER, "s", "none", size=6)
FINAL = Look("final value", "#B3DFD0", "s", "none", size=6)
WRONG = Look("the source prints another value", plotting.RED, "s", "none", filled=False, size=6)
MISSING = Look("omitted by the source", plotting.RED, "s", "none", filled=False, size=6)

# By step and element, or by step alone for its stride: what the source prints instead, "" for nothing.
Marks = Mapping[tuple[str, int | None], str]


def draw_steps(
    axes: Axes,
    steps: Mapping[str, Step],
    marks: Marks,
    columns: int,
    text: Callable[[float], str] = "{:.0f}".format,
    look: Callable[[Step, int], Look] | None = None,
) -> None:
    """The elements of each step, in `columns` columns of boxes."""
    for row, step in enumerate(steps.values()):
        for element, value in step.values.items():
            printed = marks.get((step.name, element))
            draw_box(axes, row, element, text(value), (look or usual)(step, element), printed)
    axes.set(xlim=(0, columns), ylim=(len(steps), 0))
    axes.set_yticks([row + 0.5 for row in range(len(steps))], [label(name, marks) for name in steps])
    for tick, name in zip(axes.get_yticklabels(), steps, strict=True):
        tick.set_color(plotting.RED if (name, None) in marks else plotting.BLACK)
    bare(axes)


def usual(step: Step, element: int) -> Look:
    return WRITTEN if element in step.written and step.name != INPUT else UNCHANGED


def draw_box(axes: Axes, row: int, column: int, text: str, look: Look, printed: str | None = None) -> None:
    """A value in its place; if the source prints another, that one is small and crossed out."""
    edge = {"edgecolor": plotting.RED, "linewidth": 0.9} if printed is not None else {"linewidth": 0}
    axes.add_patch(Rectangle((column + 0.05, row + 0.06), 0.9, 0.88, facecolor=look.color, **edge))
    x, y = (0.37, 0.35) if printed else (0.5, 0.52)
    axes.text(column + x, row + y, text, ha="center", va="center", fontsize=7)
    if printed:
        style, y = {"color": plotting.RED, "zorder": 3}, row + 0.76
        axes.text(column + 0.9, y, printed, ha="right", va="center", fontsize=7, **style)
        ends = [column + 0.88 - 0.23 * len(printed), column + 0.92]
        axes.plot(ends, [y, y], linewidth=0.6, **style)


def label(step: str, marks: Marks) -> str:
    """up4 as "up 4", with the stride that the source prints instead."""
    name, printed = re.sub(r"^(up|down)", r"\1 ", step), marks.get((step, None))
    return name if printed is None else f"{name}, not {printed}"


def bare(axes: Axes) -> None:
    axes.set_xticks([])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def bits_in_words(value: float) -> str:
    """Of an element whose input was 2ⁱ: 56 = 2³ + 2⁴ + 2⁵ as 3–5."""
    bits = int(value)
    first, last = (bits & -bits).bit_length() - 1, bits.bit_length() - 1
    return str(first) if first == last else f"{first}–{last}"
