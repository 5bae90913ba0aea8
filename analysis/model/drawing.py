"""figures/model.svg: predicted against measured times on each GPU, with limiters by colour."""

import numpy

from analysis.core import plotting
from analysis.core.plotting import Look
from analysis.core.prose import told
from analysis.model.times import PARTS

COLORS = (plotting.BLUE, plotting.RED, plotting.GREEN, plotting.ORANGE, plotting.PURPLE)
NAMES = {"banks": "pipe", "latency": "waiting"}  # as in the paper's table of charges
LOOKS = {
    part: Look(NAMES.get(part, part), color, marker, "none", filled=False)
    for part, color, marker in zip(PARTS, COLORS, "os^Dv", strict=True)
}
CAPTION = told("model: caption")
BAND = 0.15


def figure(shown: dict[str, dict]):
    """A panel for each GPU, by its short name: limiters, predicted and measured microseconds."""
    figure, panels = plotting.new_figure(plotting.NARROW, 2.6 if len(shown) > 1 else 3.5, ncols=len(shown))
    times = numpy.concatenate([each["measured"] for each in shown.values()])
    for axes, (gpu, each) in zip(panels, shown.items(), strict=True):
        draw(axes, each["measured"], each["predicted"], each["limiters"], times, 2.5)
        axes.set_xlabel(f"measured, µs: {gpu}")
    panels[0].set_ylabel("predicted, µs")
    kinds = {part for each in shown.values() for part in each["limiters"]}
    plotting.legend_on_top(figure, [look for part, look in LOOKS.items() if part in kinds], columns=3)
    plotting.foot(figure, "Counts: SIMT machine. Prices and times: the GPU's.")
    return figure


def draw(axes, measured, predicted, limiters: list[str], times, size: float) -> None:
    """times: those between whose ends both axes go; size: of the markers, in points."""
    ends, names = numpy.array([0.8 * min(times), 1.25 * max(times)]), numpy.array(limiters)
    axes.fill_between(ends, ends * (1 - BAND), ends * (1 + BAND), color=plotting.PALE, linewidth=0)
    axes.plot(ends, ends, color=plotting.BLACK, linewidth=0.6)
    for part in (part for part in PARTS if part in names):
        style = LOOKS[part].style() | {"markersize": size, "markeredgewidth": 0.6}
        axes.plot(measured[names == part], predicted[names == part], **style, label=NAMES.get(part, part))
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    axes.grid()
    axes.set_axisbelow(True)
