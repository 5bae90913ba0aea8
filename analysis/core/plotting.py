"""The style of figures, and the drawings that several claims share.

Sizes are final: a figure is placed in the report at the width at which it is drawn. Colours are those of
Okabe and Ito; a marker or a line style always repeats what the colour says.
"""

import contextlib
import functools
import hashlib
import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import matplotlib
import pandas
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import LogFormatterMathtext, LogFormatterSciNotation, MaxNLocator

from analysis.core.evidence import Evidence, Results, select
from analysis.core.files import LOCAL
from analysis.core.svg import light
from analysis.core.words import raised
from analysis.core.writing import write_text

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
    "svg.fonttype": "none",
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
        marks = {"marker": self.marker, "markersize": self.size, "markerfacecolor": face}
        return {"color": self.color, "linestyle": self.line} | marks


REFERENCES = {
    "device_to_device": Look("copy limit", GREY, "D", ":"),
    "cub_device": Look("CUB device", BLACK, "D", "--"),
    "cub_block": Look("CUB block", PURPLE, "D", "-."),
}


def line_of(reference: str) -> Look:
    """A reference that is drawn as a line, without markers."""
    return replace(REFERENCES[reference], marker="")


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


def without_results(evidence: Evidence, missing: str = "time: not measured") -> Figure:
    """In place of a figure of what a GPU gives: a note of what is missing."""
    figure, (axes,) = new_figure(NARROW, 1.0)
    axes.set_axis_off()
    place = {"ha": "center", "va": "center", "transform": axes.transAxes, "color": GREY}
    axes.text(0.5, 0.5, f"{missing}\n(no results of a GPU)", **place)
    sources(figure, evidence)
    return figure


def of_times(draw: Callable[[Evidence], Figure], counts: bool = False) -> Callable[[Evidence], Figure]:
    """A claim's figure of times, and of counts if so said, with their sources; in its place a note if nothing
    was timed."""

    def figure(evidence: Evidence) -> Figure:
        if not evidence.timed:
            return without_results(evidence)
        drawn = draw(evidence)
        sources(drawn, evidence, counts)
        return drawn

    return figure


of_both = functools.partial(of_times, counts=True)


def select_steps(counted: Results, **factors) -> pandas.DataFrame:
    """The steps of one case that apply the operator, in order."""
    steps = select(counted.steps, factors)
    return steps[steps["ops"] > 0].sort_values(["launch", "step"])


def legend_on_top(figure: Figure, looks: Iterable[Look], columns: int = 0) -> None:
    """One legend for all panels, above them, in one line unless `columns` is given."""
    handles = [Line2D([], [], label=look.label, **look.style()) for look in looks]
    figure.legend(handles=handles, loc="outside upper center", ncols=columns or len(handles), borderpad=0)


def whole_steps(axes: Axes) -> None:
    """Ticks at whole numbers only."""
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


class Raised(LogFormatterSciNotation):
    """Powers as characters, 10⁻⁶: an SVG of mathematics places each glyph apart."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        power = re.sub(r"\\mathdefault|[${}]", "", super().__call__(x, pos))
        return raised(power).replace("-", "−")


def raise_powers(figure: Figure) -> None:
    for axis in (axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)):
        if isinstance(axis.get_major_formatter(), LogFormatterMathtext):
            axis.set_major_formatter(Raised(axis.get_transform().base))
        if isinstance(axis.get_minor_formatter(), LogFormatterMathtext):
            axis.set_minor_formatter(Raised(axis.get_transform().base))


def save(figure: Figure, path: Path) -> None:
    """Write path.svg; the same drawing gives the same bytes."""
    raise_powers(figure)
    freeze_layout(figure)
    salt = hashlib.sha256(path.name.encode()).hexdigest()[:8]
    drawn, unnamed = io.StringIO(), dict.fromkeys(("Creator", "Date", "Format", "Type"))
    with matplotlib.rc_context({"svg.hashsalt": salt}):
        # savefig() would draw it twice, to lay out once more what is laid out.
        FigureCanvasSVG(figure).print_svg(drawn, metadata=unnamed)
    write_text(path.with_name(f"{path.name}.svg"), light(drawn.getvalue()))


def not_shown(figures: Path) -> Path:
    """Where further GPUs' drawings go, which neither paper nor page shows and nobody commits."""
    return figures.parent / "build" / figures.name


def save_all(drawn: Mapping[str, Figure], figures: Path, pattern: str) -> None:
    """Write them by name, and remove all other files of this pattern."""
    with house_style():
        for name, figure in drawn.items():
            save(figure, figures / name)
    for path in figures.glob(pattern):
        if path.stem not in drawn:
            path.unlink()


def freeze_layout(figure: Figure) -> None:
    """Lay out and round: the solver's last digits vary from run to run, and appear in SVG names."""
    figure.get_layout_engine().execute(figure)
    for axes in figure.axes:
        axes.set_position([round(value, 4) for value in axes.get_position().bounds])
    figure.set_layout_engine("none")
