"""Two per thread: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import two_per_thread
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import COUNTED, N, changed, counted_row, references


def all_cases() -> list[str]:
    every = [(threads, load, items) for threads, load in two_per_thread.WAYS for items in (1, 2, 4, 8, 16)]
    return [
        f"reduce/items/items:{items}/load:{load}/threads:{threads}"
        for threads, load, items in every
        if load == 4 or items >= 4
    ]


def default_counts() -> list[dict]:
    quantities = {"ops": COUNTED - 1} | dict.fromkeys(two_per_thread.COUNTED, 1000)
    return [counted_row(f"{case}/n:{COUNTED}", quantities, **quantities) for case in all_cases()]


def default_times() -> dict:
    """One element per thread takes twice as long as two; four or more take as long as two."""
    times = {}
    for cache in ("cold", "warm"):
        for n in (N >> 8, N):
            tail = f"/cache:{cache}/n:{n}"
            times |= {f"{case}{tail}": 200.0 if "items:1/" in case else 100.0 for case in all_cases()}
            times |= references(tail, "reduce")
    return times


VERDICTS = [
    (None, None, HOLDS, "are 2.0 times faster than one; no other number is faster"),
    (None, changed(default_times(), **{"items:16/__load:4__threads:256": 99.5}), HOLDS, ""),
    (
        None,
        changed(default_times(), **{"items:16/__load:16__threads:256": 80}),
        LIMITS,
        "but two are not best: 16 are 1.25 times faster than two in blocks of 256",
    ),
    (
        None,
        changed(default_times(), **{"items:2/__threads:1024": 200.5}),
        LIMITS,
        "are up to 2.0 times faster than one; they are faster in blocks of 256 threads only",
    ),
    (None, changed(default_times(), **{"items:2/__262144": 300}), HOLDS, ""),
    (None, changed(default_times(), **{"items:2/__warm": 300}), HOLDS, ""),
    (None, changed(default_times(), **{"items:2/": 200.5}), FAILS, "in blocks of no size"),
    (False, None, HOLDS, ""),
    (None, False, NOT_MEASURED, "not timed"),
]
