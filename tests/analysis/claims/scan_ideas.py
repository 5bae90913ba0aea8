"""Scan ideas: evidence for which the claim holds, and the verdict for changed evidence."""

import math

from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import changed, counted_row

TILES, THREADS = 8, 256
RINGS = {
    ("int32/operator:sum", 28): 510.0,
    ("int8/operator:sum", 28): 130.0,
    ("affine_float/operator:affine", 27): 510.0,
    ("int32/operator:sum", 24): 38.0,
}
FACTORS = {"none": 1.03, "stages_6": 1.03, "stages_5": 1.08, "stages_4": 1.35, "stages_3": 1.56}
FACTORS |= {"loads_1": 1.3, "loads_4": 1.04, "even_words": 2.0, "chain": 1.4, "cleared": 1.035}


def default_counts() -> list[dict]:
    rows = []
    for words in (6, 7, 8):
        n = TILES * THREADS * 4 * words
        counters = {"launches": 1, "ops": n, "shared_load_requests": n / 128}
        counters["shared_load_wavefronts"] = n / 128 * 4 * math.gcd(words, 8)
        counters["shared_store_wavefronts"] = n / 128 * 4
        rows.append(counted_row(f"reduce/words/words:{words}/n:{n}", counters, **counters))
    return rows


def default_times() -> dict:
    """Clearing takes 2 us, which matters for short vectors only."""
    times = {}
    for cache in ("cold", "warm"):
        for (kind, log), copy in RINGS.items():
            tail = f"/cache:{cache}/n:{1 << log}"
            for change, factor in FACTORS.items():
                more = 2.0 if change == "cleared" else 0.0
                times[f"scan/ring/type:{kind}/change:{change}{tail}"] = factor * copy + more
            times[f"scan/cub_device/type:{kind}{tail}"] = 1.4 * copy
            times[f"copy/device_to_device/type:{kind.split('/')[0]}{tail}"] = copy
        tail = f"/cache:{cache}/n:{1 << 16}"
        times |= {f"scan/one_wave/type:int32/operator:sum/change:none{tail}": 3.6}
        times |= {f"scan/one_wave/type:int32/operator:sum/change:cleared{tail}": 5.6}
        times |= {f"scan/cub_device/type:int32/operator:sum{tail}": 7.0}
        times |= {f"copy/device_to_device/type:int32{tail}": 3.5}
    return times


def without(*changes: str) -> dict:
    """The times with these changes at no cost."""
    times = default_times()
    plain = {name: times[name] for name in times if "change:none" in name}
    for change in changes:
        times |= {name.replace("change:none", f"change:{change}"): time for name, time in plain.items()}
    return {name: time for name, time in times.items() if "one_wave" not in name or "change:" in name}


VERDICTS = [
    (
        None,
        None,
        HOLDS,
        "pipeline stages 31% more; two loads in flight 26% more; odd words per thread 94% more",
    ),
    (None, None, HOLDS, "versioned statuses 56% more"),
    (None, without("chain"), LIMITS, "not significant, with every vector: aggregates, not prefixes."),
    (None, without("chain", "loads_1"), LIMITS, "two loads in flight; aggregates, not prefixes."),
    (None, without("chain", "loads_1", "even_words"), FAILS, ""),
    (
        None,
        changed(default_times(), **{"stages_6": 1500}),
        LIMITS,
        "not significant, with every vector: odd words per thread.",
    ),
    (None, changed(default_times(), **{"loads_4": 1}), HOLDS, ""),
    (None, changed(default_times(), **{"stages_4__warm": 1}), HOLDS, ""),
    (None, {name: time for name, time in default_times().items() if "chain" not in name}, NOT_MEASURED, ""),
    (None, False, NOT_MEASURED, "not timed"),
    (False, None, HOLDS, ""),
]
