"""Divergence: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import BY_STEP, COUNTED, N, changed, counted_row, references, with_counter
from experiments.block.divergence import analysis as divergence


def default_counts() -> list[dict]:
    rows = []
    for (operation, algorithm), _ in divergence.KERNELS.items():
        for index in divergence.MAPS:
            for threads in divergence.THREADS:
                warps = (100 if threads == "spaced" else 40) * COUNTED // divergence.TILE
                block = divergence.BLOCK[operation, algorithm]
                factors = f"threads:{threads}/index:{index}/block:{block}/tile:1024"
                name = f"{operation}/{algorithm}/{factors}/n:{COUNTED}"
                counters = {
                    "active_warps": warps,
                    "warp_ops": warps,
                    "active_lanes": 20.5,
                    "bank_conflicts": 0,
                    BY_STEP: [512, 256],
                }
                rows.append(counted_row(name, {"active_warps": warps}, **counters))
    return rows


def default_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        for operation, algorithm in divergence.KERNELS:
            for index in divergence.MAPS:
                for threads in divergence.THREADS:
                    block = divergence.BLOCK[operation, algorithm]
                    factors = f"threads:{threads}/index:{index}/block:{block}/tile:1024"
                    times[f"{operation}/{algorithm}/{factors}{tail}"] = (
                        200.0 if threads == "spaced" else 100.0
                    )
        times |= references(tail, "scan", "reduce")
    return times


VERDICTS = [
    (None, None, (CONFIRMED, YES), "2.5 times fewer warps active; they are"),
    (
        None,
        changed(default_times(), brent_kung__contiguous__plain=300),
        (CONFIRMED, ONLY_WHERE),
        "plain reduction, padded reduction and padded Brent-Kung scan:",
    ),
    (
        with_counter(default_counts(), "contiguous__padded", "active_warps", 9e9),
        None,
        (REFUTED, YES),
        "no fewer warps active",
    ),
    (None, changed(default_times(), contiguous=200.5), (CONFIRMED, NO), ""),
    (None, changed(default_times(), halving=900), (CONFIRMED, YES), ""),
    (None, False, (CONFIRMED, NOT_MEASURED), "2.5 times fewer warps active."),
    (False, None, (NOT_COUNTED, YES), "not counted"),
]
