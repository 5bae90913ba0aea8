"""Radix sort: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import radix_sort
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import COUNTED, N, changed, counted_row, with_counter


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
    (None, None, HOLDS, "All 16 sorts take the predicted launches; 8-bit digits are 8.0 times faster"),
    (None, changed(default_times(), **{"bits:64__digit_bits:2": 6400}), LIMITS, "2 bits not faster than 1"),
    (
        None,
        changed(default_times(), **{"key_bits:32__payload_bits:32__digit_bits:8": 900}),
        LIMITS,
        "but 8 bits not faster than 4 (32-bit keys with a payload)",
    ),
    (
        None,
        changed(default_times(), **{"key_bits:32__digit_bits:8": 1e4}),
        LIMITS,
        "from 8.0 times faster to 3.1 times slower",
    ),
    (None, changed(default_times(), **{"radix__digit_bits:8": 1e4}), FAILS, "times slower than 1-bit digits"),
    (None, changed(default_times(), **{"digit_bits:8__warm": 1e4}), HOLDS, ""),
    (
        with_counter(default_counts(), "key_bits:64__payload_bits:0/__digit_bits:8", "launches", 25),
        None,
        FAILS,
        "The sort of 64-bit keys by 8 bits takes 25 launches, not 24",
    ),
    (None, False, NOT_MEASURED, "not every digit was timed"),
    (False, None, NOT_MEASURED, "not counted"),
]
