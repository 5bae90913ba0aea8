"""Padding: evidence for which the claim holds, and the verdict for changed evidence."""

from analysis import padding
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED
from tests.analysis.made_up import COUNTED, N, changed, counted_row, references, with_counter

TILES = (512, 1024, 2048)


def default_counts() -> list[dict]:
    rows = []
    for size in (4, 8):
        for tile in TILES:
            for index in padding.MAPS:
                conflicts = COUNTED if index == "plain" else 0
                name = f"scan/blelloch/index:{index}/bytes:{size}/tile:{tile}/n:{COUNTED}"
                rows.append(counted_row(name, {"bank_conflicts": conflicts}, bank_conflicts=conflicts))
    return rows


def default_times() -> dict:
    times = {}
    for cache in ("cold", "warm"):
        for size in (4, 8):
            tail = f"/cache:{cache}/n:{N}"
            for tile in TILES:
                for index in padding.MAPS:
                    name = f"scan/blelloch/index:{index}/bytes:{size}/tile:{tile}{tail}"
                    times[name] = 200.0 if index == "plain" else 100.0
                times[f"scan/cub_block/bytes:{size}/tile:{tile}{tail}"] = 20.0
            times |= references(f"/bytes:{size}{tail}", "scan")
    return times


VERDICTS = [
    (None, None, HOLDS, "no bank conflict at any of 6 sizes; it is faster at every size"),
    (
        with_counter(default_counts(), "padded/__bytes:4__tile:2048", "bank_conflicts", 35),
        None,
        LIMITS,
        "2,048",
    ),
    (
        with_counter(default_counts(), "padded/__bytes:8", "bank_conflicts", 9),
        None,
        LIMITS,
        "every tile of 8-byte",
    ),
    (None, changed(default_times(), **{"padded/__tile:512": 300}), LIMITS, "faster at 4 of 6 sizes"),
    (None, changed(default_times(), **{"padded/": 200.5}), FAILS, "faster at no size"),
    (with_counter(default_counts(), "padded/", "bank_conflicts", 9), None, FAILS, "at every size"),
    (None, False, NOT_MEASURED, "was not timed"),
    (False, None, NOT_MEASURED, "not counted"),
]
