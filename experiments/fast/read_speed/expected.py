"""Read speed: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, changed, counted_row, with_counter

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
COMPACTIONS = {"ours": 398.0, "cub_device": 800.0, "cub_newest": 750.0}


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
    (None, None, (CONFIRMED, YES), "2²⁸ ints runs at 99% of read speed, a compaction at 98%"),
    (
        None,
        changed(default_times(), **{"read__cold__n:268435456": 100}),
        (CONFIRMED, ONLY_WHERE),
        "the compaction of 2²⁸ ints:",
    ),
    (
        None,
        changed(default_times(), **{"compact/ours": 610}),
        (CONFIRMED, ONLY_WHERE),
        "the reduction of 2²⁸ ints:",
    ),
    (
        None,
        changed(default_times(), **{"read__cold__n:268435456": 100, "compact/ours": 610}),
        (CONFIRMED, NO),
        "",
    ),
    (None, changed(default_times(), **{"read__warm": 1}), (CONFIRMED, YES), ""),
    (
        with_counter(default_counts(), "reduce", "launches", 2),
        None,
        (REFUTED, YES),
        "counts 2 launches, not 1",
    ),
    (
        None,
        {name: time for name, time in default_times().items() if "compact" not in name},
        (CONFIRMED, NOT_MEASURED),
        "",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), "not timed"),
    (False, None, (NOT_COUNTED, YES), ""),
]
