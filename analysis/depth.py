"""depth: log n steps against two sweeps; fewer steps against fewer operations."""

from dataclasses import replace

from analysis.common import looks, plotting, sweep, words
from analysis.common.evidence import Evidence, Results, closed_forms
from analysis.common.tables import Table
from analysis.common.verdict import Verdict, judge

QUESTION = "How many dependent steps does a scan take, and do fewer steps make it faster?"
CAPTION = (
    "Left: steps and barriers of one tile, counted. The others: time of the scan of every tile, by tile "
    "size; medians and 95% confidence intervals, cold. Red and orange: scans of log n steps; green and blue: "
    "two sweeps."
)

HILLIS_STEELE = looks.BLOCK_SCANS["hillis_steele"]
ALGORITHMS = {
    "hillis_steele": HILLIS_STEELE,
    "hillis_steele_two_buffers": replace(
        HILLIS_STEELE, label="Hillis-Steele, two buffers", line="--", filled=False
    ),
    "sklansky": looks.BLOCK_SCANS["sklansky"],
    "brent_kung": looks.BLOCK_SCANS["brent_kung"],
    "blelloch": looks.BLOCK_SCANS["blelloch"],
}
SHALLOW = ("hillis_steele", "sklansky")
TREES = ("brent_kung", "blelloch")
MAPS = ("plain", "padded")
SHOWN = 1024  # the tile whose steps are drawn


def tiles_of(results: Results | None) -> list[int]:
    return sorted(results.levels("tile", algorithm="hillis_steele")) if results else []


def largest(results: Results | None) -> int:
    return sweep.longest(results, algorithm="hillis_steele")


def times(timed: Results | None, algorithm: str, index: str) -> sweep.Curve:
    """By tile."""
    return sweep.times(timed, "tile", algorithm=algorithm, index=index, n=largest(timed))


def count(counted: Results | None, quantity: str, algorithm: str, tile: int) -> float | None:
    """A count per tile."""
    n = largest(counted)
    total = counted and counted.count(quantity, algorithm=algorithm, index="plain", tile=tile, n=n)
    whole = quantity == "operator_steps"  # all tiles take their steps at the same time
    return total if total is None or whole else total * tile / n


def verdict(evidence: Evidence) -> Verdict:
    right, wrong = closed_forms(evidence.counted, "operator_steps")
    timed, faster = evidence.timed, {}
    for index in MAPS:
        curves = {each: times(timed, each, index) for each in (*SHALLOW, *TREES)}
        for tile in tiles_of(timed):
            won = [
                evidence.floor.faster(curves[one].get(tile), curves[tree].get(tile), largest(timed))
                for one in SHALLOW
                for tree in TREES
            ]
            faster[index, tile] = None if None in won else all(won)
    return judge(right, faster, wrong or finding(evidence), sweep.grouped(faster))


def finding(evidence: Evidence) -> str:
    steps = [count(evidence.counted, "operator_steps", each, SHOWN) for each in ("hillis_steele", "blelloch")]
    if None in steps:
        return "The steps were not counted."
    said = (
        f"In a tile of {SHOWN:,} Hillis-Steele and Sklansky take {steps[0]:.0f} steps, a tree {steps[1]:.0f}"
    )
    ratios = over_faster_tree(evidence.timed, "sklansky")
    pace = words.pace(ratios, "the faster tree") if ratios else ""
    return f"{said}; Sklansky is {pace}." if pace else f"{said}."


def over_faster_tree(timed: Results | None, algorithm: str) -> list[float]:
    """Time relative to the faster of the trees, in every tile with each index map."""
    found = []
    for index in MAPS:
        trees = [times(timed, tree, index) for tree in TREES]
        for tile, time in times(timed, algorithm, index).items():
            if all(tile in tree for tree in trees):
                found.append(time.value / min(tree[tile].value for tree in trees))
    return found


def figure(evidence: Evidence):
    timed = evidence.timed
    figure, (left, *panels) = sweep.panels_of(evidence, 2.75, [0.9, 1, 1])
    draw_steps(left, evidence.counted)
    if timed:
        curves = {
            f"Time, {index}": {look: times(timed, each, index) for each, look in ALGORITHMS.items()}
            for index in MAPS
        }
        sweep.tile_panels(panels, curves, sweep.tile_references(timed, tiles_of(timed), n=largest(timed)))
        panels[0].set_ylabel(f"{words.power(largest(timed))} floats, µs (cold)")
        plotting.legend_on_top(figure, ALGORITHMS.values())
    return figure


def draw_steps(axes, counted: Results | None) -> None:
    """A row for each algorithm: its steps and its barriers."""
    if counted is None:
        return plotting.empty(axes, "steps: not counted")
    for row, (algorithm, look) in enumerate(ALGORITHMS.items()):
        steps, barriers = (count(counted, each, algorithm, SHOWN) for each in ("operator_steps", "barriers"))
        axes.barh(row - 0.2, steps, 0.36, color=look.color)
        axes.barh(row + 0.2, barriers, 0.36, facecolor="white", edgecolor=look.color, hatch="////")
        axes.text(steps + 0.3, row - 0.2, f"{steps:,.0f} steps", va="center", fontsize=6.5)
        axes.text(barriers + 0.3, row + 0.2, f"{barriers:,.0f} barriers", va="center", fontsize=6.5)
    labels = [look.label.replace(", ", ",\n") for look in ALGORITHMS.values()]
    axes.set_yticks(range(len(ALGORITHMS)), labels)
    axes.set_ylim(len(ALGORITHMS) - 0.5, -0.5)
    axes.set_xlim(0, 1.45 * axes.dataLim.x1)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("in one tile")
    axes.set_title(f"Steps, tile {SHOWN:,}")


def text(evidence: Evidence) -> list[str]:
    """What changes with the barriers alone, and with the operations alone."""
    said = []
    pairs = (
        (
            "With two buffers, and so half the barriers, Hillis-Steele",
            "hillis_steele_two_buffers",
            "as printed",
        ),
        ("With as many steps and fewer operations, Sklansky", "sklansky", "Hillis-Steele"),
    )
    for start, one, other in pairs:
        ratios = [
            ratio
            for index in MAPS
            for ratio in sweep.ratios(
                times(evidence.timed, one, index), times(evidence.timed, "hillis_steele", index)
            ).values()
        ]
        if ratios:
            said.append(f"{start} is {words.pace(ratios, other)}.")
    return [" ".join(said)] if said else []


def tables(evidence: Evidence) -> list[Table]:
    quantities = {
        "operator_steps": "steps",
        "barriers": "barriers",
        "ops": "operations",
        "warp_ops": "warp ops",
    }
    cells = {
        name: lambda each, tile, of=of: words.integer(count(evidence.counted, of, each, tile))
        for of, name in quantities.items()
    }
    for index in MAPS:
        cells[f"{index}, cold,\nµs [95% CI]"] = lambda each, tile, index=index: words.interval(
            times(evidence.timed, each, index).get(tile)
        )
    keys = [(each, tile) for tile in tiles_of(evidence.counted or evidence.timed) for each in ALGORITHMS]
    caption = "Counts of one tile, and the time of a whole vector, each tile scanned on its own."
    return [sweep.table(caption, ["algorithm", "tile"], keys, cells, ALGORITHMS)]
