"""figures/model.svg: predicted against measured times on each GPU, with limiters by colour."""

from collections.abc import Sequence

import numpy

from analysis.core import plotting
from analysis.core.plotting import Look
from analysis.core.prose import told
from analysis.model import forms
from analysis.model.kernels import PARTS, Kernel

COLORS = (plotting.BLUE, plotting.RED, plotting.GREEN, plotting.PURPLE, plotting.ORANGE)
LOOKS = {
    part: Look(part, color, marker, "none", filled=False)
    for part, color, marker in zip(PARTS, COLORS, "os^vD", strict=True)
}
CAPTION = told("model: caption")
BAND = 0.15


def figure(shown: dict[str, Sequence[Kernel]]):
    """A panel for each GPU, by its short name."""
    figure, panels = plotting.new_figure(plotting.NARROW, 2.6 if len(shown) > 1 else 3.5, ncols=len(shown))
    every = [each for kernels in shown.values() for each in kernels]
    for axes, (gpu, kernels) in zip(panels, shown.items(), strict=True):
        draw(axes, kernels, forms.measured(every), 2.5)
        axes.set_xlabel(f"measured, µs: {gpu}")
    panels[0].set_ylabel("predicted, µs")
    kinds = {each.limiter for each in every}
    plotting.legend_on_top(figure, [look for part, look in LOOKS.items() if part in kinds], columns=3)
    plotting.foot(figure, "Predicted: the SIMT machine's clock. Measured: the GPU.")
    return figure


def draw(axes, kernels: Sequence[Kernel], times, size: float) -> None:
    """times: those between whose ends both axes go; size: of the markers, in points."""
    ends = numpy.array([0.8 * min(times), 1.25 * max(times)])
    axes.fill_between(ends, ends * (1 - BAND), ends * (1 + BAND), color=plotting.PALE, linewidth=0)
    axes.plot(ends, ends, color=plotting.BLACK, linewidth=0.6)
    for part in PARTS:
        own = [each for each in kernels if each.limiter == part]
        style = LOOKS[part].style() | {"markersize": size, "markeredgewidth": 0.6}
        if own:
            axes.plot(forms.measured(own), forms.clock(own), **style, label=part)
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    axes.grid()
    axes.set_axisbelow(True)
