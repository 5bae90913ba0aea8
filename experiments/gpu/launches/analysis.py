"""launches: a kernel launch costs almost nothing, so it can serve as a grid-wide barrier."""

from dataclasses import replace
from itertools import product
from math import fsum

from analysis.core import charts, plotting, sweep, words
from analysis.core.claim import (
    Evidence,
    Look,
    Median,
    Results,
    Verdict,
    closed_forms,
    judge,
    median,
    told,
)

SHARE = 0.05
FULL, SOURCES_OWN = 1 << 20, 1 << 22

WAYS = {  # who queues, and the blocks of the grid
    ("ahead", 1): Look("ahead, 1 block", plotting.BLUE, "o"),
    ("ahead", 1024): Look("ahead, 1,024 blocks", plotting.GREEN, "^"),
    ("live", 1): Look("live, 1 block", plotting.ORANGE, "o", "--", filled=False),
    ("live", 1024): Look("live, 1,024 blocks", plotting.RED, "^", "--", filled=False),
}
SMALLEST = ("ahead", 1)  # the cost on the GPU alone


def case(way: tuple[str, int]) -> dict:
    return {"algorithm": "empty", "queued": way[0], "blocks": way[1]}


def times(timed: Results | None, way: tuple[str, int]) -> sweep.Curve:
    """Time of k empty kernels, by k."""
    return sweep.times(timed, "kernels", **case(way))


def one_more(timed: Results, way: tuple[str, int]) -> Median | None:
    """The cost of one more launch: the median over repetitions of the slope over k."""
    rows = timed.where(**case(way), cache="cold")
    if rows.empty or rows["kernels"].nunique() < 2:
        return None
    table = rows.pivot(index="repetition", columns="kernels", values="time_us").dropna()
    return median(slope(dict(times)) for _, times in table.iterrows()) if len(table) else None


def slope(times: dict[int, float]) -> float:
    """By least squares."""
    middle = fsum(times) / len(times)
    square = fsum((k - middle) ** 2 for k in times)
    return fsum((k - middle) * time for k, time in times.items()) / square


def costs(timed: Results | None) -> dict[tuple[str, int], Median]:
    found = {way: one_more(timed, way) for way in WAYS} if timed else {}
    return {way: cost for way, cost in found.items() if cost}


def levels(timed: Results | None) -> sweep.Numbers:
    """Time of one level of the reduction, by n, cold."""
    return {n: time.value for n, time in sweep.times(timed, "n", algorithm="tree").items()}


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted)
    found, level = costs(evidence.timed), levels(evidence.timed)
    shares, small = {}, {}
    if set(found) == set(WAYS) and {FULL, SOURCES_OWN} <= set(level):
        for (way, look), n in product(WAYS.items(), (FULL, SOURCES_OWN)):
            name = f"{look.label}, {words.power(n)} floats"
            shares[name] = found[way].value / level[n]
            small[name] = shares[name] < SHARE * evidence.floor.at(n)
    cost = words.span([cost.value for cost in found.values()], words.significant) if found else None
    return judge(right, small, wrong or told("launches", cost=cost, shares=shares))


@plotting.of_times
def figure(evidence: Evidence):
    figure, (axes,) = plotting.new_figure(plotting.NARROW, 2.7)
    draw_times(axes, evidence.timed)
    plotting.legend_on_top(figure, WAYS.values(), columns=2)
    return figure


def draw_times(axes, timed: Results) -> None:
    for way, cost in costs(timed).items():
        look, curve = WAYS[way], times(timed, way)
        middle = median(time.value - cost.value * k for k, time in curve.items()).value
        line = [middle + cost.value * k for k in curve]
        axes.plot(list(curve), line, color=look.color, linestyle=look.line)
        charts.time_line(axes, replace(look, line="none"), curve)
    axes.set_xticks(kernels := sorted(timed.levels("kernels", algorithm="empty")))
    axes.set(xlim=(0, 1.04 * max(kernels)), ylim=(0, None))
    axes.set(xlabel="empty kernels, k", ylabel="time, µs (cold)")
    axes.grid()
    place = {"xycoords": ("axes fraction", "data"), "xytext": (0, 1.5), "textcoords": "offset points"}
    place |= {"ha": "right", "fontsize": 7, "color": plotting.GREY}
    place["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.4, "alpha": 0.8}
    for name, value in scale(timed).items():
        if value < axes.get_ylim()[1]:
            axes.axhline(value, color=plotting.GREY, linewidth=0.8, linestyle=":", zorder=1)
            axes.annotate(name, (1, value), **place)


def scale(timed: Results) -> dict[str, float]:
    """Times for comparison: two levels of the reduction, and the shortest copy."""
    of_level = {n: time for n, time in levels(timed).items() if n in (FULL, SOURCES_OWN)}
    found = {f"a level of {words.power(n)} floats": time for n, time in of_level.items()}
    for n, copy in list(sweep.times(timed, "n", algorithm="device_to_device").items())[:1]:
        found[f"a copy of {4 * n} bytes"] = copy.value
    return found


def numbers(evidence: Evidence) -> dict:
    """What the report's method section quotes."""
    cost, first = costs(evidence.timed).get(SMALLEST), times(evidence.timed, SMALLEST).get(1)
    return {"launch_us": cost.value, "first_us": first.value} if cost and first else {}


def text(evidence: Evidence) -> str | list[str]:
    """The length up to which a time is mostly that of a launch."""
    found = numbers(evidence)
    mostly = [n for n, time in levels(evidence.timed).items() if found and found["first_us"] > time / 2]
    return told("launches: text", mostly=max(mostly, default=None))
