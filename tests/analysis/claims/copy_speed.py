"""Copy speed: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from analysis.copy_speed import TYPES
from tests.analysis.made_up import COUNTED, changed, counted_row

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
    (None, None, HOLDS, "28 of 28 measured targets are met."),
    (None, changed(default_times(), **{f"scan/ours/type:int32{LONG}": 510}), FAILS, "2²⁸ int32, sum: of"),
    (None, changed(default_times(), **{f"copy__type:float{LONG}": 400}), FAILS, "scan 2²⁸ float, sum: of"),
    (None, changed(default_times(), **{f"scan/ours/type:int8{LONG}": 150}), LIMITS, "2²⁸ int8, sum: of the"),
    (None, changed(default_times(), **{"off:apart__cold": 400}), LIMITS, "one of both one element off"),
    (None, changed(default_times(), **{"cub_device__type:int16__n:256": 1}), HOLDS, ""),
    (
        None,
        {name: time for name, time in default_times().items() if "off:" not in name},
        LIMITS,
        "26 of 26 measured targets are met.",
    ),
    (None, False, NOT_MEASURED, "not timed"),
    (False, None, HOLDS, ""),
]
