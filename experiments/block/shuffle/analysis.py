"""shuffle: registers and shuffles against shared memory, within a block."""

from dataclasses import replace
from functools import partial
from itertools import product

from analysis.core import charts, looks, plotting, words
from analysis.core.claim import Evidence, Results, Table, Verdict, judge, told
from analysis.core.verdict import grouped
from experiments.block.tile_scans import COUNTED, MAPS, TileScans

REGISTERS = {
    "kogge_stone": looks.BLOCK_SCANS["kogge_stone"],
    "raking 2": replace(looks.BLOCK_SCANS["raking"], label="raking, 2 per thread", marker="^"),
    "raking 8": replace(looks.BLOCK_SCANS["raking"], label="raking, 8 per thread"),
}
SHARED = {
    each: replace(looks.BLOCK_SCANS[each], line="--", filled=False)
    for each in ("hillis_steele", "sklansky", "brent_kung", "blelloch")
}
SCANS = REGISTERS | SHARED
QUANTITIES = {"requests": "requests to shared memory", "barriers": "barriers"}
SHOWN = 1024  # the tile whose counts are drawn


def factors(scan: str) -> dict:
    algorithm, *items = scan.split()
    return {"algorithm": algorithm} | ({"items": int(items[0])} if items else {})


TILES = TileScans(SCANS, "sklansky", factors)
times = TILES.times


def count(counted: Results | None, quantity: str, scan: str, tile: int, index: str = "plain") -> float | None:
    """A count per tile; `requests`: loads and stores."""
    names = ("shared_load_requests", "shared_store_requests") if quantity == "requests" else (quantity,)
    found = [TILES.count(counted, name, scan, tile, index) for name in names]
    return None if None in found else sum(found)


def not_fewer(counted: Results | None) -> list[str] | None:
    """In words, where a scan in registers makes as many requests or passes as many barriers as one that is in
    shared memory; None if nothing was counted."""
    found, compared = [], 0
    for tile, index, (quantity, name) in product(TILES.tiles(counted), MAPS, QUANTITIES.items()):
        counts = {scan: count(counted, quantity, scan, tile, index) for scan in SCANS}
        for pair in product(REGISTERS, SHARED):
            said = [(SCANS[scan].label, counts[scan]) for scan in pair]
            if None not in (counts[scan] for scan in pair):
                compared += 1
                if said[0][1] >= said[1][1]:
                    found.append(told("shuffle: not fewer", what=name, tile=tile, pair=said))
    return found if compared else None


def verdict(evidence: Evidence) -> Verdict:
    wrong, faster = not_fewer(evidence.counted), {}
    for tile in TILES.tiles(evidence.timed):
        for scan, look in REGISTERS.items():
            if won := beats_all(evidence, scan, tile):
                faster[look.label, tile] = None if None in won else all(won)
    if wrong is None:
        return judge(None, faster, told("shuffle: not counted"), grouped(faster))
    return judge(not wrong, faster, wrong[0] if wrong else found_in_words(evidence), grouped(faster))


def beats_all(evidence: Evidence, scan: str, tile: int) -> list[bool | None]:
    """Whether it is faster than each scan in shared memory with the same index map; none if it cannot run."""
    found, n = [], TILES.length(evidence.timed)
    for index, other in product(MAPS, SHARED):
        mine, theirs = (times(evidence.timed, each, index).get(tile) for each in (scan, other))
        found += [evidence.floor.faster(mine, theirs, n)] if mine else []
    return found


def found_in_words(evidence: Evidence) -> str:
    requests = {scan: count(evidence.counted, "requests", scan, SHOWN) for scan in SCANS}
    known = [[requests[scan] for scan in of if requests[scan]] for of in (REGISTERS, SHARED)]
    spans = [words.span(of, words.integer) for of in known] if all(known) else None
    return told("shuffle", tile=SHOWN, requests=spans, ratios=fastest_over_fastest(evidence.timed))


def fastest_over_fastest(timed: Results | None) -> list[float]:
    """Time of the fastest scan in registers over the fastest in shared memory, by index map and tile."""
    found = []
    for index, tile in product(MAPS, TILES.tiles(timed)):
        every = [[times(timed, scan, index).get(tile) for scan in of] for of in (REGISTERS, SHARED)]
        fastest = [min((time.value for time in of if time), default=None) for of in every]
        if all(fastest):
            found.append(fastest[0] / fastest[1])
    return found


@plotting.of_both
def figure(evidence: Evidence):
    return TILES.figure(evidence, 2.9, [1, 1, 1], draw_counts, columns=4)


def draw_counts(axes, counted: Results) -> None:
    """A row for each scan: its requests, labelled with them and its barriers."""
    for row, (scan, look) in enumerate(SCANS.items()):
        requests, barriers = (count(counted, each, scan, SHOWN) for each in QUANTITIES)
        axes.barh(row, requests, 0.7, color=look.color if look.filled else "white", edgecolor=look.color)
        said = f" {words.integer(requests)}; {words.plural(barriers, 'barrier')}"
        axes.text(requests, row, said, va="center", fontsize=7)
    charts.name_rows(axes, [look.label.replace(", ", ",\n") for look in SCANS.values()])
    axes.set(xlim=(0, 1.55 * axes.dataLim.x1), xlabel="requests to shared memory")
    axes.set_title(f"Accesses, tile {SHOWN:,}")


def tables(evidence: Evidence) -> list[Table]:
    quantities = {"requests": "requests"} | COUNTED
    counts = {name: partial(count, evidence.counted, of) for of, name in quantities.items()}
    return [TILES.table(evidence, told("shuffle: table"), "scan", counts)]
