"""Several GPUs: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import multi_gpu
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import changed, counted_row

PARTS, LONG, LONGER = (2, 4), 1 << 28, 1 << 31


def default_counts() -> list[dict]:
    rows = []
    for parts in (1, 2, 5):
        n = 1 << 14
        counters = {
            "launches": 3 * parts - 1,
            "ops": 4 * parts * n,
            "global_bytes_read": 4 * n * (2 * parts - 1),
            "global_bytes_written": 4 * n * parts,
        }
        name = f"scan/parts/exchange:flags/parts:{parts}/part:{n}/n:{parts * n}"
        rows.append(counted_row(name, counters, **counters))
    return rows


def default_times() -> dict:
    """One GPU takes 2 us per 2^20 floats; long parts take 1.5 times as long, short ones 3 us more."""
    times = {}
    for cache in ("cold", "warm"):
        for n in (multi_gpu.SHORT, LONG, 2 * LONG, 4 * LONG, LONGER, 2 * LONGER, 4 * LONGER):
            times[one_gpu(n, cache)] = 2.0 * n / (1 << 20) + 4
        times[one_gpu(multi_gpu.SHORT, cache, "host")] = 12.0
        for gpus in PARTS:
            for n in (LONG, LONGER):
                times[parts("default", gpus, n, cache)] = 1.49 * (2.0 * n / (1 << 20) + 4)
                times[parts("default", gpus, n // gpus, cache)] = 1.49 * (2.0 * n / gpus / (1 << 20) + 4)
                strong = f"scan/gather_scan_scatter/gpus:{gpus}/part:{n // gpus}/clock:gpu"
                times[f"{strong}/cache:{cache}/n:{n}"] = 6.0 * n / (1 << 20)
            times[parts("default", gpus, multi_gpu.SHORT, cache)] = 9.0
            for n in (1 << 23, 1 << 25):
                times[parts("ascending", gpus, n, cache)] = 3.0 * n / (1 << 20)
                times[parts("descending", gpus, n, cache)] = 2.9 * n / (1 << 20)
            for way in multi_gpu.WAYS:
                for clock in ("gpu", "host"):
                    times[f"exchange/{way}/gpus:{gpus}/part:1/clock:{clock}/cache:{cache}/n:{gpus}"] = 5.0
    return times


def one_gpu(n: int, cache: str, clock: str = "gpu") -> str:
    return f"scan/one_gpu/gpus:1/part:{n}/clock:{clock}/cache:{cache}/n:{n}"


def parts(order: str, gpus: int, n: int, cache: str) -> str:
    head = f"scan/parts/exchange:flags/reduce:{order}/gpus:{gpus}/part:{n}/clock:gpu"
    return f"{head}/cache:{cache}/n:{n * gpus}"


def without_several() -> dict:
    return {name: time for name, time in default_times().items() if "one_gpu" in name}


VERDICTS = [
    (
        None,
        None,
        HOLDS,
        "On 4 GPUs with 2³¹ floats each a scan reaches 1.01 of the bound; the flags add 3.00",
    ),
    (None, changed(default_times(), **{f"parts__gpus:4__part:{LONGER}/__cold": 9000}), FAILS, "0.68 of the"),
    (
        None,
        changed(default_times(), **{f"parts__gpus:2__part:{LONGER}/__cold": 9000}),
        LIMITS,
        "2 GPUs at 2³¹",
    ),
    (None, changed(default_times(), **{f"parts__gpus:4__part:{LONG}/__cold": 9000}), LIMITS, "4 GPUs at 2²⁸"),
    (None, changed(default_times(), **{"parts__gpus:4__part:1048576/__cold": 14}), FAILS, "add 8.00 µs"),
    (
        None,
        changed(default_times(), **{"parts__gpus:2__part:1048576/__cold": 14}),
        LIMITS,
        "flags with 2 GPUs",
    ),
    (None, changed(default_times(), **{f"parts__gpus:4__part:{LONGER}/__warm": 9000}), HOLDS, ""),
    (None, without_several(), NOT_MEASURED, "not timed"),
    (None, False, NOT_MEASURED, "not timed"),
]
