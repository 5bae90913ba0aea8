"""Depth: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, changed, counted_row, tile_scan_times, with_counter
from experiments.block.depth import analysis as depth

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
    (None, None, (CONFIRMED, YES), "Hillis-Steele and Sklansky take 10 steps, a tree 20; Sklansky is"),
    (None, changed(default_times(), two_buffers=900), (CONFIRMED, YES), ""),
    (None, changed(default_times(), blelloch__warm=9), (CONFIRMED, YES), ""),
    (
        None,
        changed(default_times(), **{"hillis_steele/__plain": 300}),
        (CONFIRMED, ONLY_WHERE),
        "padded in every tile: In a tile",
    ),
    (
        None,
        changed(default_times(), **{"sklansky__tile:512": 200.5}),
        (CONFIRMED, ONLY_WHERE),
        "plain in tiles of 1,024; padded in tiles of 1,024:",
    ),
    (None, changed(default_times(), blelloch=50), (CONFIRMED, NO), ""),
    (
        with_counter(default_counts(), "sklansky__plain__tile:512", "operator_steps", 10),
        None,
        (REFUTED, YES),
        "counts 10 operator steps, not 9.",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), ""),
    (False, None, (NOT_COUNTED, YES), "not counted"),
]
