"""Depth: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import depth
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import COUNTED, changed, counted_row, tile_scan_times, with_counter

TILES = (512, 1024)


def default_counts() -> list[dict]:
    rows = []
    for algorithm in depth.ALGORITHMS:
        for index in depth.MAPS:
            for tile in TILES:
                log = tile.bit_length() - 1
                steps = {"blelloch": 2 * log, "brent_kung": 2 * log - 1}.get(algorithm, log)
                tiles = COUNTED // tile
                counters = {"operator_steps": steps, "barriers": (2 * log + 1) * tiles}
                counters |= {"ops": 2 * tile * tiles, "warp_ops": tile * tiles}
                name = f"scan/{algorithm}/index:{index}/tile:{tile}/n:{COUNTED}"
                rows.append(counted_row(name, counters, **counters))
    return rows


def default_times() -> dict:
    return tile_scan_times(
        TILES, depth.ALGORITHMS, lambda algorithm: 200.0 if algorithm in depth.TREES else 100.0
    )


VERDICTS = [
    (None, None, HOLDS, "All 10 counts of steps equal their closed forms, and each scan of log n"),
    (None, changed(default_times(), two_buffers=900), HOLDS, ""),
    (None, changed(default_times(), blelloch__warm=9), HOLDS, ""),
    (
        None,
        changed(default_times(), **{"hillis_steele/__plain": 300}),
        LIMITS,
        "trees: Hillis-Steele plain in no tile and padded in every tile; Sklansky in every tile.",
    ),
    (
        None,
        changed(default_times(), **{"sklansky__tile:512": 200.5}),
        LIMITS,
        "Hillis-Steele in every tile; Sklansky in tiles of 1,024.",
    ),
    (None, changed(default_times(), blelloch=50), LIMITS, "Hillis-Steele in no tile; Sklansky in no tile"),
    (None, changed(default_times(), blelloch=50, brent_kung=100.5), FAILS, "faster than a tree scan in any"),
    (
        with_counter(default_counts(), "sklansky__plain__tile:512", "operator_steps", 10),
        None,
        FAILS,
        "Sklansky takes 10 steps in a tile of 512, not 9.",
    ),
    (None, False, NOT_MEASURED, "was not timed"),
    (False, None, NOT_MEASURED, "not counted"),
]
