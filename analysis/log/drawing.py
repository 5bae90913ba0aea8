"""The figure: the ring's share of the copy's throughput, by round, a panel per vector."""

from itertools import pairwise

import pandas

from analysis.common import plotting, words
from analysis.common.plotting import Look
from analysis.common.targets import Target, read_targets
from analysis.log.rounds import (
    MET,
    MISSED,
    NO_CHANGE,
    OUTCOMES,
    PART,
    REFUTED,
    Vector,
    best_so_far,
    name_of,
    of_vector,
    shares_of_any_copy,
    steps,
    vectors,
)
from analysis.log.story import is_relative_to_copy

LOOKS = {
    MET: Look(MET, plotting.GREEN, "o", "none"),
    PART: Look(PART, plotting.BLUE, "^", "none"),
    NO_CHANGE: Look(NO_CHANGE, plotting.BLACK, "s", "none", filled=False, size=4),
    MISSED: Look("missed at first", plotting.ORANGE, "D", "none", size=4),
    REFUTED: Look(REFUTED, plotting.RED, "x", "none", size=5),
}
BEST = Look("best so far", plotting.GREY, "", "-")
TARGET = Look("target", plotting.PURPLE, "", "--")
SPEED = "copy_speed"  # the claim whose targets the rounds aimed at


def target_of(vector: Vector) -> Target | None:
    """The share of the copy's throughput that is the experiment's target."""
    return next((target for target in read_targets(SPEED) if is_relative_to_copy(target, vector)), None)


def figure(log: pandas.DataFrame, machine: str):
    shown = vectors(log)
    if not shown:
        made, (axes,) = plotting.new_figure(plotting.NARROW, 1.0)
        plotting.empty(axes, "no vector was timed in several rounds")
        return made
    rounds = sorted({number for vector in shown for number in of_vector(log, vector)["round"]})
    made, panels = plotting.new_figure(plotting.WIDE, 2.6, ncols=len(shown), sharey=True)
    for axes, vector in zip(panels, shown, strict=True):
        draw_rounds(axes, of_vector(log, vector), rounds)
        draw_target(axes, target_of(vector))
        axes.set_title(name_of(vector))
    panels[0].set_ylabel("share of the copy's throughput")
    least = min(shares_of_any_copy(of_vector(log, vector))["low"].min() for vector in shown)
    panels[0].set_ylim(least - 0.12, 1.03)
    plotting.legend_on_top(made, [*(LOOKS[outcome] for outcome in OUTCOMES), BEST, TARGET])
    said = "Times: throwaway benchmarks"
    plotting.foot(made, f"{said} on {words.with_article(machine)}." if machine else f"{said}.")
    return made


def draw_rounds(axes, rows: pandas.DataFrame, rounds: list[int]) -> None:
    """A marker per round, a bar from the fastest copy to the slowest; the best so far, its steps in black."""
    place = {number: index for index, number in enumerate(rounds)}
    across = rows["round"].map(place)
    best = best_so_far(rows)
    axes.plot(
        [*across, len(rounds) - 0.5],
        [*best, best[-1]],
        drawstyle="steps-post",
        color=BEST.color,
        linewidth=1,
        zorder=1,
    )
    ends = shares_of_any_copy(rows)
    axes.vlines(across, ends["low"], ends["high"], color=plotting.PALE, linewidth=2.2, zorder=2)
    for outcome, look in LOOKS.items():
        shown = rows["outcome"] == outcome
        axes.plot(across[shown], rows["share"][shown], zorder=3, **look.style())
    for number, (before, after) in steps(rows).items():
        axes.plot([place[number]] * 2, [before, after], color=plotting.BLACK, linewidth=2.2, zorder=2)
    name_steps(axes, rows)
    last = len(rounds) - 1
    axes.set_xticks(range(last, -1, -2), rounds[::-2])
    axes.set_xticks(range(len(rounds)), minor=True)
    for index, (round_, after) in enumerate(pairwise(rounds)):
        if after > round_ + 1:  # rounds are left out
            axes.axvline(index + 0.5, color=plotting.GREY, linestyle=":", linewidth=0.8, zorder=0)
    axes.set_xlim(-0.7, last + 0.5)
    axes.tick_params(axis="x", labelsize=6.5)
    axes.set_xlabel("round")
    axes.grid(axis="y")
    axes.set_axisbelow(True)


def name_steps(axes, rows: pandas.DataFrame) -> None:
    """The changes of the rounds that were a step, at the lower right, where there are no markers."""
    names = rows.set_index("round")["name"]
    said = [
        f"{number}: {names[number]}, +{after - before:.2f}" for number, (before, after) in steps(rows).items()
    ]
    axes.text(
        0.93, 0.02, "\n".join(said), ha="right", va="bottom", fontsize=6.5, transform=axes.transAxes, zorder=4
    )


def draw_target(axes, target: Target | None) -> None:
    """The target share, with its number at the left."""
    if target is None:
        return
    axes.axhline(target.at_least, color=TARGET.color, linestyle=TARGET.line, linewidth=1, zorder=0)
    axes.annotate(
        f"{target.at_least:.2f}",
        (0, target.at_least),
        xycoords=("axes fraction", "data"),
        xytext=(2, 2),
        textcoords="offset points",
        color=TARGET.color,
        fontsize=6.5,
    )
