"""Bank conflicts of a tree: who meets in a bank, and which index map helps at which size."""

import pandas

from analysis.common import words
from analysis.paper.block_scans import per_element

CLAIM = "padding"
TRACED = "scan/blelloch/index:{}/bytes:4/tile:64/n:64"
BANKS = 32
TILES = (64, 128, 256, 512, 1024, 2048)
MAPS = {
    "plain": "plain",
    "padded": "i + i/32",
    "two_level": "two-level",
    "swizzled": "XOR",
    "padded16": "i + i/16",
}


def numbers(recorded) -> dict:
    trace = pandas.read_csv(recorded.results / "simt" / f"{CLAIM}.trace.csv")
    evidence = recorded.of(CLAIM)
    return {
        "steps": {
            index: steps_of(trace[trace["case"] == TRACED.format(index)]) for index in ("plain", "padded")
        },
        "first": {
            index: first_load(trace[trace["case"] == TRACED.format(index)]) for index in ("plain", "padded")
        },
        "sizes": [size_row(evidence, tile) for tile in TILES],
        "residue": words.integer(conflicts(evidence, "padded", 4, 2048)),
        "paradox": [paradox_row(evidence, tile) for tile in (512, 1024, 2048)],
        "gain": words.rounded(max(pace(evidence, "padded", 4, tile) for tile in TILES)),
        "gain_8_by_16": words.rounded(max(pace(evidence, "padded16", 8, tile) for tile in TILES)),
        "fastest_2048": fastest(evidence, 4, 2048),
        "slower": slower(evidence),
    }


def conflicts(evidence, index: str, size: int, tile: int) -> int:
    value = per_element(evidence.counted, "bank_conflicts", index=index, bytes=size, tile=tile)
    return round(value * tile)


def time(evidence, index: str, size: int, tile: int) -> float:
    return evidence.timed.time(operation="scan", index=index, bytes=size, tile=tile, cache="cold").value


def pace(evidence, index: str, size: int, tile: int) -> float:
    """How many times faster than with the plain map."""
    return time(evidence, "plain", size, tile) / time(evidence, index, size, tile)


def size_row(evidence, tile: int) -> list[str]:
    """Conflicts of a tile by map, then how many times faster than plain: 4-byte, then 8-byte elements."""
    cells = [words.integer(tile)]
    for size, maps in (
        (4, ("plain", "padded", "two_level", "swizzled")),
        (8, ("plain", "padded", "padded16")),
    ):
        cells += [words.integer(conflicts(evidence, index, size, tile)) for index in maps]
        cells += [f"{pace(evidence, index, size, tile):.2f}" for index in maps[1:]]
    return cells


def paradox_row(evidence, tile: int) -> list[str]:
    """The second level against the first: conflicts, instructions and time of both."""
    cells = [words.integer(tile)]
    for index in ("padded", "two_level"):
        instructions = per_element(evidence.counters, "warp_instructions", index=index, bytes=4, tile=tile)
        cells += [words.integer(conflicts(evidence, index, 4, tile)), words.integer(instructions * tile)]
        cells.append(words.rounded(time(evidence, index, 4, tile)))
    return cells


def slower(evidence) -> str:
    """The second level's time relative to the first one's, 4-byte elements, in tiles with conflicts."""
    ratios = {
        f"tiles of {words.integer(t)}": time(evidence, "two_level", 4, t) / time(evidence, "padded", 4, t)
        for t in TILES
        if t > 64
    }
    return words.times(words.gains(ratios))


def fastest(evidence, size: int, tile: int) -> str:
    return MAPS[min(MAPS, key=lambda index: time(evidence, index, size, tile))]


def steps_of(trace: pandas.DataFrame) -> list[list[int]]:
    """By step that adds and stores: the most words that one load finds in each bank."""
    found = []
    for _, step in trace.groupby("step"):
        if {"op", "store"} <= set(step["kind"]):
            loads = step[step["kind"] == "load"]
            per_bank = loads.assign(bank=loads["word"] % BANKS).groupby(["request", "bank"])["word"].nunique()
            most = per_bank.groupby("bank").max()
            found.append([int(most.get(bank, 0)) for bank in range(BANKS)])
    return found


def first_load(trace: pandas.DataFrame) -> list[int]:
    """The bank that each lane of the first step's load of the first word goes to."""
    loads = trace[trace["kind"] == "load"]
    step = loads["step"].min()
    loads = loads[loads["step"] == step]
    lowest = loads.loc[loads["word"].idxmin(), "request"]
    first = loads[loads["request"] == lowest].sort_values("lane")
    return [int(word % BANKS) for word in first["word"]]
