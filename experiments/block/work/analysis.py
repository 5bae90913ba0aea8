"""work: Hillis-Steele does O(n log n) operations, the tree scans O(n)."""

from functools import partial
from itertools import product

from analysis.core import charts, looks, plotting, sweep, words
from analysis.core.claim import Evidence, Look, Results, Table, Verdict, closed_forms, judge, told
from analysis.core.verdict import grouped
from experiments.block.tile_scans import TileScans, tile_references

ALGORITHMS = looks.of("hillis_steele", "sklansky", "blelloch", "brent_kung")
TREES = ("blelloch", "brent_kung")
MAPS = {
    "plain": Look("plain", plotting.RED, "o", filled=False),
    "padded": Look("padded", plotting.BLUE, "o"),
}
SCANS = TileScans(ALGORITHMS, "hillis_steele")
times, count = SCANS.times, SCANS.count


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted, "ops")
    base, n, faster = times(evidence.timed, "hillis_steele"), SCANS.length(evidence.timed), {}
    for tree, (tile, time) in product(TREES, base.items()):
        mine = times(evidence.timed, tree).get(tile)
        faster[ALGORITHMS[tree].label, tile] = evidence.floor.faster(mine, time, n)
    return judge(right, faster, wrong or told("work", **numbers(evidence)), grouped(faster))


def numbers(evidence: Evidence) -> dict:
    """Hillis-Steele relative to Blelloch, as printed, in the largest tile: operations, and time if known; the
    faster tree relative to Hillis-Steele, each with its better index map, in some tiles."""
    if not evidence.counted:
        return {}
    pair = ("hillis_steele", "blelloch")
    curves = [times(evidence.timed, each) for each in pair]
    tile = max(curves[0] or evidence.counted.levels("tile", algorithm=pair[0]))
    ops = [count(evidence.counted, "ops", each, tile) for each in pair]
    found = {"tile": tile} | ({"ops": ops[0] / ops[1]} if all(ops) else {})
    if all(tile in curve for curve in curves):
        found["time"] = curves[0][tile].value / curves[1][tile].value
    if at_best := trees_at_best(evidence.timed):
        found["tiles"] = words.span(at_best, words.integer)
    return found | {"time_of_trees": list(at_best.values())}


def trees_at_best(timed: Results | None) -> dict[int, float]:
    """By tile: the time of the fastest tree relative to Hillis-Steele, each with its better index map."""

    def best(*names: str) -> dict[int, float]:
        curves = [times(timed, name, index) for name in names for index in MAPS]
        tiles = dict.fromkeys(tile for curve in curves for tile in curve)
        return {tile: min(curve[tile].value for curve in curves if tile in curve) for tile in tiles}

    trees, base = best(*TREES), best("hillis_steele")
    return {tile: trees[tile] / time for tile, time in base.items() if tile in trees}


@plotting.of_both
def figure(evidence: Evidence):
    """The work, and the times, a panel for each tile size."""
    sizes = list(times(evidence.timed, "hillis_steele"))
    grid = {"ncols": 1 + len(sizes), "width_ratios": [1.7, *[1] * len(sizes)]}
    figure, (left, *panels) = plotting.new_figure(plotting.WIDE, 2.5, **grid)
    draw_operations(left, evidence.counted)
    for panel, tile in zip(panels, sizes, strict=True):
        draw_times(panel, evidence.timed, tile)
    for panel in panels:
        panel.set_xlim(0, max(each.get_xlim()[1] for each in panels))
    for panel in panels[1:]:
        panel.set_yticklabels([])
    plotting.legend_on_top(figure, MAPS.values())
    return figure


def draw_operations(axes, counted: Results) -> None:
    for algorithm, look in ALGORITHMS.items():
        cases = counted.where(operation="scan", algorithm=algorithm, index="plain")
        cases = cases[cases["n"] == cases["tile"]].sort_values("n")
        axes.plot(cases["n"], cases["predicted_ops"] / cases["n"], color=look.color, linestyle=look.line)
        style = look.style() | {"linestyle": "none", "label": look.label}
        axes.plot(cases["n"], cases["ops"] / cases["n"], **style)
    sweep.finish(axes, "operations per element", "Work", "tile size, n elements")
    axes.set_ylim(bottom=0)
    axes.legend(loc="upper left")


def draw_times(axes, timed: Results, tile: int) -> None:
    curves = tile_references(timed, [tile], n=SCANS.length(timed))
    references = {name: curve[tile] for name, curve in reversed(curves.items())}
    found = {index: [times(timed, each, index).get(tile) for each in ALGORITHMS] for index in MAPS}
    series = [(look, found[index]) for index, look in MAPS.items()]
    charts.time_chart(axes, references, [look.label for look in ALGORITHMS.values()], series)
    axes.set(xlabel=f"{words.power(SCANS.length(timed))} floats, µs (cold)", title=f"Time, tile {tile:,}")


def text(evidence: Evidence) -> str:
    found = []
    for (algorithm, look), index in product(ALGORITHMS.items(), MAPS):
        curve = times(evidence.timed, algorithm, index)
        found += [(time.value, f"{index} {look.label}", tile) for tile, time in curve.items()]
    _, fastest, tile = min(found, default=(None, None, None))
    return told("work: text", fastest=fastest, fastest_tile=tile)


def tables(evidence: Evidence) -> list[Table]:
    counts = {"operations": partial(count, evidence.counted, "ops")}
    counts |= {"warp ops": partial(count, evidence.counted, "warp_ops")}
    for index in MAPS:
        counts[f"bank conflicts,\n{index}"] = partial(count, evidence.counted, "bank_conflicts", index=index)
    return [SCANS.table(evidence, told("work: table"), "algorithm", counts)]
