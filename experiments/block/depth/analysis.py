"""depth: log n steps against two sweeps; fewer steps against fewer operations."""

import math
from dataclasses import replace
from functools import partial
from itertools import product

from analysis.core import charts, looks, plotting, sweep, words
from analysis.core.claim import Evidence, Results, Table, Verdict, closed_forms, judge, told
from analysis.core.verdict import grouped
from experiments.block.tile_scans import COUNTED, MAPS, TileScans

HILLIS_STEELE = looks.BLOCK_SCANS["hillis_steele"]
TWO_BUFFERS = replace(HILLIS_STEELE, label="Hillis-Steele, two buffers", line="--", filled=False)
ALGORITHMS = {
    "hillis_steele": HILLIS_STEELE,
    "hillis_steele_two_buffers": TWO_BUFFERS,
    "sklansky": looks.BLOCK_SCANS["sklansky"],
    "brent_kung": looks.BLOCK_SCANS["brent_kung"],
    "blelloch": looks.BLOCK_SCANS["blelloch"],
}
SHALLOW = ("hillis_steele", "sklansky")
TREES = ("brent_kung", "blelloch")
SCANS = TileScans(ALGORITHMS, "hillis_steele")
SHOWN = 1024  # the tile whose steps are drawn
times = SCANS.times


def count(counted: Results | None, quantity: str, algorithm: str, tile: int) -> float | None:
    """A count per tile; but all tiles take their steps at the same time."""
    if quantity != "operator_steps":
        return SCANS.count(counted, quantity, algorithm, tile)
    n = SCANS.length(counted)
    return counted and counted.count(quantity, algorithm=algorithm, index="plain", tile=tile, n=n)


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted, "operator_steps")
    timed, faster = evidence.timed, {}
    for index, tile in product(MAPS, SCANS.tiles(timed)):
        us = {each: times(timed, each, index).get(tile) for each in (*SHALLOW, *TREES)}
        n, pairs = SCANS.length(timed), product(SHALLOW, TREES)
        won = [evidence.floor.faster(us[one], us[tree], n) for one, tree in pairs]
        faster[index, tile] = None if None in won else all(won)
    pair, ratios = ("hillis_steele", "blelloch"), over_faster_tree(timed, "sklansky")
    steps = [count(evidence.counted, "operator_steps", each, SHOWN) for each in pair]
    finding = told("depth", tile=SHOWN, steps=None if None in steps else steps, ratios=ratios)
    return judge(right, faster, wrong or finding, grouped(faster))


def over_faster_tree(timed: Results | None, algorithm: str) -> list[float]:
    """Time relative to the faster of the trees, in every tile with each index map."""
    found = []
    for index in MAPS:
        mine, trees = times(timed, algorithm, index), [times(timed, tree, index) for tree in TREES]
        one, other = (sweep.ratios(mine, tree) for tree in trees)
        found += [max(ratio, other[tile]) for tile, ratio in one.items() if tile in other]
    return found


@plotting.of_both
def figure(evidence: Evidence):
    return SCANS.figure(evidence, 2.75, [0.9, 1, 1], draw_steps)


def draw_steps(axes, counted: Results) -> None:
    """A row for each algorithm: its steps and its barriers."""
    for row, (algorithm, look) in enumerate(ALGORITHMS.items()):
        steps, barriers = (count(counted, each, algorithm, SHOWN) for each in ("operator_steps", "barriers"))
        axes.barh(row - 0.2, steps, 0.36, color=look.color)
        axes.barh(row + 0.2, barriers, 0.36, facecolor="white", edgecolor=look.color, hatch="////")
        axes.text(steps + 0.3, row - 0.2, f"{steps:,.0f} steps", va="center", fontsize=7)
        axes.text(barriers + 0.3, row + 0.2, f"{barriers:,.0f} barriers", va="center", fontsize=7)
    charts.name_rows(axes, [look.label.replace(", ", ",\n") for look in ALGORITHMS.values()])
    axes.set(xlim=(0, 1.45 * axes.dataLim.x1), xlabel="in one tile", title=f"Steps, tile {SHOWN:,}")


def text(evidence: Evidence) -> str:
    """What changes with the barriers alone, and with the operations alone."""
    buffers, sklansky = [], []
    for index in MAPS:
        base = times(evidence.timed, "hillis_steele", index)
        for name, found in (("hillis_steele_two_buffers", buffers), ("sklansky", sklansky)):
            found += sweep.ratios(times(evidence.timed, name, index), base).values()
    late = [words.integer(tile) for tile in moved(evidence.counted)]
    paces = told("depth: text", buffers=buffers, sklansky=sklansky)
    return " ".join(filter(None, [paces, told("depth: moved", moved=late)]))


def moved(counted: Results | None) -> list[int]:
    """The tiles in which Hillis-Steele adds in more steps than log n."""
    steps = {tile: count(counted, "operator_steps", "hillis_steele", tile) for tile in SCANS.tiles(counted)}
    return [tile for tile, found in steps.items() if found and found > math.log2(tile)]


def tables(evidence: Evidence) -> list[Table]:
    quantities = {"operator_steps": "steps"} | COUNTED
    counts = {name: partial(count, evidence.counted, of) for of, name in quantities.items()}
    return [SCANS.table(evidence, told("depth: table"), "algorithm", counts)]
