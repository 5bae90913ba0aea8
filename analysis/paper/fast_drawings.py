"""The pictures of the fast scan: wins over CUB, and what each idea is worth."""

from analysis import scan_ideas
from analysis.common import plotting, words
from analysis.common.looks import SCANS
from analysis.copy_speed import TYPES
from analysis.paper.fast import against_cub

INDIGO = SCANS["fast"].color
SHOWN = ("int8", "affine_double", "int16", "float")  # the types whose curves the figure names
NAMES = {"affine_double": "16-byte affine"}


def draw_wins(recorded):
    """CUB's time relative to ours by length: a curve for some types, cold and queued; else a dot."""
    cases = against_cub(recorded, "copy_speed", "scan")
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.2)
    axes.axhspan(0.5, 1, color="#f6dccb", linewidth=0)
    axes.plot(cases["n"], cases["ratio"], linestyle="none", marker="o", markersize=2, color=plotting.PALE)
    usual = cases[cases["case"].str.contains("submit:stream/cache:cold/n:")]
    for kind in TYPES:
        of = usual[usual["type"] == kind].sort_values("n")
        if kind not in SHOWN or of.empty:
            continue
        axes.plot(of["n"], of["ratio"], color=INDIGO, linewidth=1.4)
        last = of.iloc[-1]
        place = {"xytext": (4, 0), "textcoords": "offset points", "va": "center", "fontsize": 7}
        axes.annotate(NAMES.get(kind, kind), (last["n"], last["ratio"]), color=INDIGO, **place)
    axes.axhline(1, color=plotting.BLACK, linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_yticks([1, 2, 4], ["1", "2", "4"])
    axes.set_ylim(0.8, 5)
    axes.minorticks_off()
    axes.set_xticks([1 << k for k in range(8, 33, 4)], [words.raised(f"2^{k}") for k in range(8, 33, 4)])
    axes.set_xlim(1 << 7, 1 << 40)
    axes.set_xlabel("elements, n")
    axes.set_ylabel("CUB's time, of ours")
    axes.text(1 << 8, 0.9, "CUB is faster", fontsize=7, color=plotting.RED, va="center")
    return figure


def draw_ideas(recorded):
    """A bar for each idea: time without it relative to with it, for the vector that it helps most."""
    evidence = recorded.of("scan_ideas")
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.45)
    costs = {key: scan_ideas.costs(evidence, key) for key in scan_ideas.IDEAS}
    order = sorted(costs, key=lambda key: -max((ratio for ratio, _ in costs[key].values()), default=0))
    for row, key in enumerate(order):
        vector = max(costs[key], key=lambda each: costs[key][each][0])
        most = costs[key][vector][0]
        axes.barh(row, most - 1, 0.62, left=1, color=INDIGO)
        others = [ratio for ratio, _ in costs[key].values()]
        axes.plot(others, [row] * len(others), "|", color=plotting.ORANGE, markersize=7, markeredgewidth=1.4)
        said = f"{most:.2f}  ({scan_ideas.name_of(vector)})"
        axes.text(most + 0.02, row, said, va="center", fontsize=7)
    axes.set_yticks(range(len(order)), [scan_ideas.IDEAS[key].label for key in order])
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xlim(1, 2.9)
    axes.set_xticks([1, 1.5, 2], ["1", "1.5", "2"])
    axes.set_xlabel("times as long without the idea")
    axes.tick_params(axis="y", length=0)
    return figure


DRAWINGS = {"wins": draw_wins, "ideas": draw_ideas}
