"""Any length: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import any_length
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import counted_row, references, with_counter

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


def short_times() -> dict:
    """The times of vectors shorter than 2^31."""
    return {name: time for name, time in default_times().items() if int(name.rpartition(":")[2]) < 1 << 31}


VERDICTS = [
    (None, None, HOLDS, "correct at all 10 lengths from 31 to 2³¹ + 33, in at most three"),
    (
        with_counter(default_counts(), "three_phase__n:1048577", "launches", 5),
        None,
        LIMITS,
        "at most three launches up to n = 2¹⁶, but 5 at n = 2²⁰ + 1",
    ),
    (with_counter(default_counts(), "look_back", "launches", 5), None, HOLDS, ""),
    (None, short_times(), LIMITS, "no length beyond 2³¹ was tried"),
    (
        with_counter(default_counts(), "three_phase__n:65536", "launches", 4),
        None,
        FAILS,
        "takes 4 launches at n = 2¹⁶",
    ),
    (None, False, NOT_MEASURED, "not run on a GPU"),
    (False, None, NOT_MEASURED, "not counted"),
]
