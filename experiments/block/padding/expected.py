"""Padding: evidence that confirms the claim, and the verdict for changed evidence."""

from analysis.core.verdict import CONFIRMED, NO, NOT_COUNTED, NOT_MEASURED, ONLY_WHERE, REFUTED, YES
from analysis.test.made_up import COUNTED, N, changed, counted_row, references, with_counter
from experiments.block.padding import analysis as padding

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
    (None, None, (CONFIRMED, YES), "no bank conflict at any of 6 sizes; it is 2.0 times as fast"),
    (
        with_counter(default_counts(), "padded/__bytes:4__tile:2048", "bank_conflicts", 35),
        None,
        (REFUTED, YES),
        "bank conflicts at 1 of 6 sizes (4-byte elements in tiles of 2,048)",
    ),
    (
        with_counter(default_counts(), "padded/__bytes:8", "bank_conflicts", 9),
        None,
        (REFUTED, YES),
        "8-byte elements in every tile",
    ),
    (
        None,
        changed(default_times(), **{"padded/__tile:512": 300}),
        (CONFIRMED, ONLY_WHERE),
        "all but 512 elements of 4 bytes and 512 elements of 8 bytes:",
    ),
    (None, changed(default_times(), **{"padded/": 200.5}), (CONFIRMED, NO), ""),
    (None, changed(default_times(), **{"padded/__warm": 900}), (CONFIRMED, YES), ""),
    (None, False, (CONFIRMED, NOT_MEASURED), ""),
    (False, None, (NOT_COUNTED, YES), "not counted"),
]
