"""depth: log n steps against two sweeps; fewer steps against fewer operations."""

from analysis.common import by_tile, plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

QUESTION = "How many dependent steps does a scan take, and do fewer steps make it faster?"
RULE = (
    "Fails if a counted number of steps differs from its closed form, for any algorithm and tile, or if no "
    "scan of log n steps (Hillis-Steele as printed, Sklansky) is faster than a tree scan (Brent-Kung, "
    "Blelloch) in any tile. Holds if both scans of log n steps are faster than both tree scans in every "
    "tile. Otherwise it holds within limits. Only scans of one tile and one index map are compared, at the "
    "longest vector, cold. Faster: a lower median, and 95% confidence intervals that do not overlap."
)
CAPTION = (
    "Left: steps and barriers of one tile, counted. The others: time of the scan of every tile, by tile "
    "size; medians and 95% confidence intervals, cold. Red and orange: scans of log n steps; green and blue: "
    "two sweeps."
)

ALGORITHMS = {
    "hillis_steele": Look("Hillis-Steele", plotting.RED, "s"),
    "hillis_steele_two_buffers": Look("Hillis-Steele, two buffers", plotting.RED, "s", "--", filled=False),
    "sklansky": Look("Sklansky", plotting.ORANGE, "^"),
    "brent_kung": Look("Brent-Kung", plotting.GREEN, "D", filled=False),
    "blelloch": Look("Blelloch", plotting.BLUE, "o"),
}
SHALLOW = ("hillis_steele", "sklansky")
TREES = ("brent_kung", "blelloch")
MAPS = ("plain", "padded")
SHOWN = 1024  # the tile whose steps are drawn


def tiles_of(results: Results | None) -> list[int]:
    return sorted(results.levels("tile", algorithm="hillis_steele")) if results else []


def largest(results: Results) -> int:
    return max(results.levels("n", algorithm="hillis_steele"))


def time_of(timed: Results, algorithm: str, index: str, tile: int, cache: str = "cold") -> Median | None:
    return timed.time(algorithm=algorithm, index=index, tile=tile, cache=cache, n=largest(timed))


def count(counted: Results | None, quantity: str, algorithm: str, tile: int, index: str = "plain"):
    """A count per tile."""
    if counted is None:
        return None
    n = largest(counted)
    total = counted.count(quantity, algorithm=algorithm, index=index, tile=tile, n=n)
    whole = quantity.endswith("operator_steps")  # all tiles take their steps at the same time
    return total if total is None or whole else total * tile / n


def verdict(evidence: Evidence) -> Verdict:
    counted, timed = evidence.counted, evidence.timed
    steps = [
        (
            algorithm,
            tile,
            *(count(counted, p + "operator_steps", algorithm, tile) for p in ("predicted_", "")),
        )
        for tile in tiles_of(counted)
        for algorithm in ALGORITHMS
    ]
    if not steps or any(None in each for each in steps):
        return Verdict(NOT_MEASURED, "The steps were not counted.")
    for algorithm, tile, stated, found in steps:
        if stated != found:
            name = ALGORITHMS[algorithm].label
            said = f"{name} takes {found:,} steps in a tile of {tile:,}, not {stated:,}."
            return Verdict(FAILS, said)
    said = f"All {len(steps)} counts of steps equal their closed forms"
    found = races(timed)
    if not found or None in found.values():
        return Verdict(NOT_MEASURED, f"{said}; whether fewer steps are faster was not timed.")
    if not any(found.values()):
        return Verdict(FAILS, f"{said}, but no scan of log n steps is faster than a tree scan in any tile.")
    if all(found.values()):
        return Verdict(HOLDS, f"{said}, and each scan of log n steps is faster than each tree in every tile.")
    parts = [f"{ALGORITHMS[shallow].label} {winning(found, shallow)}" for shallow in SHALLOW]
    return Verdict(LIMITS, f"{said}. Faster than both trees: {'; '.join(parts)}.")


