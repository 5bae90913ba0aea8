"""Launches: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import changed, counted_row, with_counter
from experiments.gpu.launches import analysis as launches

KERNELS = (1, 2, 4, 8, 16)


def default_counts() -> list[dict]:
    rows = []
    for k in KERNELS:
        for blocks in (1, 1024):
            counters = {"launches": k, "global_load_sectors": 0, "global_store_sectors": 0}
            name = f"launch/empty/kernels:{k}/blocks:{blocks}/queued:ahead/n:1"
            rows.append(counted_row(name, counters, **counters))
    return rows


def default_times() -> dict:
    """One launch more costs 1 us; a level of 2^20 floats takes 100 us, one of 2^22 400 us."""
    times = {}
    for cache in ("cold", "warm"):
        for queued, blocks in launches.WAYS:
            for k in KERNELS:
                name = f"launch/empty/kernels:{k}/blocks:{blocks}/queued:{queued}/cache:{cache}/n:1"
                times[name] = 3.0 + k
        times[f"copy/device_to_device/cache:{cache}/n:1"] = 3.0
        for log in (10, 20, 22):
            times[f"reduce/tree/tile:1024/cache:{cache}/n:{1 << log}"] = max(
                4.0, 100.0 * (1 << log) / (1 << 20)
            )
            times[f"copy/device_to_device/cache:{cache}/n:{1 << log}"] = 10.0
    return times


VERDICTS = [
    (None, None, (CONFIRMED, YES), "costs 1.00 µs: 0.2% (ahead, 1 block, 2²² floats) to 1.0%"),
    (
        None,
        changed(default_times(), **{"kernels:16": 83}),
        (CONFIRMED, ONLY_WHERE),
        "4 of 8 cases",
    ),
    (
        None,
        changed(default_times(), **{"kernels:16__queued:live__blocks:1/__cold": 800}),
        (CONFIRMED, ONLY_WHERE),
        "all but live, 1 block, 2²⁰ floats and live, 1 block, 2²² floats",
    ),
    (None, changed(default_times(), **{"kernels:16__cold": 800}), (CONFIRMED, NO), ""),
    (None, changed(default_times(), **{"kernels:16__warm": 800}), (CONFIRMED, YES), ""),
    (None, changed(default_times(), tree=10), (CONFIRMED, NO), "10% of a level"),
    (
        with_counter(default_counts(), "kernels:4__blocks:1/", "launches", 5),
        None,
        (REFUTED, YES),
        "counts 5 launches, not 4",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), "not timed"),
    (False, None, (NOT_COUNTED, YES), ""),
]
