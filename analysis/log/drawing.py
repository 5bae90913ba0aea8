"""The figure: the best share of a copy's speed so far, by round, a curve for each vector; its steps are
named."""

import pandas

from analysis.common import looks, plotting
from analysis.log.rounds import best_so_far, name_of, shown, steps

COLORS = (looks.SCANS["fast"].color, plotting.BLUE, plotting.GREEN)


def figure(log: pandas.DataFrame):
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.0)
    last, named = int(log["round"].max()), set()
    for (vector, rows), color in zip(shown(log).items(), COLORS, strict=False):
        best = best_so_far(rows)
        drawn = {"drawstyle": "steps-post", "color": color, "linewidth": 1.6}
        axes.plot([*rows["round"], last], [*best, best[-1]], **drawn)
        place = {"xytext": (3, 0), "textcoords": "offset points", "va": "center", "fontsize": 7}
        axes.annotate(f"{name_of(vector)} {best[-1]:.2f}", (last, best[-1]), color=color, **place)
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
