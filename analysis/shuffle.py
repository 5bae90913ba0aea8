"""shuffle: registers and shuffles against shared memory, within a block."""

from analysis.common import by_tile, plotting, predicted, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.statistics import Median
from analysis.common.tables import Table
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict

QUESTION = (
    "Even a conflict-free access to shared memory costs time. Is a scan in registers, with shuffles, faster?"
)
RULE = (
    "Only scans of one tile and one index map are compared. Holds if each scan in registers (Kogge-Stone, "
    "raking) makes fewer requests to shared memory, passes fewer barriers, and is faster than each in shared "
    "memory (Hillis-Steele, Sklansky, Brent-Kung, Blelloch), wherever both can run. Fails if one makes as "
    "many requests or passes as many barriers as one in shared memory, counted, or if in no tile, with no "
    "index map, a scan in registers is faster than all in shared memory. Otherwise it holds within limits. "
    "Faster: a lower median, and 95% confidence intervals that do not overlap; at the longest vector, cold."
)
CAPTION = (
    "Left: shared-memory requests and barriers of one tile, counted. The others: time of the scan of every "
    "tile, by tile size; medians and 95% confidence intervals, cold. Filled: scans in "
    "registers; open: scans in shared memory."
)

REGISTERS = {
    "kogge_stone": Look("Kogge-Stone", plotting.BLUE, "o"),
    "raking 2": Look("raking, 2 per thread", plotting.GREEN, "^"),
    "raking 8": Look("raking, 8 per thread", plotting.SKY, "v"),
}
SHARED = {
    "hillis_steele": Look("Hillis-Steele", plotting.RED, "s", "--", filled=False),
    "sklansky": Look("Sklansky", plotting.ORANGE, "^", "--", filled=False),
    "brent_kung": Look("Brent-Kung", plotting.PURPLE, "D", "--", filled=False),
    "blelloch": Look("Blelloch", plotting.BLACK, "o", "--", filled=False),
}
SCANS = REGISTERS | SHARED
MAPS = ("plain", "padded")
FEWER = {"requests": "requests to shared memory", "barriers": "barriers"}
SHOWN = 1024  # the tile whose counts are drawn


def factors(scan: str, index: str, tile: int, results: Results) -> dict:
    algorithm, *items = scan.split()
    found = {"algorithm": algorithm, "index": index, "tile": tile, "n": largest(results)}
    return found | ({"items": int(items[0])} if items else {})


def largest(results: Results) -> int:
    return max(results.levels("n", algorithm="sklansky"))


def tiles_of(results: Results | None) -> list[int]:
    return sorted(results.levels("tile", algorithm="sklansky")) if results else []


def time_of(timed: Results, scan: str, index: str, tile: int, cache: str = "cold") -> Median | None:
    return timed.time(**factors(scan, index, tile, timed), cache=cache)


def count(counted: Results, quantity: str, scan: str, tile: int, index: str = "plain") -> float | None:
    """A count per tile; `requests`: loads and stores."""
    case = factors(scan, index, tile, counted)
    names = [quantity]
    if quantity.endswith("requests"):
        names = [quantity.replace("requests", f"shared_{each}_requests") for each in ("load", "store")]
    found = [counted.count(name, **case) for name in names]
    return None if None in found else sum(found) * tile / case["n"]


def compared(results: Results | None, value) -> dict[tuple[str, str, str, int], tuple]:
    """Both values, where known, by scan in registers, scan in shared memory, index map and tile."""
    found = {}
    for mine in REGISTERS:
        for other in SHARED:
            for index in MAPS:
                for tile in tiles_of(results):
                    pair = value(mine, index, tile), value(other, index, tile)
                    if None not in pair:
                        found[mine, other, index, tile] = pair
    return found


def not_fewer(counted: Results) -> list[str]:
    """In words, where a scan in registers makes as many requests or passes as many barriers."""
    found = []
    for quantity, name in FEWER.items():
        pairs = compared(
            counted, lambda scan, index, tile, of=quantity: count(counted, of, scan, tile, index)
        )
        found += [
            f"{SCANS[mine].label} takes {words.integer(pair[0])} {name} in a tile of {tile:,}, "
            f"{SCANS[other].label} {words.integer(pair[1])}"
            for (mine, other, _, tile), pair in pairs.items()
            if pair[0] >= pair[1]
        ]
    return found


