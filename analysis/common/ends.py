"""Names of curves at their right ends, without overlap, in place of a legend."""

from collections.abc import Iterable
from math import log2

from matplotlib.axes import Axes

from analysis.common import plotting
from analysis.common.statistics import Median


def name_curves(axes: Axes, curves: dict[str, dict[int, Median]]) -> None:
    """Label them at the right of the last values, without overlap. The axes must have their final limits."""
    height, below = axes.get_ylim()[1], -1.0
    ends = {algorithm: times[max(times)].value for algorithm, times in curves.items()}
    for algorithm, value in sorted(ends.items(), key=lambda item: item[1]):
        look = plotting.REFERENCES[algorithm]
        below = max(value / height, below + 0.1)
        place = {"transform": axes.transAxes, "va": "center"}
        axes.text(1.01, below, look.label, color=look.color, fontsize=7, **place)


def name_ends(
    axes: Axes, ends: Iterable[tuple[float, str, str, float]], at: float, gap: float, least: float
) -> None:
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
