"""Radix sort: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, N, changed, counted_row, with_counter
from experiments.uses.radix_sort import analysis as radix_sort


def default_counts() -> list[dict]:
    rows = []
    for key, payload in radix_sort.KINDS:
        for digit in radix_sort.DIGITS:
            counters = {"launches": 3 * key // digit, "barriers": 20, "atomic_requests": 9}
            counters |= {"global_bytes_read": 8 * COUNTED}
            kind = f"key_bits:{key}/payload_bits:{payload}/digit_bits:{digit}"
            rows.append(counted_row(f"sort/radix/{kind}/n:{COUNTED}", counters, **counters))
    return rows


def default_times() -> dict:
    """Doubling the digit halves the time; the scan is a tenth of it."""
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        for key, payload in radix_sort.KINDS:
            kind = f"key_bits:{key}/payload_bits:{payload}"
            for digit in radix_sort.DIGITS:
                times[f"sort/radix/{kind}/digit_bits:{digit}{tail}"] = 100.0 * key / digit
            times[f"sort/cub_device/{kind}{tail}"] = 300.0
            times[f"copy/device_to_device/key_bits:{key}{tail}"] = 50.0
        times |= {
            f"scan/of_counts/digit_bits:{digit}/cache:{cache}/n:{digit << 10}": 10.0
            for digit in radix_sort.DIGITS
        }
    return times


VERDICTS = [
    (
        None,
        None,
        (CONFIRMED, YES),
        "a radix sort is 8.0 times as fast as with digits of one bit; the scan takes",
    ),
    (
        None,
        changed(default_times(), **{"bits:64__digit_bits:2": 6400}),
        (CONFIRMED, ONLY_WHERE),
        "all but 2 bits against 1 (64-bit keys) and 2 bits against 1 (64-bit keys, payload):",
    ),
    (
        None,
        changed(default_times(), **{"key_bits:32__payload_bits:32__digit_bits:8": 900}),
        (CONFIRMED, ONLY_WHERE),
        "all but 8 bits against 4 (32-bit keys, payload)",
    ),
    (None, changed(default_times(), radix__cold=1e4), (CONFIRMED, NO), ""),
    (None, changed(default_times(), **{"digit_bits:8__warm": 1e4}), (CONFIRMED, YES), ""),
    (
        with_counter(default_counts(), "key_bits:64__payload_bits:0/__digit_bits:8", "launches", 25),
        None,
        (REFUTED, YES),
        "counts 25 launches, not 24",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), "not timed"),
    (False, None, (NOT_COUNTED, YES), ""),
]
