"""time_of_total: a scan yields the total for free."""

from dataclasses import replace
from itertools import product

from analysis.core import looks, plotting, sweep
from analysis.core.claim import Evidence, Look, Results, Verdict, judge, told
from analysis.core.verdict import lengths_in_words

SLACK = 0.10

SCANS = {
    **looks.of("three_phase", "reduce_then_scan", "look_back"),
    "cub_device": replace(plotting.REFERENCES["cub_device"], label="CUB device scan"),
}
COPY = "device_to_device"
REDUCTIONS = {
    "last_block": "reduction, one launch",
    "recursive": "reduction, levels",
    "cub_device": "CUB reduction",
}
EXCLUSIVE = ("look_back", "reduce_then_scan")
WAYS = {
    "reduction": Look("separate reduction", plotting.RED, "s"),
    "last": Look("last prefix + last element", plotting.PURPLE, "v"),
    "one_more": Look("one more element", plotting.GREEN, "o"),
}
FREE_WAYS = ("last", "one_more")


def scan(algorithm: str) -> dict:
    return {"operation": "scan", "algorithm": algorithm, "form": "inclusive"}


def with_total(algorithm: str, total: str, n: int) -> dict:
    """The exclusive scan of n elements; the total after it is one more element."""
    length = n if total == "none" else n + 1
    return {"algorithm": algorithm, "form": "exclusive", "total": total, "n": length}


def lengths(results: Results | None) -> list[int]:
    return sorted(results.levels("n", operation="reduce")) if results else []


def over_reduction(timed: Results | None, some: dict) -> sweep.Numbers:
    """Time of these cases relative to the fastest reduction, by n."""
    reductions = [sweep.times(timed, "n", operation="reduce", algorithm=each) for each in REDUCTIONS]
    every = sorted((time.value, n) for curve in reductions for n, time in curve.items())
    fastest = {n: us for us, n in reversed(every)}
    times = sweep.times(timed, "n", **some)
    return {n: time.value / fastest[n] for n, time in times.items() if n in fastest}


def over_scan(timed: Results | None, algorithm: str, total: str) -> sweep.Numbers:
    """Time of an exclusive scan with its total relative to the scan alone, by n."""
    found = {}
    for n in lengths(timed):
        alone, more = (timed.time(**with_total(algorithm, each, n), cache="cold") for each in ("none", total))
        if alone and more:
            found[n] = more.value / alone.value
    return found


def needed_anyway(timed: Results | None) -> sweep.Numbers:
    """By n: time of the faster way relative to the scan alone, for the scan with which it is greater."""
    ratios = [[over_scan(timed, algorithm, way) for way in FREE_WAYS] for algorithm in EXCLUSIVE]
    known = [n for n in lengths(timed) if all(n in way for ways in ratios for way in ways)]
    return {n: max(min(way[n] for way in ways) for ways in ratios) for n in known}


def operations_more(counted: Results | None) -> list[int]:
    """The operations that the last prefix and element add to the scan, for each case counted."""
    found = []
    for n, algorithm in product(lengths(counted), EXCLUSIVE):
        ops = [counted.count("ops", **with_total(algorithm, total, n)) for total in ("none", "last")]
        found += [] if None in ops else [ops[1] - ops[0]]
    return found


def verdict(evidence: Evidence) -> Verdict:
    more, anyway = operations_more(evidence.counted), needed_anyway(evidence.timed)
    free = sweep.within(anyway, evidence.floor, SLACK)
    every = [over_reduction(evidence.timed, scan(each)) for each in SCANS]
    only = [min(each[n] for each in every if n in each) for n in every[0]]
    most = max(1.0, *anyway.values()) if anyway else None
    finding = told("time_of_total", more=max(more, default=None), anyway=most, only=only)
    return judge(max(more) <= 1 if more else None, free, finding, lengths_in_words(free))


@plotting.of_times
def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 3.2, ncols=2)
    draw_only_total(left, evidence.timed)
    draw_needed_anyway(right, evidence.timed)
    for axes in (left, right):
        axes.set_ylim(bottom=0)
        axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), ncols=2, columnspacing=1, borderpad=0)
    return figure


def draw_only_total(axes, timed: Results) -> None:
    sweep.band(axes, SLACK)
    sweep.lines(axes, {look: over_reduction(timed, scan(each)) for each, look in SCANS.items()})
    copy = over_reduction(timed, {"operation": "copy", "algorithm": COPY})
    sweep.lines(axes, {plotting.REFERENCES[COPY]: copy})
    sweep.finish(axes, "time / fastest reduction", "Only the total is needed", "floats, n")


def draw_needed_anyway(axes, timed: Results) -> None:
    sweep.band(axes, SLACK)
    for (way, look), algorithm in product(WAYS.items(), EXCLUSIVE):
        found, ours = over_scan(timed, algorithm, way), algorithm == EXCLUSIVE[0]
        style = look.style() | ({} if ours else {"linestyle": "--", "markerfacecolor": "white"})
        axes.plot(list(found), list(found.values()), label=look.label if ours else None, **style)
    axes.plot([], [], color=plotting.GREY, linestyle="-", label="of look-back")
    axes.plot([], [], color=plotting.GREY, linestyle="--", label="of reduce, then scan")
    sweep.finish(axes, "time / scan alone", "The scan is needed anyway", "floats, n")
