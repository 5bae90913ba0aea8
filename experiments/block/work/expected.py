"""Work: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, changed, counted_row, tile_scan_times, with_counter
from experiments.block.work import analysis as work

OPS = {
    "hillis_steele": lambda n, log: n * log - (n - 1),
    "sklansky": lambda n, log: n // 2 * log,
    "blelloch": lambda n, log: 2 * (n - 1),
    "brent_kung": lambda n, log: 2 * n - 2 - log,
}

TILES = (512, 1024)


def default_counts() -> list[dict]:
    cases = [(index, 1 << log, 1 << log) for index in ("plain",) for log in range(1, 12)]
    cases += [(index, tile, COUNTED) for index in work.MAPS for tile in TILES]
    rows = []
    for algorithm, ops in OPS.items():
        for index, tile, n in cases:
            total = ops(tile, tile.bit_length() - 1) * n // tile
            name = f"scan/{algorithm}/index:{index}/tile:{tile}/n:{n}"
            rows.append(counted_row(name, {"ops": total}, ops=total, warp_ops=total // 8, bank_conflicts=0))
    return rows


def default_times() -> dict:
    return tile_scan_times(
        TILES, work.ALGORITHMS, lambda algorithm: 200.0 if algorithm == "hillis_steele" else 100.0
    )


VERDICTS = [
    (
        None,
        None,
        (CONFIRMED, YES),
        "does 4.5 times the operations of Blelloch; it",
    ),
    (
        with_counter(default_counts(), "sklansky__n:64", "ops", 191),
        None,
        (REFUTED, YES),
        "counts 191 ops, not 192",
    ),
    (
        None,
        changed(default_times(), blelloch__plain=300),
        (CONFIRMED, ONLY_WHERE),
        "Brent-Kung in every tile: In a plain tile of 1,024",
    ),
    (
        None,
        changed(default_times(), blelloch__plain=300, **{"brent_kung__plain__tile:512": 200.5}),
        (CONFIRMED, ONLY_WHERE),
        "Brent-Kung in tiles of 1,024:",
    ),
    (None, changed(default_times(), blelloch__plain=300, brent_kung__plain=300), (CONFIRMED, NO), ""),
    (None, changed(default_times(), padded=900), (CONFIRMED, YES), ""),
    (None, changed(default_times(), warm=5.0), (CONFIRMED, YES), ""),
    (None, False, (CONFIRMED, NOT_MEASURED), ""),
    (False, None, (NOT_COUNTED, YES), "not counted"),
]
