"""Inclusive exclusive: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, N, changed, counted_row, with_counter
from experiments.block.inclusive_exclusive import analysis as inclusive_exclusive


def form_of(scan: str, change: str) -> str:
    own = inclusive_exclusive.OWN_FORM[scan]
    return own if change == "none" else "exclusive" if own == "inclusive" else "inclusive"


def all_cases() -> list[str]:
    apart = [(scan, "none") for scan in inclusive_exclusive.OWN_FORM] + inclusive_exclusive.PAIRS
    return [f"scan/{scan}/form:{form_of(scan, change)}/change:{change}" for scan, change in apart] + [
        f"scan/{scan}/form:{form}/change:built_in"
        for scan in ("kogge_stone", "look_back")
        for form in inclusive_exclusive.BUILT_IN
    ]


def default_counts() -> list[dict]:
    rows = []
    for case in all_cases():
        counters = dict.fromkeys(("ops", "bank_conflicts", "global_load_sectors"), 2 * COUNTED)
        counters["ops"] += COUNTED if "add_input" in case else 0
        rows.append(counted_row(f"{case}/n:{COUNTED}", counters, **counters))
    return rows


def default_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        times |= {f"{case}{tail}": 100.0 for case in all_cases()}
        for form in inclusive_exclusive.BUILT_IN:
            times[f"scan/cub_device/form:{form}/change:built_in{tail}"] = 50.0
        times[f"copy/device_to_device{tail}"] = 10.0
    return times


VERDICTS = [
    (None, None, (CONFIRMED, YES), "adds at most one operation per element; it takes 1.00 times"),
    (
        None,
        changed(default_times(), shift_input=104.9),
        (CONFIRMED, YES),
        "1.05 (Hillis-Steele with the input shifted) times",
    ),
    (None, changed(default_times(), built_in=900), (CONFIRMED, YES), ""),
    (None, changed(default_times(), shift_input__warm=900), (CONFIRMED, YES), ""),
    (
        None,
        changed(default_times(), shift_input=105.1),
        (CONFIRMED, ONLY_WHERE),
        "all but Hillis-Steele with the input shifted and Brent-Kung with the input shifted:",
    ),
    (None, changed(default_times(), none=50), (CONFIRMED, NO), ""),
    (
        with_counter(default_counts(), "add_input", "ops", 3 * COUNTED + COUNTED // 4),
        None,
        (REFUTED, YES),
        "adds at most 1.25 operations per element",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), "one operation per element."),
    (False, None, (NOT_COUNTED, YES), "were not counted"),
]
