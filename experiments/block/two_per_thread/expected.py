"""Two per thread: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, N, changed, counted_row, references, with_counter
from experiments.block.two_per_thread import analysis as two_per_thread


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
    (None, None, (CONFIRMED, YES), "are 2.0 times as fast as one, and no other number is faster"),
    (
        None,
        changed(default_times(), **{"items:16/__load:16": 80}),
        (CONFIRMED, YES),
        "and 16 are 1.25 times as fast as two",
    ),
    (
        None,
        changed(default_times(), **{"items:2/__threads:1024": 200.5}),
        (CONFIRMED, ONLY_WHERE),
        "blocks of 256 threads: Two elements per thread are 1.00 to 2.0 times as fast as one",
    ),
    (None, changed(default_times(), **{"items:2/__262144": 300}), (CONFIRMED, YES), ""),
    (None, changed(default_times(), **{"items:2/__warm": 300}), (CONFIRMED, YES), ""),
    (None, changed(default_times(), **{"items:2/": 200.5}), (CONFIRMED, NO), ""),
    (
        with_counter(default_counts(), "items:1/__threads:256", "barriers", 999),
        None,
        (REFUTED, YES),
        "counts 999 barriers, not 1,000",
    ),
    (False, None, (NOT_COUNTED, YES), ""),
    (None, False, (CONFIRMED, NOT_MEASURED), "not timed"),
]