def races(timed: Results | None) -> dict[tuple[str, str, str, int], bool]:
    """Whether the scan in registers is faster, by the same keys."""
    pairs = compared(timed, lambda scan, index, tile: time_of(timed, scan, index, tile))
    return {key: mine.below(other) for key, (mine, other) in pairs.items()}


def victories(found: dict) -> dict[tuple[str, str, int], bool]:
    """Whether it beats all scans in shared memory, by scan in registers, index map and tile."""
    cases = dict.fromkeys((mine, index, tile) for mine, _, index, tile in found)
    return {
        case: all(won for (mine, _, *where), won in found.items() if (mine, *where) == case) for case in cases
    }


def verdict(evidence: Evidence) -> Verdict:
    counted = evidence.counted
    if not compared(counted, lambda scan, index, tile: count(counted, "requests", scan, tile, index)):
        return Verdict(NOT_MEASURED, "Requests to shared memory were not counted.")
    if wrong := not_fewer(counted):
        return Verdict(FAILS, f"{wrong[0]}.")
    said = "Every scan in registers makes fewer requests to shared memory and passes fewer barriers"
    found = races(evidence.timed)
    if not found:
        return Verdict(NOT_MEASURED, f"{said}; whether it is faster was not timed.")
    if all(found.values()):
        return Verdict(HOLDS, f"{said}, and is faster than every scan in shared memory, in every tile.")
    won = victories(found)
    if not any(won.values()):
        return Verdict(FAILS, f"{said}, but none is faster than all scans in shared memory, in any tile.")
    parts = [f"{look.label} {winning(won, scan)}" for scan, look in REGISTERS.items()]
    return Verdict(LIMITS, f"{said}. Faster than all scans in shared memory: {'; '.join(parts)}.")


def winning(won: dict, scan: str) -> str:
    """The index maps and tiles with which a scan wins."""
    by_map = {index: [tile for each, of, tile in won if (each, of) == (scan, index)] for index in MAPS}
    said = {
        index: by_tile.in_words([tile for tile in every if won[scan, index, tile]], every)
        for index, every in by_map.items()
    }
    plain, padded = said.values()
    return plain if plain == padded else f"plain {plain} and padded {padded}"


def figure(evidence: Evidence):
    timed = evidence.timed
    columns = 3 if timed else 1
    figure, (left, *panels) = plotting.new_figure(
        plotting.WIDE if timed else plotting.NARROW, 2.9, ncols=columns, width_ratios=[1, 1, 1][:columns]
    )
    draw_counts(left, evidence.counted)
    if timed:
        for panel, index in zip(panels, MAPS, strict=True):
            draw_times(panel, timed, index)
        by_tile.finish(panels, tiles_of(timed), reference_curves(timed), size=6)
        panels[0].set_ylabel(f"{words.power(largest(timed))} floats, µs (cold)")
        plotting.legend_on_top(figure, SCANS.values(), columns=4)
    plotting.sources(figure, evidence)
    return figure


def draw_counts(axes, counted: Results | None) -> None:
    """A row for each scan: its requests, labelled with them and its barriers."""
    if SHOWN not in tiles_of(counted):
        return plotting.empty(axes, "requests: not counted")
    for row, (scan, look) in enumerate(SCANS.items()):
        requests, barriers = (count(counted, each, scan, SHOWN) for each in FEWER)
        axes.barh(row, requests, 0.7, color=look.color if look.filled else "white", edgecolor=look.color)
        said = f" {words.integer(requests)}; {words.plural(barriers, 'barrier')}"
        axes.text(requests, row, said, va="center", fontsize=6.5)
    axes.set_yticks(range(len(SCANS)), [look.label.replace(", ", ",\n") for look in SCANS.values()])
    axes.set_ylim(len(SCANS) - 0.5, -0.5)
    axes.set_xlim(0, 1.55 * axes.dataLim.x1)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("requests to shared memory")
    axes.set_title(f"Accesses, tile {SHOWN:,}")


