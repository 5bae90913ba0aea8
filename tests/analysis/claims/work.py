"""Work: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import work
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import COUNTED, changed, counted_row, tile_scan_times, with_counter

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
    (None, None, HOLDS, "All 60 counts"),
    (with_counter(default_counts(), "sklansky__n:64", "ops", 191), None, FAILS, "191 operations, not 192"),
    (None, changed(default_times(), blelloch__plain=300), LIMITS, "not Blelloch in tiles of 512 and 1,024"),
    (None, changed(default_times(), blelloch__plain=300), LIMITS, "padded, they are"),
    (None, changed(default_times(), blelloch=300), LIMITS, "padded, not Blelloch in tiles of 512 and 1,024"),
    (
        None,
        changed(default_times(), **{"b__plain__tile:512": 300}),
        LIMITS,
        "Blelloch and Brent-Kung in tiles of 512;",
    ),
    (None, changed(default_times(), brent_kung__plain=200.5), LIMITS, "not Brent-Kung in"),
    (None, changed(default_times(), warm=5.0), HOLDS, ""),
    (None, False, NOT_MEASURED, "was not timed"),
    (False, None, NOT_MEASURED, "not counted"),
]
