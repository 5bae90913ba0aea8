"""Scan ideas: evidence that confirms the claim, and the verdict for changed evidence."""

import math

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import changed, counted_row, with_counter

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
        (CONFIRMED, YES),
        "takes at its worst 1.26 (two loads in flight) to 1.94 (odd words",
    ),
    (None, without("chain"), (CONFIRMED, ONLY_WHERE), "all but aggregates, not prefixes:"),
    (
        None,
        without("chain", "loads_1"),
        (CONFIRMED, ONLY_WHERE),
        "all but two loads in flight and aggregates, not prefixes:",
    ),
    (
        None,
        changed(default_times(), **{"stages_6": 1500}),
        (CONFIRMED, ONLY_WHERE),
        "all but odd words per thread:",
    ),
    (
        None,
        changed(without("chain", "loads_1", "stages_4", "cleared"), **{"stages_6": 1500}),
        (CONFIRMED, NO),
        "",
    ),
    (
        None,
        changed(without("cleared"), **{"one_wave__change:cleared": 5.6}),
        (CONFIRMED, ONLY_WHERE),
        "all but versioned statuses:",
    ),
    (None, changed(default_times(), **{"loads_4": 1}), (CONFIRMED, YES), ""),
    (None, changed(default_times(), **{"stages_4__warm": 1}), (CONFIRMED, YES), ""),
    (
        with_counter(default_counts(), "words:7", "shared_load_wavefronts", 3),
        None,
        (REFUTED, YES),
        "counts 3 shared load wavefronts, not",
    ),
    (
        None,
        {name: time for name, time in default_times().items() if "chain" not in name},
        (CONFIRMED, NOT_MEASURED),
        "",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), "not timed"),
    (False, None, (NOT_COUNTED, YES), ""),
]
