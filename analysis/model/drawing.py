"""figures/model.svg: predicted against measured times, with limiters by colour."""

import numpy

from analysis.common import plotting
from analysis.common.plotting import Look
from analysis.model.distinct import firsts
from analysis.model.outside import outside
from analysis.model.times import IN_WORDS, PARTS
from analysis.model.view import View

LOOKS = {
    "issue": Look(IN_WORDS["issue"], plotting.BLUE, "o", "none", filled=False),
    "banks": Look(IN_WORDS["banks"], plotting.RED, "s", "none", filled=False),
    "bytes": Look(IN_WORDS["bytes"], plotting.GREEN, "^", "none", filled=False),
    "latency": Look(IN_WORDS["latency"], plotting.ORANGE, "D", "none", filled=False),
    "blocks": Look(IN_WORDS["blocks"], plotting.PURPLE, "v", "none", filled=False),
}
OUTSIDE = Look("waits outside the model", plotting.GREY, "x", "none")
CAPTION = (
    "Predicted against measured time of every kernel on a long vector, cold, each once; the colour is the "
    "part that limits it. Line: equal; band: 15% to either side. Crosses also wait for earlier blocks or for "
    "the host; the errors leave them out. Prices were measured in another process, by kernels that know "
    "nothing of scans; the sharpness was chosen on half of the kernels."
)
BAND = 0.15


def figure(view: View, gpu: str):
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 3.3)
    once = firsts(view.kernels, range(len(view.kernels)))
    measured, predicted = numpy.array([each.us for each in view.kernels])[once], view.best_us[once]
    limiters = view.limiters
    names = numpy.array(["outside" if outside(view.kernels[place]) else limiters[place] for place in once])
    ends = numpy.array([0.8 * measured.min(), 1.25 * measured.max()])
    axes.fill_between(ends, ends * (1 - BAND), ends * (1 + BAND), color=plotting.PALE, linewidth=0)
    axes.plot(ends, ends, color=plotting.BLACK, linewidth=0.6)
    looks = LOOKS | {"outside": OUTSIDE}
    shown = [part for part in (*PARTS, "outside") if part in names]
    for part in shown:
        own = names == part
        axes.plot(measured[own], predicted[own], markersize=3.5, markeredgewidth=0.7, **style(looks[part]))
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    axes.set_xlabel("measured, µs")
    axes.set_ylabel("predicted, µs")
    axes.grid()
    axes.set_axisbelow(True)
    axes.legend(loc="upper left", handlelength=1, borderpad=0.2)
    plotting.foot(figure, f"Counts, prices and times: {gpu}.")
    return figure


def style(look: Look) -> dict:
    return {key: value for key, value in look.style().items() if key != "markersize"} | {"label": look.label}