def races(timed: Results | None) -> dict[tuple[str, str, str, int], bool | None]:
    """By scan of log n steps, tree, index map and tile: whether the first is faster; None if not timed."""
    found = {}
    for shallow in SHALLOW:
        for tree in TREES:
            for index in MAPS:
                for tile in tiles_of(timed):
                    times = [time_of(timed, each, index, tile) for each in (shallow, tree)]
                    found[shallow, tree, index, tile] = times[0].below(times[1]) if all(times) else None
    return found


def winning(found: dict, shallow: str) -> str:
    """The index map and the tiles with which it is faster than both trees."""
    every = sorted({tile for *_, tile in found})
    by_map = {
        index: [tile for tile in every if all(found[shallow, tree, index, tile] for tree in TREES)]
        for index in MAPS
    }
    if by_map["plain"] == by_map["padded"]:
        return by_tile.in_words(by_map["plain"], every)
    return words.listing([f"{index} {by_tile.in_words(tiles, every)}" for index, tiles in by_map.items()])


def figure(evidence: Evidence):
    timed = evidence.timed
    columns = 3 if timed else 1
    figure, (left, *panels) = plotting.new_figure(
        plotting.WIDE if timed else plotting.NARROW, 2.75, ncols=columns, width_ratios=[0.9, 1, 1][:columns]
    )
    draw_steps(left, evidence.counted)
    if timed:
        for panel, index in zip(panels, MAPS, strict=True):
            draw_times(panel, timed, index)
        by_tile.finish(panels, tiles_of(timed), reference_curves(timed))
        panels[0].set_ylabel(f"{words.power(largest(timed))} floats, µs (cold)")
        plotting.legend_on_top(figure, ALGORITHMS.values())
    plotting.sources(figure, evidence)
    return figure


def draw_steps(axes, counted: Results | None) -> None:
    """A row for each algorithm: its steps, and its barriers after the load."""
    if counted is None:
        return plotting.empty(axes, "steps: not counted")
    for row, (algorithm, look) in enumerate(ALGORITHMS.items()):
        steps, barriers = (count(counted, each, algorithm, SHOWN) for each in ("operator_steps", "barriers"))
        axes.barh(row - 0.2, steps, 0.36, color=look.color)
        axes.barh(row + 0.2, barriers - 1, 0.36, facecolor="white", edgecolor=look.color, hatch="////")
        axes.text(steps + 0.3, row - 0.2, f"{steps:,.0f} steps", va="center", fontsize=6.5)
        axes.text(barriers - 0.7, row + 0.2, f"{barriers - 1:,.0f} barriers", va="center", fontsize=6.5)
    labels = [look.label.replace(", ", ",\n") for look in ALGORITHMS.values()]
    axes.set_yticks(range(len(ALGORITHMS)), labels)
    axes.set_ylim(len(ALGORITHMS) - 0.5, -0.5)
    axes.set_xlim(0, 1.45 * axes.dataLim.x1)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("in one tile")
    axes.set_title(f"Steps, tile {SHOWN:,}")


def draw_times(axes, timed: Results, index: str) -> None:
    for algorithm, look in ALGORITHMS.items():
        times = {tile: time_of(timed, algorithm, index, tile) for tile in tiles_of(timed)}
        plotting.time_line(axes, look, {tile: time for tile, time in times.items() if time})
    axes.set_title(f"Time, {index}")


def reference_curves(timed: Results) -> by_tile.Curves:
    every, factors = tiles_of(timed), {"cache": "cold", "n": largest(timed)}
    return by_tile.block_curve(timed, every, **factors) | by_tile.device_curves(timed, every, **factors)


def numbers(evidence: Evidence) -> dict:
    found = {}
    if evidence.counted:
        quantities = ("operator_steps", "barriers", "ops", "warp_ops")
        found["tile"] = SHOWN
        found["counted"] = {
            algorithm: {each: count(evidence.counted, each, algorithm, SHOWN) for each in quantities}
            for algorithm in ALGORITHMS
        }
    if evidence.timed:
        timed = evidence.timed
        found["us"] = {
            f"{algorithm} {index} {tile}": time.value
            for algorithm in ALGORITHMS
            for index in MAPS
            for tile in tiles_of(timed)
            if (time := time_of(timed, algorithm, index, tile))
        }
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = [steps_in_words(numbers)] if "counted" in numbers else []
    if us := numbers.get("us"):
        tiles = sorted({int(key.split()[2]) for key in us})
        paragraphs.append(
            " ".join(
                filter(None, [fastest_in_words(us, tiles), barriers_in_words(us, tiles), same(us, tiles)])
            )
        )
    return paragraphs


