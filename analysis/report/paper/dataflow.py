"""Who reads and writes which word of shared memory, step by step: the traces that the paper draws."""

import numpy
import pandas

EXAMPLES = {  # of the claim worked_examples, all of eight elements
    "hillis_steele": "scan/hillis_steele/source:algorithmes/example:inclusive/n:8",
    "blelloch": "scan/blelloch/source:algorithmes/example:exclusive/n:8",
}


def numbers(recorded) -> dict:
    counted = recorded.of("worked_examples").counted
    return {name: steps_of(counted.trace, counted.shared, case) for name, case in EXAMPLES.items()}


def steps_of(trace: pandas.DataFrame, shared: pandas.DataFrame, case: str) -> list[dict]:
    """Each step that writes: the words after it, and from which words each written one came.

    Words count from the tile's first. What a lane read before a barrier counts if it read nothing since.
    """
    trace, shared = trace[trace["case"] == case], shared[shared["case"] == case]
    first = int(shared["word"].min())
    values: dict[int, float] = {}
    read: dict[int, list[int]] = {}
    found = []
    for step, accesses in trace.groupby("step"):
        loads, stores = (accesses[accesses["kind"] == kind] for kind in ("load", "store"))
        read |= {
            int(lane): sorted(word - first for word in words_of(of)) for lane, of in loads.groupby("lane")
        }
        written = shared[shared["step"] == step]
        if written.empty:
            continue
        floats = written["value"].to_numpy(numpy.int32).view(numpy.float32).tolist()
        after = values | dict(zip((written["word"] - first).tolist(), floats, strict=True))
        own = {int(lane): [word - first for word in words_of(of)] for lane, of in stores.groupby("lane")}
        edges = [edge for lane, to in own.items() for edge in edges_of(to, read.get(lane, []), values, after)]
        values = after
        found.append({"values": [f"{values[word]:g}" for word in sorted(values)], "edges": edges})
        if not loads.empty:
            read = {}
    return found


def words_of(accesses: pandas.DataFrame) -> list[int]:
    """Those that the accesses cover; a wide one covers several."""
    pairs = zip(accesses["word"], accesses["words"], strict=True)
    return [int(word) + k for word, words in pairs for k in range(int(words))]


def edges_of(to: list[int], sources: list[int], before: dict, after: dict) -> list[dict]:
    """What one lane stored: the sum of all that it read once, and otherwise the one word of the same value.

    The machine code's order does not tell which is which; the values do.
    """
    total = sum(before.get(word, 0) for word in sources)
    results = [word for word in to if after[word] == total]
    found = []
    for word in sorted(to):
        moved = [each for each in sources if each != word and before.get(each) == after[word]]
        is_moved = bool(moved) and word not in results[:1]
        found.append({"to": word, "from": moved[:1] if is_moved else sources})
    return found
