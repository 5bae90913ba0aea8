"""Any length: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO_CLAIM, NOT_COUNTED, REFUTED
from analysis.test.made_up import counted_row, references, with_counter
from experiments.device.any_length import analysis as any_length

BEYOND = (1 << 31) + 33


def default_counts() -> list[dict]:
    rows = []
    for algorithm, passes in any_length.PASSES.items():
        for n in (31, 1024, 1 << 16, (1 << 20) + 1):
            moved = {
                "global_bytes_read": 4 * n * (passes - passes // 2),
                "global_bytes_written": 4 * n * (passes // 2),
            }
            counters = {"launches": 1 if algorithm == "look_back" or n <= 1024 else 3} | moved
            rows.append(counted_row(f"scan/{algorithm}/n:{n}", counters, **counters))
    return rows


def default_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        for algorithm, passes in any_length.PASSES.items():
            times |= {
                f"scan/{algorithm}/cache:{cache}/n:{n}": 5.0 * passes * max(1, n / (1 << 20))
                for n in (31, *(1 << log for log in range(10, 31, 4)))
            }
            times[f"scan/{algorithm}/type:unsigned/cache:{cache}/n:{BEYOND}"] = 5000.0 * passes
        for log in range(10, 31, 4):
            found = references(f"/cache:{cache}/n:{1 << log}", "scan")
            times |= {name: time * max(1, 2 ** (log - 20)) for name, time in found.items()}
    return times


VERDICTS = [
    (None, None, (CONFIRMED, NO_CLAIM), "correct at all 10 lengths from 31 to 2³¹ + 33, in at most three"),
    (
        with_counter(default_counts(), "three_phase__n:1048577", "launches", 5),
        None,
        (REFUTED, NO_CLAIM),
        "three launches suffice up to n = 2¹⁶ only: n = 2²⁰ + 1 takes 5",
    ),
    (with_counter(default_counts(), "look_back", "launches", 5), None, (CONFIRMED, NO_CLAIM), ""),
    (None, False, (CONFIRMED, NO_CLAIM), "at all 4 lengths"),
    (False, None, (NOT_COUNTED, NO_CLAIM), "not counted"),
]