def draw_times(axes, timed: Results, index: str) -> None:
    for scan, look in reversed(SCANS.items()):
        times = {tile: time_of(timed, scan, index, tile) for tile in tiles_of(timed)}
        plotting.time_line(axes, look, {tile: time for tile, time in times.items() if time})
    axes.set_title(f"Time, {index}")


def reference_curves(timed: Results) -> by_tile.Curves:
    every, case = tiles_of(timed), {"cache": "cold", "n": largest(timed)}
    return by_tile.block_curve(timed, every, **case) | by_tile.device_curves(timed, every, **case)


def numbers(evidence: Evidence) -> dict:
    found = {}
    if counted := evidence.counted:
        quantities = ("requests", "barriers", "ops")
        each = {
            scan: {quantity: count(counted, quantity, scan, SHOWN) for quantity in quantities}
            for scan in SCANS
        }
        found |= {
            "tile": SHOWN,
            "counted": {scan: of for scan, of in each.items() if None not in of.values()},
        }
    if timed := evidence.timed:
        found["us"] = {
            f"{index} {tile}": {
                scan: time.value for scan in SCANS if (time := time_of(timed, scan, index, tile))
            }
            for index in MAPS
            for tile in tiles_of(timed)
        }
    return found


def text(numbers: dict) -> list[str]:
    paragraphs = []
    if counted := numbers.get("counted"):
        said = [
            f"scans in {name} make {words.span(requests, words.integer)} requests and pass "
            f"{words.span(barriers, words.integer)} barriers"
            for name, scans in (("registers", REGISTERS), ("shared memory", SHARED))
            for requests, barriers in [
                [[counted[scan][each] for scan in scans if scan in counted] for each in FEWER]
            ]
            if requests
        ]
        paragraphs.append(f"In a tile of {numbers['tile']:,} {', '.join(said)}.")
    ratios = {
        index: fastest_over_fastest({tile: us for tile, us in numbers.get("us", {}).items() if index in tile})
        for index in MAPS
    }
    for index, found in ratios.items():
        if found:
            paragraphs.append(
                f"{index.capitalize()}, the fastest scan in registers is "
                f"{words.pace(found, 'the fastest in shared memory')}, by tile."
            )
    return paragraphs


def fastest_over_fastest(by_tile: dict[str, dict[str, float]]) -> list[float]:
    found = []
    for us in by_tile.values():
        mine, other = ([us[scan] for scan in scans if scan in us] for scans in (REGISTERS, SHARED))
        if mine and other:
            found.append(min(mine) / min(other))
    return found


def tables(evidence: Evidence) -> list[Table]:
    quantities = ("shared_load_requests", "shared_store_requests", "barriers", "ops", "warp_ops")
    columns = ["scan", "tile", "loads", "stores", "barriers", "operations", "warp ops"]
    columns += ["plain, cold,\nµs [95% CI]", "padded, cold,\nµs [95% CI]"]
    rows = []
    for tile in tiles_of(evidence.counted or evidence.timed):
        for scan, look in SCANS.items():
            times = [evidence.timed and time_of(evidence.timed, scan, index, tile) for index in MAPS]
            counts = [counted_cell(evidence.counted, each, scan, tile) for each in quantities]
            if any(times) or any(cell != NO_COUNT for cell in counts):
                rows.append([look.label, f"{tile:,}", *counts, *map(words.interval, times)])
    caption = (
        "Counts of one tile, predicted | counted, equal for both index maps, and times of the whole vector. "
        "Loads and stores are requests to shared memory."
    )
    return [Table(caption, columns, rows, wide=True)]


NO_COUNT = predicted.cell(None, None)


def counted_cell(counted: Results | None, quantity: str, scan: str, tile: int) -> str:
    if counted is None:
        return NO_COUNT
    case = factors(scan, "plain", tile, counted)
    values = [counted.count(prefix + quantity, **case) for prefix in ("predicted_", "")]
    return predicted.cell(*(value and value * tile / case["n"] for value in values))
