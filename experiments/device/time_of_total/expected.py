"""Time of total: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, changed, counted_row, with_counter
from experiments.device.time_of_total import analysis as time_of_total


def all_cases(n: int) -> dict[str, tuple[int, float]]:
    """By case: its length and the number of vectors that it moves."""
    cases = {
        f"scan/{scan}/form:inclusive": (n, 2.0) for scan in ("three_phase", "reduce_then_scan", "look_back")
    }
    for scan in time_of_total.EXCLUSIVE:
        cases[f"scan/{scan}/form:exclusive/total:none"] = (n, 2.0)
        cases |= {f"scan/{scan}/form:exclusive/total:{way}": (n + 1, 2.0) for way in time_of_total.WAYS}
    return cases | {"reduce/last_block": (n, 1.0), "reduce/recursive": (n, 1.0)}


def default_counts() -> list[dict]:
    rows = []
    for name, (length, vectors) in all_cases(COUNTED).items():
        counters = {"launches": 1, "ops": length, "global_bytes_read": 4 * COUNTED}
        counters |= {"global_bytes_written": 4 * COUNTED * (vectors - 1)}
        rows.append(counted_row(f"{name}/n:{length}", counters, **counters))
    return rows


def default_times() -> dict:
    """Equal times per case, except that a separate reduction after a scan adds 50%."""
    times = {}
    for cache in ("cold", "warm"):
        for n in (1 << 12, 1 << 20, 1 << 28):
            for name, (length, _) in all_cases(n).items():
                times[f"{name}/cache:{cache}/n:{length}"] = 150.0 if "total:reduction" in name else 100.0
            times[f"scan/cub_device/form:inclusive/cache:{cache}/n:{n}"] = 120.0
            times[f"reduce/cub_device/cache:{cache}/n:{n}"] = 110.0
            times[f"copy/device_to_device/cache:{cache}/n:{n}"] = 90.0
    return times


VERDICTS = [
    (
        None,
        None,
        (CONFIRMED, YES),
        "at most 1.00 times as long. For the total alone the fastest scan is 1.00 times as",
    ),
    (None, changed(default_times(), **{"total:last": 300}), (CONFIRMED, YES), ""),
    (None, changed(default_times(), **{"total:one_more": 300}), (CONFIRMED, YES), ""),
    (None, changed(default_times(), **{"form__warm": 300}), (CONFIRMED, YES), ""),
    (
        None,
        changed(default_times(), **{"form:inclusive": 250}),
        (CONFIRMED, YES),
        "is 0.40 times as fast as a reduction",
    ),
    (
        None,
        changed(default_times(), **{"look_back__total:last": 300, "look_back__total:one_more__n:4097": 111}),
        (CONFIRMED, ONLY_WHERE),
        "one operation, or one more element; the faster way takes at most 1.11 times as long",
    ),
    (
        None,
        changed(default_times(), **{"look_back__total:last": 300, "look_back__total:one_more": 111}),
        (CONFIRMED, NO),
        "",
    ),
    (
        with_counter(default_counts(), "total:last", "ops", 9e9),
        None,
        (REFUTED, YES),
        "operations",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), "takes one operation, or one more element."),
    (False, None, (NOT_COUNTED, YES), "not counted"),
]
