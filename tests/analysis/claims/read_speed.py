"""Read speed: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import COUNTED, changed, counted_row

LONGEST = 1 << 28
REDUCTIONS = {
    "reduce/ours/type:int32/operator:sum/submit:stream": 1.0,
    "reduce/cub_device/type:int32/operator:sum/submit:stream": 2.0,
    "reduce/cub_newest/type:int32/operator:sum/submit:stream": 1.9,
    "reduce/ours/type:int32/operator:sum/submit:live": 1.1,
    "reduce/cub_device/type:int32/operator:sum/submit:live": 2.2,
    "reduce/cub_newest/type:int32/operator:sum/submit:live": 2.1,
    "read/ceiling/type:int32": 0.99,
}
COMPACTIONS = {"ours": 600.0, "cub_device": 800.0, "cub_newest": 750.0}


def default_counts() -> list[dict]:
    counters = {"launches": 1, "global_bytes_read": 4 * COUNTED}
    names = ("reduce/ours/type:int32/operator:sum/submit:stream", "compact/ours/type:int32")
    return [counted_row(f"{name}/n:{COUNTED}", counters, **counters) for name in names]


def default_times() -> dict:
    """Our reduction takes 1% longer than the read; CUB takes about twice as long."""
    times = {}
    for cache in ("cold", "warm"):
        for log in (8, 14, 17, 20, 28):
            base = 3.0 + 250.0 * 2.0 ** (log - 28)
            tail = f"/cache:{cache}/n:{1 << log}"
            times |= {case + tail: factor * base for case, factor in REDUCTIONS.items()}
        for algorithm, time in COMPACTIONS.items():
            times[f"compact/{algorithm}/type:int32/cache:{cache}/n:{LONGEST}"] = time
        times[f"copy/device_to_device/type:int32/cache:{cache}/n:{LONGEST // 4 * 3}"] = 390.0
    return times


VERDICTS = [
    (None, None, HOLDS, "7 of 7 measured targets are met."),
    (None, changed(default_times(), **{"read__cold__n:268435456": 100}), FAILS, "missed: reduce 2²⁸"),
    (None, changed(default_times(), **{"compact/cub_newest": 610}), LIMITS, "missed: compaction 2²⁸ int32"),
    (
        None,
        changed(default_times(), **{"reduce/cub_device__live__warm__n:16384": 4}),
        LIMITS,
        "reduce 2¹⁴ int32",
    ),
    (None, changed(default_times(), **{"read__warm": 1}), HOLDS, ""),
    (
        None,
        {name: time for name, time in default_times().items() if "compact" not in name},
        LIMITS,
        "6 of 6 measured targets are met.",
    ),
    (None, False, NOT_MEASURED, "not timed"),
    (False, None, HOLDS, ""),
]
