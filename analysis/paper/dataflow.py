"""Who reads and writes which word of shared memory, step by step: the traces that the paper draws."""

import struct
from pathlib import Path

import pandas

EXAMPLES = {  # of the claim worked_examples, all of eight elements
    "hillis_steele": "scan/hillis_steele/source:algorithmes/example:inclusive/n:8",
    "blelloch": "scan/blelloch/source:algorithmes/example:exclusive/n:8",
}


def numbers(recorded) -> dict:
    folder = recorded.results / "simt"
    trace = read(folder / "worked_examples.trace.csv")
    shared = read(folder / "worked_examples.shared.csv")
    return {name: steps_of(trace, shared, case) for name, case in EXAMPLES.items()}


def read(path: Path) -> pandas.DataFrame:
    return pandas.read_csv(path)


def steps_of(trace: pandas.DataFrame, shared: pandas.DataFrame, case: str) -> list[dict]:
    """Each step that writes: the words after it, and from which words each written one came.

    Words count from the tile's first. A lane's first store after an operation holds the result, from all
    words that the lane read; a second one moves the word that it read first. What a lane read before a
    barrier counts if it read nothing since.
    """
    trace, shared = trace[trace["case"] == case], shared[shared["case"] == case]
    first = int(shared["word"].min())
    values: dict[int, float] = {}
    read: dict[int, list[int]] = {}
    found = []
    for step, accesses in trace.groupby("step"):
        loads, stores = (
            accesses[accesses["kind"] == kind].sort_values("request") for kind in ("load", "store")
        )
        read |= {int(lane): [int(word) - first for word in of["word"]] for lane, of in loads.groupby("lane")}
        written = shared[shared["step"] == step]
        if written.empty:
            continue
        words = zip(written["word"], written["value"], strict=True)
        values |= {int(word) - first: as_float(bits) for word, bits in words}
        found.append(
            {"values": [f"{values[word]:g}" for word in sorted(values)], "edges": edges(stores, read, first)}
        )
        if not loads.empty:
            read = {}
    return found


def edges(stores: pandas.DataFrame, read: dict[int, list[int]], first: int) -> list[dict]:
    found = []
    for lane, of in stores.groupby("lane"):
        sources = read.get(int(lane), [])
        for place, word in enumerate(of["word"]):
            found.append({"to": int(word) - first, "from": sources if place == 0 else sources[:1]})
    return found


def as_float(bits: int) -> float:
    return struct.unpack("<f", struct.pack("<I", int(bits) & 0xFFFFFFFF))[0]
