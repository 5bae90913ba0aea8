"""Charts of times: a row for each case, or a line against a number; bars are confidence intervals."""

from collections.abc import Iterable, Sequence
from math import log2

from matplotlib.axes import Axes

from analysis.core.plotting import BLACK, REFERENCES, Look
from analysis.core.statistics import Median


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
        if timed := [(time, first + row + offset) for row, time in enumerate(times) if time]:
            dots(axes, look, *zip(*timed, strict=True), label=look.label)
    name_rows(axes, [*(REFERENCES[algorithm].label for algorithm in references), *rows])
    axes.grid(axis="x")
    axes.set_axisbelow(True)
    axes.set_xlim(left=0)


def name_rows(axes: Axes, names: Sequence[str]) -> None:
    """A row for each name, the first at the top, without ticks."""
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def limit_line(axes: Axes, value: float, said: str, side: str, end: str = "bottom") -> None:
    """A limit through all rows of a chart, labelled at its `bottom` or `top`, on its `left` or `right`."""
    axes.axvline(value, color=BLACK, linestyle="--", linewidth=0.9, zorder=1)
    place = {"xytext": (3, 0), "ha": "left"} if side == "right" else {"xytext": (-3, 0), "ha": "right"}
    place |= {"xycoords": axes.get_xaxis_transform(), "textcoords": "offset points", "va": end}
    axes.annotate(said, (value, 0.02 if end == "bottom" else 0.98), **place)


def spread(times: Sequence[Median]) -> list[list[float]]:
    """The intervals as error bars."""
    return [[time.value - time.low for time in times], [time.high - time.value for time in times]]


def dots(axes, look: Look, times: Sequence[Median], heights: Sequence[float], label: str | None) -> None:
    style = look.style() | {"linestyle": "none", "label": label, "capsize": 2, "elinewidth": 0.8, "zorder": 3}
    axes.errorbar([time.value for time in times], heights, xerr=spread(times), **style)


def time_line(axes: Axes, look: Look, times: dict[int, Median]) -> None:
    """Times in microseconds against a number; bars: confidence intervals."""
    style = look.style() | {"label": look.label, "capsize": 1.5, "elinewidth": 0.8}
    medians = list(times.values())
    axes.errorbar(list(times), [time.value for time in medians], yerr=spread(medians), **style)


def reference_curves(axes: Axes, curves: dict[str, dict[int, Median]]) -> None:
    """The copy and CUB against a number, in microseconds."""
    for algorithm, times in curves.items():
        look, values = REFERENCES[algorithm], [time.value for time in times.values()]
        style = {"color": look.color, "linestyle": look.line, "label": look.label}
        axes.plot(list(times), values, linewidth=1, zorder=1, **style)


def name_curves(axes: Axes, curves: dict[str, dict[int, Median]]) -> None:
    """Label them at the right of the last values, without overlap. The axes must have their final limits."""
    height, below = axes.get_ylim()[1], -1.0
    ends = {algorithm: times[max(times)].value for algorithm, times in curves.items()}
    for algorithm, value in sorted(ends.items(), key=lambda item: item[1]):
        look = REFERENCES[algorithm]
        below = max(value / height, below + 0.1)
        place = {"transform": axes.transAxes, "va": "center"}
        axes.text(1.01, below, look.label, color=look.color, fontsize=7, **place)


def name_ends(axes, ends: Iterable[tuple[float, str, str, float]], at: float, gap: float, least: float):
    """Of curves on logarithmic scales, each as value, name, colour and place of its last point.

    The names stand at the place `at`, at least `gap` apart in powers of two, from the power `least` on.
    """
    below = least - gap
    for value, name, color, place in sorted(ends):
        below = max(log2(value), below + gap)
        line = {"arrowstyle": "-", "color": color, "linewidth": 0.4, "relpos": (0, 0.5)}
        over_grid = {"facecolor": "white", "edgecolor": "none", "pad": 0.4}
        style = {"fontsize": 7, "color": color, "va": "center", "bbox": over_grid}
        arrow = line | {"shrinkA": 0, "shrinkB": 2}
        axes.annotate(name, (place, value), (at, 2**below), **style, arrowprops=arrow)
