"""Copy speed: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, changed, counted_row, with_counter
from experiments.fast.copy_speed.analysis import TYPES

SCANS = {"ours": 1.0, "cub_device": 4.0, "cub_newest": 3.8}
MISALIGNED = (1 << 27) + 12345


def default_counts() -> list[dict]:
    counters = {"launches": 1, "ops": 2 * COUNTED, "global_bytes_read": 4 * COUNTED}
    return [counted_row(f"scan/look_back/type:float/n:{COUNTED}", counters, **counters)]


def default_times() -> dict:
    """Our scan takes 1% longer than the copy; CUB takes about four times as long."""
    times = {}
    for kind, (size, _) in TYPES.items():
        operator = "affine" if "affine" in kind else "sum"
        for log in (8, 10, 14, 18, 20, 22, 24, 28):
            copy = 3.0 + size * 120.0 * 2.0 ** (log - 28)
            for submit in ("stream", "live", "graph") if kind == "int32" else ("stream",):
                for cache in ("cold", "warm"):
                    tail = f"/submit:{submit}/cache:{cache}/n:{1 << log}"
                    times[f"copy/device_to_device/type:{kind}{tail}"] = 0.99 * copy
                    for scan, factor in SCANS.items():
                        times[f"scan/{scan}/type:{kind}/operator:{operator}{tail}"] = factor * copy
    for cache in ("cold", "warm"):
        tail = f"/submit:stream/cache:{cache}/n:"
        floats = "type:float/operator:sum"
        times[f"scan/cub_newest_run_to_run/{floats}{tail}{1 << 28}"] = 2000.0
        for off in ("alike", "apart"):
            times[f"scan/ours/type:int32/operator:sum/off:{off}{tail}{MISALIGNED}"] = 250.0
        times[f"copy/device_to_device/type:int32{tail}{MISALIGNED}"] = 248.0
    return times


LONG = "__submit:stream__cold__n:268435456"
VERDICTS = [
    (
        None,
        None,
        (CONFIRMED, YES),
        "Scans with a target run at 99% of copy speed if they are long, at 99% if shorter",
    ),
    (
        None,
        changed(default_times(), **{f"scan/ours/type:int32{LONG}": 510}),
        (CONFIRMED, ONLY_WHERE),
        "14 of 15 targets: Scans with a target run at 94% (2²⁸ int32, sum)",
    ),
    (
        None,
        changed(default_times(), **{"off:apart__cold": 400}),
        (CONFIRMED, ONLY_WHERE),
        "one of both one element off",
    ),
    (None, changed(default_times(), **{"scan/ours": 9e9}), (CONFIRMED, NO), ""),
    (None, changed(default_times(), cub_device=1), (CONFIRMED, YES), ""),
    (
        with_counter(default_counts(), "look_back", "launches", 2),
        None,
        (REFUTED, YES),
        "counts 2 launches, not 1",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), "not timed"),
    (False, None, (NOT_COUNTED, YES), ""),
]
