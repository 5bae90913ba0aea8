"""Noise: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import changed, counted_row, with_counter
from experiments.gpu.noise import analysis as noise

LENGTHS = [1 << log for log in (12, 16, 20, 24, 26)]


def default_counts() -> list[dict]:
    rows = []
    for n in LENGTHS[:2]:
        for algorithm in ("hillis_steele", "blelloch", "three_phase"):
            for twin in ("a", "b"):
                name = f"scan/{algorithm}/twin:{twin}/n:{n}"
                rows.append(counted_row(name, {"ops": n}, ops=n, barriers=n // 64))
    return rows


def default_times() -> dict:
    times = {}
    for n in LENGTHS:
        for cache in ("cold", "warm"):
            for algorithm in noise.LOOKS:
                operation = "copy" if algorithm == "device_to_device" else "scan"
                for twin in ("a", "b"):
                    times[f"{operation}/{algorithm}/twin:{twin}/cache:{cache}/n:{n}"] = 100.0
    return times


VERDICTS = [
    (None, None, (CONFIRMED, YES), "50 of 50 pairs of twins overlap; the noise floor is 0.0%"),
    (None, changed(default_times(), **{"twin:b": 101}), (CONFIRMED, YES), "the noise floor is 1.0%"),
    (
        None,
        changed(default_times(), **{"twin:b__cub_device__n:4096": 103}),
        (CONFIRMED, ONLY_WHERE),
        "from n = 2¹⁶ on: The intervals of 48 of 50",
    ),
    (
        None,
        changed(default_times(), **{"twin:b__n:67108864": 103}),
        (CONFIRMED, ONLY_WHERE),
        "up to n = 2²⁴: The intervals of 40 of 50",
    ),
    (None, changed(default_times(), **{"twin:a": 103}), (CONFIRMED, NO), "The intervals of 0 of 50"),
    (
        with_counter(default_counts(), "blelloch/twin:b__n:4096", "ops", 1),
        None,
        (REFUTED, YES),
        "Blelloch at n = 2¹²",
    ),
    (False, None, (NOT_COUNTED, YES), "50 of 50"),
    (None, False, (CONFIRMED, NOT_MEASURED), "No twins were timed"),
]
