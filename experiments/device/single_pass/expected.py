"""Single pass: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, changed, counted_row, with_counter
from experiments.device.single_pass import analysis as single_pass


def default_counts() -> list[dict]:
    rows = []
    cases = {
        "look_back/type:float/items:15/threads:256": 2,
        "look_back/type:double/items:7/threads:256": 2,
        "three_phase/type:float/spine:device": 4,
        "three_phase/type:float/spine:host": 4,
        "reduce_then_scan/type:float": 3,
    }
    for case, passes in cases.items():
        size = 8 if "double" in case else 4
        counters = {"launches": 1, "ops": 2 * COUNTED, "global_bytes_read": size * COUNTED * (passes - 1)}
        counters["global_bytes_written"] = size * COUNTED
        rows.append(counted_row(f"scan/{case}/n:{COUNTED}", counters, **counters))
    return rows


def default_times() -> dict:
    """A copy of 2^28 floats takes 500 us, a look-back 10% longer, all others much longer."""
    times = {}
    for cache in ("cold", "warm"):
        for log in (10, 20, 28):
            tail, copy = f"/cache:{cache}/n:{1 << log}", 500.0 * max(0.01, 2.0 ** (log - 28))
            for case, factor in {
                "scan/three_phase/type:float/spine:device": 3.0,
                "scan/reduce_then_scan/type:float": 2.0,
                "scan/look_back/type:float/items:15/threads:256": 1.1,
                "scan/cub_device/type:float": 1.3,
                "copy/device_to_device/type:float": 1.0,
            }.items():
                times[case + tail] = factor * copy
        times[f"scan/three_phase/type:float/spine:host{tail}"] = 2000.0
        times[f"scan/look_back/type:float/items:7/threads:128{tail}"] = 700.0
        for kind in ("int8", "int16", "int32", "int64", "double"):
            copy = 500.0 * single_pass.TYPES[kind] / 4
            times[f"scan/look_back/type:{kind}/items:11/threads:512{tail}"] = 1.1 * copy
            times[f"scan/cub_device/type:{kind}{tail}"] = 1.3 * copy
            times[f"copy/device_to_device/type:{kind}{tail}"] = copy
    return times


VERDICTS = [
    (None, None, (CONFIRMED, YES), "at most 2.00n elements, and the faster of ours and CUB's runs at 91%"),
    (
        None,
        changed(default_times(), **{"look_back__float__items:15": 900}),
        (CONFIRMED, ONLY_WHERE),
        "all but float:",
    ),
    (
        None,
        changed(default_times(), **{"look_back": 1200, "cub_device__double": 1000}),
        (CONFIRMED, ONLY_WHERE),
        "double:",
    ),
    (None, changed(default_times(), look_back=2000), (CONFIRMED, NO), "77%"),
    (None, changed(default_times(), **{"look_back__warm": 2000}), (CONFIRMED, YES), ""),
    (
        with_counter(default_counts(), "look_back__double", "global_bytes_read", 8 * 1.2 * COUNTED),
        None,
        (REFUTED, YES),
        "2.20n",
    ),
    (None, False, (CONFIRMED, NOT_MEASURED), "2.00n elements."),
    (False, None, (NOT_COUNTED, YES), "not counted"),
]
