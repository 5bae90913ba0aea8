"""Divergence: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import divergence
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import COUNTED, N, changed, counted_row, references, with_counter


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
    (None, None, HOLDS, "4 of 4"),
    (None, changed(default_times(), brent_kung__contiguous__plain=300), LIMITS, "plain Brent-Kung"),
    (with_counter(default_counts(), "contiguous__padded", "active_warps", 9e9), None, LIMITS, "2 of 4"),
    (with_counter(default_counts(), "contiguous", "active_warps", 9e9), None, FAILS, "no fewer warps"),
    (None, changed(default_times(), contiguous=200.5), FAILS, "faster in no pair"),
    (None, False, NOT_MEASURED, "was not timed"),
    (False, None, NOT_MEASURED, "not counted"),
]
