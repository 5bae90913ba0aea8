"""The style of figures, and the drawings that several claims share.

Sizes are final: a figure is placed in the report at the width at which it is drawn. Colours are those of
Okabe and Ito; a marker or a line style always repeats what the colour says.
"""

import contextlib
import functools
import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib
import pandas
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from analysis.common.evidence import LOCAL, Evidence, Results, select
from analysis.common.statistics import Median
from analysis.common.writing import write_with

NARROW = 3.37  # inches: a column of the report
WIDE = 7.0  # inches: both columns

BLACK, GREY, PALE, PALER = "#000000", "#5f5f5f", "#d9d9d9", "#f0f0f0"
BLUE, ORANGE, GREEN, RED = "#0072B2", "#E69F00", "#009E73", "#D55E00"
SKY, PURPLE = "#56B4E9", "#CC79A7"

RC = {
    "font.family": "DejaVu Sans",
    "font.size": 7.5,
    "axes.titlesize": 8,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 7.5,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.use_mathtext": True,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "lines.linewidth": 1.2,
    "lines.markersize": 4.5,
    "grid.color": "#e6e6e6",
    "grid.linewidth": 0.5,
    "figure.facecolor": "white",
    "svg.fonttype": "path",
}


@dataclass(frozen=True)
class Look:
    """How one series is drawn wherever it appears."""

    label: str
    color: str
    marker: str = "o"
    line: str = "-"
    filled: bool = True
    size: float = 4.5

    def style(self) -> dict:
        face = self.color if self.filled else "white"
        return {
            "color": self.color,
            "marker": self.marker,
            "markerfacecolor": face,
            "linestyle": self.line,
            "markersize": self.size,
        }


REFERENCES = {
    "device_to_device": Look("copy limit", GREY, "D", ":"),
    "cub_device": Look("CUB device", BLACK, "D", "--"),
    "cub_block": Look("CUB block", PURPLE, "D", "-."),
}


