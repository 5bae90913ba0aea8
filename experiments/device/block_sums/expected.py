"""Block sums: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import changed, counted_row, references, with_counter
from experiments.device.block_sums import analysis as block_sums

LENGTHS = [1 << log for log in range(10, 15)]


def default_counts() -> list[dict]:
    rows = []
    for n in LENGTHS:
        for spine in block_sums.SPINES:
            copies = 2 if spine == "host" and n > block_sums.TILE else 0
            moved = copies // 2 * 4 * n // block_sums.TILE
            counters = {"launches": 2, "copies": copies, "bytes_to_host": moved, "bytes_to_device": moved}
            rows.append(
                counted_row(f"scan/three_phase/spine:{spine}/vector:device/n:{n}", counters, **counters)
            )
    return rows


def default_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        for n in LENGTHS:
            tail = f"/cache:{cache}/n:{n}"
            for vector in block_sums.VECTORS:
                for spine in block_sums.SPINES:
                    times[f"scan/three_phase/spine:{spine}/vector:{vector}{tail}"] = 100.0
            times |= references(f"/vector:device{tail}", "scan")
    return times


VERDICTS = [
    (None, None, (CONFIRMED, YES), "With its spine on the host a scan is"),
    (None, changed(default_times(), **{"spine:host__vector:device": 109}), (CONFIRMED, YES), "0.92"),
    (None, changed(default_times(), **{"spine:host__vector:device": 111}), (CONFIRMED, NO), "0.90"),
    (None, changed(default_times(), **{"spine:host__vector:p": 500}), (CONFIRMED, YES), ""),
    (
        None,
        changed(default_times(), **{"spine:host__device/cache:cold/n:1024": 500}),
        (CONFIRMED, YES),
        "",
    ),
    (
        None,
        changed(default_times(), **{"spine:host__device/cache:cold/n:2048": 500}),
        (CONFIRMED, ONLY_WHERE),
        "from n = 2¹² on:",
    ),
    (
        None,
        changed(default_times(), **{"spine:host__device/cache:cold/n:8192": 500}),
        (CONFIRMED, ONLY_WHERE),
        "at n = 2¹¹, 2¹² and 2¹⁴:",
    ),
    (
        with_counter(default_counts(), "spine:host__n:2048", "copies", 3),
        None,
        (REFUTED, YES),
        "counts 3 copies, not 2",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), "not timed"),
    (False, None, (NOT_COUNTED, YES), ""),
]