def steps_in_words(numbers: dict) -> str:
    def spanned(quantity: str, algorithms: tuple[str, ...]) -> str:
        return words.span([numbers["counted"][each][quantity] for each in algorithms], words.integer)

    steps, operations = (
        {which: spanned(quantity, which) for which in (SHALLOW, TREES)}
        for quantity in ("operator_steps", "ops")
    )
    one_buffer, two_buffers, sklansky, trees = (
        spanned("barriers", which)
        for which in (("hillis_steele",), ("hillis_steele_two_buffers",), ("sklansky",), TREES)
    )
    return (
        f"A tile of {numbers['tile']:,} takes {steps[SHALLOW]} steps and {operations[SHALLOW]} operations in "
        f"the scans of log n steps, {steps[TREES]} steps and {operations[TREES]} operations in the trees. "
        f"But Hillis-Steele as printed has two barriers in each step: {one_buffer} with the one after the "
        f"load, where the trees have {trees}. With two buffers it has {two_buffers}, Sklansky {sklansky}."
    )


def fastest_in_words(us: dict, tiles: list[int]) -> str:
    """The fastest algorithm in each tile, by index map."""
    said = []
    for index in MAPS:
        fastest = {
            tile: min(
                (each for each in ALGORITHMS if f"{each} {index} {tile}" in us),
                key=lambda each, tile=tile, index=index: us[f"{each} {index} {tile}"],
            )
            for tile in tiles
        }
        groups = [
            f"{ALGORITHMS[each].label} {by_tile.in_words([t for t in tiles if fastest[t] == each], tiles)}"
            for each in dict.fromkeys(fastest.values())
        ]
        said.append(f"{index}: {words.listing(groups)}")
    return f"The fastest scans, {'; '.join(said)}."


def barriers_in_words(us: dict, tiles: list[int]) -> str:
    """The effect of half the barriers, all else being equal."""
    changes = ratios(us, tiles, "hillis_steele_two_buffers", "hillis_steele")
    if not changes:
        return ""
    said = words.span(changes, words.share)
    return (
        f"With two buffers, and so half the barriers, Hillis-Steele takes {said} of the time that it takes "
        "as printed."
    )


def same(us: dict, tiles: list[int]) -> str:
    """The effect of fewer operations in as many steps."""
    changes = ratios(us, tiles, "sklansky", "hillis_steele")
    if not changes:
        return ""
    said = words.span(changes, words.share)
    return f"Sklansky, with as many steps and fewer operations, takes {said} of the time of Hillis-Steele."


def ratios(us: dict, tiles: list[int], first: str, second: str) -> list[float]:
    pairs = [(f"{first} {index} {tile}", f"{second} {index} {tile}") for index in MAPS for tile in tiles]
    return [us[one] / us[other] for one, other in pairs if one in us and other in us]


def tables(evidence: Evidence) -> list[Table]:
    columns = ["algorithm", "tile", "steps", "barriers", "operations", "warp ops"]
    columns += ["plain, cold,\nµs [95% CI]", "padded, cold,\nµs [95% CI]"]
    rows = [
        [look.label, f"{tile:,}", *counted_cells(evidence.counted, algorithm, tile)]
        + [
            words.interval(evidence.timed and time_of(evidence.timed, algorithm, index, tile))
            for index in MAPS
        ]
        for tile in tiles_of(evidence.counted or evidence.timed)
        for algorithm, look in ALGORITHMS.items()
    ]
    caption = (
        "Counts of one tile, predicted | counted, and the time of a whole vector, each tile scanned on its "
        "own."
    )
    return [Table(caption, columns, rows, wide=True)]


def counted_cells(counted: Results | None, algorithm: str, tile: int) -> list[str]:
    return [
        predicted.cell(*(count(counted, p + quantity, algorithm, tile) for p in ("predicted_", "")))
        for quantity in ("operator_steps", "barriers", "ops", "warp_ops")
    ]
