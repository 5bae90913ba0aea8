"""Several GPUs: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import changed, counted_row, with_counter
from experiments.fast.multi_gpu import analysis as multi_gpu

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
        (CONFIRMED, YES),
        "Long scans on 2 to 4 GPUs run at 1.01 times the rate estimated, and exchanging the totals of 4",
    ),
    (
        None,
        changed(default_times(), **{f"parts__gpus:4__part:{LONGER}/__cold": 9000}),
        (CONFIRMED, ONLY_WHERE),
        "all but 4 GPUs with 2³¹ floats each",
    ),
    (
        None,
        changed(default_times(), **{"parts__gpus:4__part:1048576/__cold": 14.5}),
        (CONFIRMED, ONLY_WHERE),
        "all but the flags of 4 GPUs",
    ),
    (None, changed(default_times(), parts__cold=9e9), (CONFIRMED, NO), ""),
    (None, changed(default_times(), **{f"parts__gpus:4__part:{LONGER}/__warm": 9000}), (CONFIRMED, YES), ""),
    (
        with_counter(default_counts(), "parts:2", "global_bytes_read", 3),
        None,
        (REFUTED, YES),
        "counts 3 global bytes read, not",
    ),
    (None, without_several(), (CONFIRMED, NOT_MEASURED), "not timed"),
    (None, False, (CONFIRMED, NOT_MEASURED), "not timed"),
    (False, None, (NOT_COUNTED, YES), ""),
]
