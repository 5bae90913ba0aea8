"""Recursion: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import changed, counted_row, references, with_counter
from experiments.device.recursion import analysis as recursion

TILES = (256, 1024, 2048)


def default_counts() -> list[dict]:
    rows = []
    for n in (1, 1025, (1 << 20) + 1):
        for tile in TILES:
            counters = {
                "launches": recursion.levels(n, tile),
                "ops": n - 1,
                "barriers": 11,
                "atomic_requests": 0,
            }
            counters |= {"global_bytes_read": 4 * n, "global_bytes_written": 32}
            rows.append(counted_row(f"reduce/recursive/tile:{tile}/n:{n}", counters, **counters))
        for way in ("shares", "last_block", "atomic"):
            counters = counters | {"launches": 1}
            rows.append(counted_row(f"reduce/{way}/n:{n}", counters, **counters))
    return rows


def default_times() -> dict:
    """A second launch adds 5% to the time; recursion over tiles doubles it."""
    times = {}
    for cache in ("cold", "warm"):
        for log in (10, 12, 20, 28):
            tail, one = f"/cache:{cache}/n:{1 << log}", 5.0 + 2.0 ** (log - 20)
            times |= {f"reduce/recursive/tile:{tile}{tail}": 2 * one for tile in TILES}
            times |= {f"reduce/shares{tail}": 1.05 * one, f"reduce/last_block{tail}": one}
            times |= {f"reduce/atomic{tail}": 0.95 * one} | references(tail, "reduce")
    return times


VERDICTS = [
    (None, None, (CONFIRMED, YES), "A reduction in two launches is 0.95 times as fast"),
    (None, changed(default_times(), shares=1e4), (CONFIRMED, NO), "is 0.00050"),
    (None, changed(default_times(), **{"shares__n:1024": 1e4}), (CONFIRMED, YES), ""),
    (None, changed(default_times(), **{"shares__warm": 1e4}), (CONFIRMED, YES), ""),
    (None, changed(default_times(), **{"recursive": 1e4}), (CONFIRMED, YES), ""),
    (
        None,
        changed(default_times(), **{"shares__n:4096": 8}),
        (CONFIRMED, ONLY_WHERE),
        "from n = 2²⁰ on:",
    ),
    (
        None,
        changed(default_times(), **{"shares__n:1048576": 8}),
        (CONFIRMED, ONLY_WHERE),
        "at n = 2¹² and 2²⁸:",
    ),
    (
        with_counter(default_counts(), "tile:1024__n:1025", "launches", 3),
        None,
        (REFUTED, YES),
        "takes 3 launches and 1,024 operations at n = 1,025 in tiles of 1,024",
    ),
    (
        with_counter(default_counts(), "tile:256__n:1025", "ops", 1025),
        None,
        (REFUTED, YES),
        "1,025 operations at n =",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), "not timed"),
    (False, None, (NOT_COUNTED, YES), ""),
]
