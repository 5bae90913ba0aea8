"""figures/gpus.<gpu>.svg: predicted against measured times on a further GPU, and a scan's share of a copy on
both."""

import numpy

from analysis.common import plotting, sweep, words
from analysis.common.evidence import Results
from analysis.common.plotting import Look
from analysis.gpus.foretold import Foretold
from analysis.gpus.shares import KIND, share
from analysis.model.drawing import BAND, LOOKS, style
from analysis.model.times import PARTS, errors

FIRST = Look("", plotting.GREY, "s", "--", filled=False, size=3)
FURTHER = Look("", plotting.BLUE, "o", size=3)


def figure(found: Foretold, first: Results | None, further: Results | None, names: tuple[str, str]):
    drawn, (left, right) = plotting.new_figure(plotting.WIDE, 3.0, ncols=2, width_ratios=[1, 1.15])
    draw_times(left, found, names[1])
    draw_shares(right, {FIRST: (first, names[0]), FURTHER: (further, names[1])})
    plotting.foot(drawn, f"Counts: the {names[0]}'s. Prices and times, left: {names[1]}.")
    return drawn


def draw_times(axes, found: Foretold, name: str) -> None:
    limiters = numpy.array(found.limiters)
    ends = numpy.array([0.8 * found.measured.min(), 1.25 * found.measured.max()])
    axes.fill_between(ends, ends * (1 - BAND), ends * (1 + BAND), color=plotting.PALE, linewidth=0)
    axes.plot(ends, ends, color=plotting.BLACK, linewidth=0.6)
    for part in (part for part in PARTS if part in limiters):
        own = limiters == part
        axes.plot(found.measured[own], found.predicted[own], **style(LOOKS[part]), markersize=3.5, mew=0.7)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(ends)
    axes.set_ylim(ends)
    axes.set_xlabel(f"measured, µs: {name}")
    axes.set_ylabel("predicted before, µs" if found.before else "predicted, µs")
    axes.grid()
    axes.set_axisbelow(True)
    axes.legend(loc="upper left", handlelength=1, borderpad=0.2)
    within = words.share(errors(found.predicted, found.measured)["within_15"])
    axes.set_title(f"{within} lie within 15% of their prediction")


def draw_shares(axes, curves: dict[Look, tuple[Results | None, str]]) -> None:
    drawn = {look: (share(timed, KIND) if timed else {}, name) for look, (timed, name) in curves.items()}
    for look, (by_length, name) in drawn.items():
        axes.plot(list(by_length), list(by_length.values()), **look.style(), label=name)
    sweep.finish(
        axes,
        "scan, of the speed of a copy (cold)",
        title_of(*(each[0] for each in drawn.values())),
        f"{KIND}, n",
    )
    axes.set_ylim(0, 1.05)
    axes.legend(loc="lower right")


def title_of(first: sweep.Numbers, further: sweep.Numbers) -> str:
    """What the curves show, at the longest vector of both."""
    both = set(first) & set(further)
    if not both:
        return "A scan's share of a copy"
    n = max(both)
    how = "closer to" if further[n] > first[n] else "no closer to"
    return f"A scan comes {how} the speed of a copy: {words.share(further[n])}"
