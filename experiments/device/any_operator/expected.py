"""Any operator: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO_CLAIM, NOT_COUNTED, REFUTED
from analysis.test.made_up import COUNTED, N, changed, counted_row, with_counter
from experiments.device.any_operator import analysis as any_operator


def all_cases() -> list[str]:
    return [
        f"scan/{scan}/operator:{operator}/bytes:{size}"
        for scan in any_operator.OURS
        for operator, size in any_operator.OPERATORS
    ]


def default_counts() -> list[dict]:
    rows = []
    for case in all_cases():
        counters = {"ops": 2 * COUNTED, "operator_steps": 20, "barriers": 100, "launches": 1}
        requests = {"shared_load_requests": 10, "shared_store_requests": 5}
        rows.append(counted_row(f"{case}/n:{COUNTED}", counters, **counters, **requests))
    return rows


def default_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        tail = f"/cache:{cache}/n:{N}"
        for case in all_cases():
            times[f"{case}{tail}"] = 200.0 if "bytes:8" in case else 100.0
        for size in any_operator.SIZES:
            times[f"copy/device_to_device/bytes:{size}{tail}"] = 10.0
            times[f"scan/cub_device/operator:sum/bytes:{size}{tail}"] = 15.0
    return times


VERDICTS = [
    (
        None,
        None,
        (CONFIRMED, NO_CLAIM),
        "5 scans are correct and count the same with each of 6 pairs of operator and type; they are",
    ),
    (
        None,
        changed(default_times(), affine__look_back=300),
        (CONFIRMED, NO_CLAIM),
        "they are 0.67 (affine maps in look-back)",
    ),
    (
        with_counter(default_counts(), "blelloch__bicyclic", "ops", 7),
        None,
        (REFUTED, NO_CLAIM),
        "Blelloch counts 7 or 131,072 operations, by operator.",
    ),
    (
        with_counter(default_counts(), "look_back__segmented_sum", "launches", 2),
        None,
        (REFUTED, NO_CLAIM),
        "look-back counts 1 or 2 launches, by operator.",
    ),
    (None, False, (CONFIRMED, NO_CLAIM), "each of 6 pairs of operator and type."),
    (False, None, (NOT_COUNTED, NO_CLAIM), "Not every scan was counted"),
]
