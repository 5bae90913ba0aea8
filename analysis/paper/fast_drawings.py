"""The pictures of the fast scan: wins over CUB by length, and what each idea is worth."""

from analysis import scan_ideas
from analysis.common import plotting
from analysis.common.looks import SCANS
from analysis.common.words import raised
from analysis.paper.fast import NAMES, TYPES, against_cub

INDIGO = SCANS["fast"].color
FAR = 1.8  # a type whose longest vector is ahead by more has its name in the figure


def draw_wins(recorded):
    """Each case: CUB's time relative to ours, by length."""
    cases = against_cub(recorded, "copy_speed", "scan")
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.3)
    axes.plot(
        cases["n"], cases["ratio"], linestyle="none", marker="o", markersize=3, color=INDIGO, alpha=0.55
    )
    for kind in TYPES:
        of = cases[cases["type"] == kind]
        last = of.loc[of["n"].idxmax()]
        if last["ratio"] > FAR:
            axes.annotate(
                NAMES.get(kind, kind),
                (last["n"], last["ratio"]),
                xytext=(-9, 9),
                textcoords="offset points",
                ha="right",
                fontsize=6.5,
            )
    axes.axhline(1, color=plotting.BLACK, linewidth=1)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_yticks([1, 2, 4], ["equal", "2×", "4×"])
    axes.set_ylim(0.85, 5)
    axes.minorticks_off()
    axes.set_xticks([1 << k for k in range(8, 33, 4)], [raised(f"2^{k}") for k in range(8, 33, 4)])
    axes.set_xlabel("elements, n")
    axes.set_ylabel("CUB's time : ours")
    axes.text(1 << 32, 0.91, "CUB is faster", fontsize=6.5, color=plotting.GREY, ha="right", va="center")
    axes.grid()
    return figure


def draw_ideas(recorded):
    """A row for each idea: time without it relative to with it, a marker for each vector."""
    evidence = recorded.of("scan_ideas")
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 1.75)
    costs = {key: scan_ideas.costs(evidence, key) for key in scan_ideas.IDEAS}
    order = sorted(costs, key=lambda key: -max((ratio for ratio, _ in costs[key].values()), default=0))
    vectors = list(dict.fromkeys(vector for of in costs.values() for vector in of))
    for place, vector in enumerate(vectors):
        shown = [(costs[key][vector][0], row) for row, key in enumerate(order) if vector in costs[key]]
        axes.plot(
            *zip(*shown, strict=True),
            linestyle="none",
            marker="oDs^v"[place % 5],
            color=INDIGO,
            markerfacecolor="white" if place % 2 else INDIGO,
            markersize=4.5,
            label=scan_ideas.name_of(vector),
        )
    axes.axvline(1, color=plotting.BLACK, linewidth=0.8)
    axes.set_yticks(range(len(order)), [scan_ideas.IDEAS[key].label for key in order])
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xlim(0.97, 2.0)
    axes.set_xlabel("time without the idea : time with it")
    axes.tick_params(axis="y", length=0)
    axes.grid()
    axes.legend(loc="lower right", fontsize=6.3, handletextpad=0.1, borderpad=0.2)
    return figure


DRAWINGS = {"wins": draw_wins, "ideas": draw_ideas}
