"""compaction: a mask, its scan and a scatter select elements and preserve their order."""

from dataclasses import replace

import pandas

from analysis.core import charts, plotting, sweep
from analysis.core.claim import NO_CLAIM, Evidence, Look, Results, Table, Verdict, judge, told

ORDERED = {
    "mask": Look("mask in memory", plotting.RED, "s", filled=False),
    "tiles": Look("scan in tiles", plotting.BLUE, "o"),
}
CURSORS = {
    "thread": Look("cursor, by thread", plotting.PURPLE, "v", "--", filled=False, size=7),
    "warp": Look("cursor, by warp", plotting.ORANGE, "^", "--"),
    "block": Look("cursor, by block", plotting.GREEN, "D", "--", size=3.5),
}
WAYS = ORDERED | CURSORS
CUB, COPY = "cub_device", "device_to_device"
BYTES = 4


def case(way: str) -> dict:
    name = {"algorithm": "cursor", "by": way} if way in CURSORS else {"algorithm": way}
    return {"operation": "compact"} | name


def percents(results: Results) -> list[int]:
    return sorted(results.levels("kept_percent", operation="compact"))


def times(timed: Results | None, way: str) -> sweep.Curve:
    """By share of selected elements."""
    return sweep.times(timed, "kept_percent", **case(way))


def cost_of_order(timed: Results | None) -> sweep.Numbers:
    """Time of the fastest ordered way relative to the fastest cursor, by share, where all were timed."""
    curves = pandas.DataFrame({way: {k: time.value for k, time in times(timed, way).items()} for way in WAYS})
    known = curves.dropna()
    return (known[list(ORDERED)].min(axis=1) / known[list(CURSORS)].min(axis=1)).to_dict()


def left_by_fastest(timed: Results | None) -> int | None:
    """The most elements that the cursor that is fastest at a share leaves out of order there."""
    if timed is None or "out_of_order" not in timed.rows:
        return None
    curves, left = {way: times(timed, way) for way in CURSORS}, []
    for share in percents(timed):
        way = min(CURSORS, key=lambda each: curves[each][share].value)
        left.append(sweep.most(timed, "out_of_order", **case(way), kept_percent=share))
    return max(left)


def verdict(evidence: Evidence) -> Verdict:
    machines = (evidence.counted, evidence.timed)
    lost = [sweep.most(each, "out_of_order", **case(way)) for each in machines for way in ORDERED]
    known = [each for each in lost if each is not None]
    by_share = {f"{share}% selected": ratio for share, ratio in cost_of_order(evidence.timed).items()}
    finding = told("compaction", ratios=by_share, unordered=left_by_fastest(evidence.timed) or None)
    if not known:
        finding = told("compaction: not counted")
    elif any(known):
        finding = told("compaction: lost", lost=max(known))
    return judge(not any(known) if known else None, NO_CLAIM, finding)


def moved(counted: Results, way: str) -> sweep.Numbers:
    """Bytes read and written per element of the vector, by share."""
    found = {}
    for percent in percents(counted):
        factors = case(way) | {"kept_percent": percent}
        both = [counted.count(f"global_bytes_{each}", **factors) for each in ("read", "written")]
        if None not in both:
            found[percent] = sum(both) / counted.levels("n", **factors)[0]
    return found


@plotting.of_both
def figure(evidence: Evidence):
    figure, (left, right) = plotting.new_figure(plotting.WIDE, 2.9, ncols=2)
    draw_times(left, evidence.timed)
    draw_bytes(right, evidence.counted)
    for axes in (left, right):
        axes.grid()
    plotting.legend_on_top(figure, [*WAYS.values(), *map(plotting.line_of, (CUB, COPY))], columns=4)
    return figure


def draw_times(axes, timed: Results) -> None:
    every = percents(timed)
    curves = {CUB: times(timed, CUB)}
    if copy := timed.time(algorithm=COPY, cache="cold"):
        curves[COPY] = dict.fromkeys(every, copy)
    charts.reference_curves(axes, {name: sweep.at_places(curve, every) for name, curve in curves.items()})
    sweep.lines(axes, {look: sweep.at_places(times(timed, way), every) for way, look in WAYS.items()})
    by_share(axes, every, "time, µs (cold)", "Time")
    axes.set_yscale("log")


def draw_bytes(axes, counted: Results) -> None:
    every = percents(counted)
    axes.plot([BYTES * (1 + each / 100) for each in every], color=plotting.GREY, linewidth=1)
    looks = {replace(look, line="none"): way for way, look in WAYS.items()}
    sweep.lines(axes, {look: sweep.at_places(moved(counted, way), every) for look, way in looks.items()})
    by_share(axes, every, "bytes per element", "Memory traffic")
    axes.set_ylim(bottom=0)
    place = {"xytext": (0, -10), "textcoords": "offset points", "ha": "right"}
    axes.annotate("must move", (len(every) - 1, 2 * BYTES), **place)


def by_share(axes, every: list[int], label: str, title: str) -> None:
    sweep.by_place(axes, [f"{each}%" for each in every], label, title, "elements selected")


def is_aggregated(counted: Results) -> bool:
    """Whether one lane adds for its whole warp though the source says that each lane adds."""

    def counts(quantity: str, way: str) -> list:
        return [counted.count(quantity, **case(way), kept_percent=each) for each in percents(counted)]

    own, of_warps = (counts("atomic_requests", way) for way in ("thread", "warp"))
    return own == of_warps == counts("atomic_lanes", "thread")


def tables(evidence: Evidence) -> list[Table]:
    counted = evidence.counted
    quantities = {"launches": "launches", "barriers": "barriers", "atomic_requests": "atomics"}
    quantities |= {"global_bytes_read": "bytes read", "global_bytes_written": "bytes written"}
    shares = percents(counted)
    cells = sweep.cells_of_counts(counted, quantities, lambda way, share: case(way) | {"kept_percent": share})
    n = sweep.longest(counted, operation="compact")
    caption = told("compaction: table", n=n, aggregated=is_aggregated(counted))
    keys = [(way, share) for share in shares for way in WAYS]
    return [sweep.table(caption, ["way", "selected, %"], keys, cells, WAYS)]
