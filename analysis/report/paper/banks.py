"""Bank conflicts of a tree: who meets in a bank, and which index map helps at which size."""

import pandas

from analysis.core.evidence import select
from analysis.report.paper.block_scans import per_element
from experiments.block.padding.analysis import MAPS, TRACED, banks_by_step, conflicts, sizes, times

SHOWN = {4: ("plain", "padded", "two_level", "swizzled"), 8: ("plain", "padded", "padded16")}  # by bytes
DRAWN = ("plain", "padded")


def numbers(recorded) -> dict:
    evidence = recorded.of("padding")
    counted, timed, trace = evidence.counted, evidence.timed, evidence.counted.trace
    tiles = sizes(timed)[4]
    known = {(index, size): conflicts(counted, index, size) for size in SHOWN for index in MAPS}
    us = {(index, size): times(timed, index, size) for size in SHOWN for index in MAPS}

    def pace(index: str, size: int, tile: int) -> float:
        """How many times as fast as with the plain map."""
        return us["plain", size][tile].value / us[index, size][tile].value

    def row(tile: int) -> list[float]:
        """Conflicts of a tile by map, then how many times as fast: 4-byte, then 8-byte elements."""
        cells = [tile]
        for size, maps in SHOWN.items():
            cells += [known[index, size][tile] for index in maps]
            cells += [pace(index, size, tile) for index in maps[1:]]
        return cells

    def paradox(tile: int) -> list[float]:
        """The second level against the first: conflicts, instructions and time of both."""
        cells = [tile]
        for index in ("padded", "two_level"):
            of = per_element(evidence.counters, "warp_instructions", index=index, bytes=4, tile=tile)
            cells += [known[index, 4][tile], of * tile, us[index, 4][tile].value]
        return cells

    both = [us[index, 4] for index in ("two_level", "padded")]
    over = {tile: both[0][tile].value / both[1][tile].value for tile in tiles if tile > TRACED}
    fastest = min(MAPS, key=lambda index: us[index, 4][2048].value)
    return {
        "steps": {index: [banks for _, banks in banks_by_step(trace, index, TRACED)] for index in DRAWN},
        "first": {index: first_load(trace, index) for index in DRAWN},
        "sizes": [row(tile) for tile in tiles],
        "residue": known["padded", 4][2048],
        "paradox": [paradox(tile) for tile in (512, 1024, 2048)],
        "gain": max(pace("padded", 4, tile) for tile in tiles),
        "gain_8": max(pace("padded", 8, tile) for tile in tiles),
        "gain_8_by_16": max(pace("padded16", 8, tile) for tile in tiles),
        "fastest_2048": {"swizzled": "XOR"}.get(fastest, MAPS[fastest].label),
        "slower": {str(tile): 1 / ratio for tile, ratio in over.items()},
    }


def first_load(trace: pandas.DataFrame, index: str) -> list[int]:
    """The bank that each lane of the first step's load of the first word goes to, as banks_by_step numbers
    them."""
    own = select(trace, {"algorithm": "blelloch", "index": index, "tile": TRACED, "warp": 0})
    begin, loads = own[own["kind"] != "op"]["word"].min(), own[own["kind"] == "load"]
    loads = loads[loads["step"] == loads["step"].min()]
    first = loads[loads["request"] == loads.loc[loads["word"].idxmin(), "request"]].sort_values("lane")
    return [int((word - begin) % 32) for word in first["word"]]
