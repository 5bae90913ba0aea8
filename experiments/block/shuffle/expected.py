"""Shuffle: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, N, changed, counted_row, references, with_counter
from experiments.block.shuffle import analysis as shuffle

TILES = (1024, 2048)


def all_cases() -> list[tuple[str, str]]:
    """Each scan and its case name; the larger tile has no Kogge-Stone."""
    return [
        (scan, f"scan/{scan.replace('raking ', 'raking/items:')}/index:{index}/tile:{tile}")
        for tile in TILES
        for index in shuffle.MAPS
        for scan in shuffle.SCANS
        if tile <= 1024 or scan != "kogge_stone"
    ]


def default_counts() -> list[dict]:
    rows = []
    for scan, name in all_cases():
        each = COUNTED // 32 if scan in shuffle.REGISTERS else COUNTED // 4
        counters = dict.fromkeys(("shared_load_requests", "shared_store_requests", "barriers"), each)
        counters |= {"ops": 2 * COUNTED, "warp_ops": COUNTED // 8}
        rows.append(counted_row(f"{name}/n:{COUNTED}", counters, **counters))
    return rows


def default_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        for scan, name in all_cases():
            times[name + tail] = 100.0 if scan in shuffle.REGISTERS else 200.0
        times |= {f"scan/cub_block/tile:{tile}{tail}": 20.0 for tile in TILES}
        times |= references(tail, "scan")
    return times


VERDICTS = [
    (None, None, (CONFIRMED, YES), "the fastest in registers is 2.0 times as fast"),
    (None, changed(default_times(), warm=100), (CONFIRMED, YES), ""),
    (
        None,
        changed(default_times(), **{"kogge_stone__plain": 200.5}),
        (CONFIRMED, ONLY_WHERE),
        "raking, 2 per thread in every tile; raking, 8 per thread in every tile: In",
    ),
    (
        None,
        changed(default_times(), **{"sklansky__tile:1024": 100.5}),
        (CONFIRMED, ONLY_WHERE),
        "raking, 2 per thread in tiles of 2,048; raking, 8 per thread in tiles of 2,048: In",
    ),
    (None, changed(default_times(), blelloch=50), (CONFIRMED, NO), ""),
    (
        with_counter(default_counts(), "kogge_stone__padded", "shared_load_requests", COUNTED // 2),
        None,
        (REFUTED, YES),
        "Kogge-Stone takes 544 requests to shared memory in a tile of 1,024, Hillis-Steele 512.",
    ),
    (
        with_counter(default_counts(), "sklansky__tile:2048__plain", "barriers", COUNTED // 32),
        None,
        (REFUTED, YES),
        "raking, 2 per thread takes 64 barriers in a tile of 2,048, Sklansky 64.",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), ""),
    (False, None, (NOT_COUNTED, YES), "not counted"),
]
