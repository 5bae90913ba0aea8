"""Any operator: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import any_operator
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import COUNTED, N, changed, counted_row, with_counter


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
    (None, None, HOLDS, "each of 5 scans counts the same operations, steps, barriers and"),
    (None, None, HOLDS, "an operator takes up to 0.0% more time."),
    (None, changed(default_times(), affine=219), HOLDS, "up to 9% more"),
    (None, changed(default_times(), max=50), HOLDS, ""),
    (None, changed(default_times(), affine__warm=900), HOLDS, ""),
    (
        None,
        changed(default_times(), affine__look_back=300, bicyclic__cold=230),
        LIMITS,
        "up to 50% more time (affine maps in look-back); more than 10% longer: affine maps and brackets.",
    ),
    (
        with_counter(default_counts(), "blelloch__bicyclic", "ops", 7),
        None,
        FAILS,
        "Blelloch counts 131,072 and 7 operations, by operator.",
    ),
    (
        with_counter(default_counts(), "look_back__segmented_sum", "launches", 2),
        None,
        FAILS,
        "look-back counts 1 and 2 launches, by operator.",
    ),
    (None, False, NOT_MEASURED, "was not measured"),
    (False, None, NOT_MEASURED, "Not every scan was counted"),
]
