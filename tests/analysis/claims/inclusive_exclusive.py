"""Inclusive exclusive: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import inclusive_exclusive
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import COUNTED, N, changed, counted_row, with_counter


def all_cases() -> list[str]:
    apart = [(scan, "none") for scan in inclusive_exclusive.OWN_FORM] + inclusive_exclusive.PAIRS
    return [
        f"scan/{scan}/form:{inclusive_exclusive.form_of(scan, change)}/change:{change}"
        for scan, change in apart
    ] + [
        f"scan/{scan}/form:{form}/change:built_in"
        for scan in ("kogge_stone", "look_back")
        for form in inclusive_exclusive.BUILT_IN
    ]


def default_counts() -> list[dict]:
    rows = []
    for case in all_cases():
        counters = dict.fromkeys(inclusive_exclusive.COUNTED, 2 * COUNTED)
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
    (None, None, HOLDS, "per element; changes take 0.0% more to 0.0% more time: each is"),
    (None, changed(default_times(), shift_input=104.9), HOLDS, "to 5% more"),
    (None, changed(default_times(), built_in=900), HOLDS, ""),
    (None, changed(default_times(), shift_input__warm=900), HOLDS, ""),
    (
        None,
        changed(default_times(), shift_input=105.1),
        LIMITS,
        "Not cheap: Hillis-Steele with the input shifted and Brent-Kung with the input shifted.",
    ),
    (
        None,
        changed(default_times(), blelloch__form=120, blelloch__none=100),
        FAILS,
        "no change to the inclusive form is cheap",
    ),
    (
        with_counter(default_counts(), "add_input", "ops", 3 * COUNTED + 1),
        None,
        FAILS,
        "Blelloch with the input added adds more than one operation per element.",
    ),
    (None, False, NOT_MEASURED, "was not measured"),
    (False, None, NOT_MEASURED, "were not counted"),
]