@contextlib.contextmanager
def house_style():
    """RC on top of matplotlib's defaults, regardless of the user's settings."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(RC)
        yield


def new_figure(width: float, height: float, **grid) -> tuple[Figure, list[Axes]]:
    """An empty figure and its axes, row by row; `grid` as for Figure.subplots, plus gridspec_kw."""
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, list(figure.subplots(squeeze=False, **grid).flat)


def sources(figure: Figure, evidence: Evidence, counts: bool = True) -> None:
    """State at the bottom of the figure where its times and, if it shows any, its counts come from."""
    said = ["Counts: SIMT machine."] if counts and evidence.counted else []
    said.append(f"Times: {where_timed(evidence)}.")
    foot(figure, " ".join(said))


def foot(figure: Figure, said: str) -> None:
    """A line below everything else."""
    height = figure.get_size_inches()[1]
    figure.text(0.995, 0.01, said, ha="right", va="bottom", fontsize=7, color=GREY)
    figure.get_layout_engine().set(rect=(0, 0.15 / height, 1, 1 - 0.15 / height))


def where_timed(evidence: Evidence) -> str:
    if evidence.timed is None:
        return "not measured"
    gpu = evidence.timed.machine["name"]
    return f"this machine's {gpu}" if evidence.timed.folder == LOCAL else gpu


def empty(axes: Axes, what: str) -> None:
    """A note in place of a drawing whose evidence is missing."""
    axes.set_axis_off()
    axes.text(0.5, 0.5, what, ha="center", va="center", transform=axes.transAxes, color=GREY)


def without_times(evidence: Evidence) -> Figure:
    """In place of a figure of times: a note that there are none."""
    figure, (axes,) = new_figure(NARROW, 1.0)
    empty(axes, "time: not measured\n(no results of a GPU)")
    sources(figure, evidence)
    return figure


def reference_times(timed: Results, **factors) -> dict[str, Median]:
    """Medians of the copy and of CUB, where timed with these factors, in microseconds."""
    found = {algorithm: timed.time(algorithm=algorithm, **factors) for algorithm in REFERENCES}
    return {algorithm: time for algorithm, time in found.items() if time}


def select_steps(counted: Results, **factors) -> pandas.DataFrame:
    """The steps of one case that apply the operator, in order."""
    steps = select(counted.steps, factors)
    return steps[steps["ops"] > 0].sort_values(["launch", "step"])


def time_chart(
    axes: Axes,
    references: dict[str, Median],
    rows: Sequence[str],
    series: Sequence[tuple[Look, Sequence[Median | None]]],
) -> None:
    """Times in microseconds, a row for each case, a marker for each series; bars: confidence intervals.

    The references come first, each with a line through all rows below it.
    """
    for row, (algorithm, time) in enumerate(references.items()):
        look = REFERENCES[algorithm]
        axes.axvline(time.value, color=look.color, linestyle=look.line, linewidth=0.9, zorder=1)
        dots(axes, look, [time], [row], label=None)
    first = len(references)
    for number, (look, times) in enumerate(series):
        offset = 0.4 * (number / (len(series) - 1) - 0.5) if len(series) > 1 else 0.0
        timed = [(time, first + row + offset) for row, time in enumerate(times) if time]
        if timed:
            dots(axes, look, *zip(*timed, strict=True), label=look.label)
    names = [REFERENCES[algorithm].label for algorithm in references] + list(rows)
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(left=0)
    axes.grid(axis="x")
    axes.tick_params(axis="y", length=0)
    axes.set_axisbelow(True)


def limit_line(axes: Axes, value: float, said: str, side: str) -> None:
    """A limit through all rows of a chart, labelled at its lower end, on the `left` or `right` of it."""
    axes.axvline(value, color=BLACK, linestyle="--", linewidth=0.9, zorder=1)
    axes.annotate(
        said,
        (value, 0.02),
        xycoords=axes.get_xaxis_transform(),
        xytext=(3 if side == "right" else -3, 0),
        textcoords="offset points",
        ha="left" if side == "right" else "right",
        va="bottom",
    )


def dots(
    axes: Axes, look: Look, times: Sequence[Median], heights: Sequence[float], label: str | None
) -> None:
    values = [time.value for time in times]
    spread = [[time.value - time.low for time in times], [time.high - time.value for time in times]]
    style = look.style() | {"linestyle": "none"}
    axes.errorbar(values, heights, xerr=spread, label=label, capsize=2, elinewidth=0.8, zorder=3, **style)


def time_line(axes: Axes, look: Look, times: dict[int, Median]) -> None:
    """Times in microseconds against a number; bars: confidence intervals."""
    values = [time.value for time in times.values()]
    spread = [
        [time.value - time.low for time in times.values()],
        [time.high - time.value for time in times.values()],
    ]
    axes.errorbar(
        list(times), values, yerr=spread, label=look.label, capsize=1.5, elinewidth=0.8, **look.style()
    )


def reference_curves(axes: Axes, curves: dict[str, dict[int, Median]]) -> None:
    """The copy and CUB against a number, in microseconds."""
    for algorithm, times in curves.items():
        look = REFERENCES[algorithm]
        values = [time.value for time in times.values()]
        axes.plot(
            list(times),
            values,
            color=look.color,
            linestyle=look.line,
            linewidth=1,
            label=look.label,
            zorder=1,
        )


def legend_above(axes: Axes, columns: int) -> None:
    """The legend at the right of the title."""
    axes.legend(loc="lower right", bbox_to_anchor=(1.0, 0.98), ncols=columns, columnspacing=1, borderpad=0.2)


def legend_on_top(figure: Figure, looks: Iterable[Look], columns: int = 0) -> None:
    """One legend for all panels, above them, in one line unless `columns` is given."""
    handles = [Line2D([], [], label=look.label, **look.style()) for look in looks]
    figure.legend(handles=handles, loc="outside upper center", ncols=columns or len(handles), borderpad=0)


def whole_steps(axes: Axes) -> None:
    """Ticks at whole numbers only."""
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def lane_map(
    axes: Axes, grid: Sequence[Sequence[int]], cells: Sequence[tuple[str, float]], rows: Sequence[str]
) -> None:
    """Boxes: a row for each step, a column for each lane or bank; grid[row][column] selects the cell."""
    for row, line in enumerate(grid):
        for column, kind in enumerate(line):
            color, height = cells[kind]
            corner = (column + 0.08, row + 0.5 - height / 2)
            axes.add_patch(Rectangle(corner, 0.84, height, facecolor=color, linewidth=0))
    width = len(grid[0])
    axes.set_xlim(0, width)
    axes.set_ylim(len(grid), 0)
    axes.set_yticks([row + 0.5 for row in range(len(grid))], rows)
    axes.set_xticks([0.5, 8.5, 16.5, 24.5, width - 0.5], ["0", "8", "16", "24", str(width - 1)])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def save(figure: Figure, path: Path) -> None:
    """Write path.svg; the same drawing gives the same bytes."""
    freeze_layout(figure)
    salt = hashlib.sha256(path.name.encode()).hexdigest()[:8]
    # savefig() would draw it twice, to lay out once more what is laid out.
    write = functools.partial(FigureCanvasSVG(figure).print_svg, metadata={"Date": None, "Creator": None})
    with matplotlib.rc_context({"svg.hashsalt": salt}):
        write_with(path.with_name(f"{path.name}.svg"), write)


def freeze_layout(figure: Figure) -> None:
    """Lay out and round: the solver's last digits vary from run to run, and appear in SVG names."""
    figure.draw_without_rendering()
    for axes in figure.axes:
        axes.set_position([round(value, 4) for value in axes.get_position().bounds])
    figure.set_layout_engine("none")
