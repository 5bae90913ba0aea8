"""figures/gpus.<gpu>.svg: predicted against measured times on a further GPU, and a scan's share of a copy on
both."""

from analysis.core import plotting, sweep, words
from analysis.core.evidence import Results
from analysis.core.plotting import Look
from analysis.core.prose import told
from analysis.model import forms
from analysis.model.drawing import draw
from analysis.report.gpus.foretold import Foretold
from experiments.fast.copy_speed.analysis import COPY, curve

KIND = "int32"
LOOKS = Look("", plotting.GREY, "s", "--", filled=False, size=3), Look("", plotting.BLUE, "o", size=3)


def figure(found: Foretold, timed: list[Results], names: tuple[str, str]):
    """timed: of the scans and the copy, on both."""
    drawn, (left, right) = plotting.new_figure(plotting.WIDE, 3.0, ncols=2, width_ratios=[1, 1.15])
    draw(left, found.further, forms.measured(found.further), 3.5)
    left.set(xlabel=f"measured, µs: {names[1]}", ylabel="predicted, µs")
    left.legend(loc="upper left", handlelength=1, borderpad=0.2)
    within = words.share(found.errors()["predicted"]["within_15"])
    left.set_title(told("gpus: title", within=within))
    curves = [share(each, KIND) if each else {} for each in timed]
    for look, name, by_length in zip(LOOKS, names, curves, strict=True):
        right.plot(list(by_length), list(by_length.values()), **look.style(), label=name)
    sweep.finish(right, "scan, of the speed of a copy (cold)", title_of(*curves), f"{KIND}, n")
    right.set_ylim(0, 1.05)
    right.legend(loc="lower right")
    plotting.foot(drawn, f"Predicted: the SIMT machine's clock, at prices of the {names[1]}.")
    return drawn


def share(timed: Results, kind: str) -> sweep.Numbers:
    """Time of a copy relative to our scan, cold, by length."""
    return sweep.ratios(curve(timed, COPY, kind), curve(timed, "ours", kind))


def title_of(first: sweep.Numbers, further: sweep.Numbers) -> str:
    """What the curves show, at the longest vector of both."""
    n = max(set(first) & set(further), default=None)
    return told("gpus: title", share=further.get(n), closer=n and further[n] > first[n])
