"""Launches: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import launches
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import changed, counted_row

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
    (None, None, HOLDS, "costs 1.0% of a level of 2²⁰ floats and 0.2% of a level of 2²²"),
    (None, changed(default_times(), **{"kernels:16": 83}), LIMITS, "negligible only for longer vectors"),
    (
        None,
        changed(default_times(), **{"kernels:16__queued:live": 800}),
        LIMITS,
        "only ahead, 1 block or ahead, 1,024 blocks at n = 2²⁰",
    ),
    (None, changed(default_times(), **{"kernels:16__cold": 800}), FAILS, "of a level of 2²² floats"),
    (None, changed(default_times(), **{"kernels:16__warm": 800}), HOLDS, ""),
    (None, changed(default_times(), **{"tree__n:1048576": 10}), LIMITS, "10% of a level of 2²⁰ floats"),
    (
        None,
        changed(default_times(), tree=10),
        FAILS,
        "10% of a level of 2²⁰ floats and 10% of a level of 2²²",
    ),
    (None, False, NOT_MEASURED, "not timed"),
]
