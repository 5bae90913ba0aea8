"""The pictures of the fast scan: wins over CUB, what each idea is worth, the log of its making."""

from analysis import scan_ideas
from analysis.common import plotting, words
from analysis.common.looks import SCANS
from analysis.log.rounds import best_so_far, name_of, of_vector, read_log, steps, vectors
from analysis.paper.fast import NAMES, TYPES, against_cub

INDIGO = SCANS["fast"].color
SHOWN = ("int8", "affine_double", "int16", "float")  # the types whose curves the figure names
SHORT_NAMES = NAMES | {"affine_double": "16-byte affine", "float": "float"}


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
        axes.annotate(SHORT_NAMES.get(kind, kind), (last["n"], last["ratio"]), color=INDIGO, **place)
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
    axes.set_xlim(1, 2.75)
    axes.set_xticks([1, 1.5, 2], ["1", "1.5", "2"])
    axes.set_xlabel("times as long without the idea")
    axes.tick_params(axis="y", length=0)
    return figure


def draw_log(recorded):
    """The best share of a copy's speed so far, by round, a curve for each vector; its steps are named."""
    path = recorded.of("copy_speed").timed.path.parent / "log.csv"
    log = read_log(path)
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.0)
    last, named = int(log["round"].max()), set()
    for vector, color in zip(vectors(log), (INDIGO, plotting.BLUE, plotting.GREEN), strict=False):
        rows = of_vector(log, vector)
        best = best_so_far(rows)
        axes.plot(
            [*rows["round"], last], [*best, best[-1]], drawstyle="steps-post", color=color, linewidth=1.6
        )
        axes.annotate(
            f"{name_of(vector)} {best[-1]:.2f}",
            (last, best[-1]),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            color=color,
            fontsize=7,
        )
        for number, (_, after) in steps(rows).items():
            axes.plot(number, after, "o", color=color, markersize=4.5)
            named.add(number)
    names = log.drop_duplicates("round").set_index("round")["name"]
    said = [f"{number}  {names[number]}" for number in sorted(named)]
    axes.text(8, 0.735, "\n".join(said), fontsize=7, va="bottom", linespacing=1.35)
    axes.set_ylim(0.7, 1.0)
    axes.set_yticks([0.7, 0.8, 0.9, 1.0], ["0.7", "0.8", "0.9", "copy"])
    axes.set_xlim(0.5, last + 12)
    axes.set_xticks([*sorted(named)[1:], 10, 20, last])
    axes.set_xlabel("round of development")
    axes.set_ylabel("best speed so far, of a copy")
    return figure


DRAWINGS = {"wins": draw_wins, "ideas": draw_ideas, "log": draw_log}
