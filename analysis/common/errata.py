"""Errors and misleading statements in the sources: what is true, and how it was shown, from the results."""

import itertools

from analysis.common import words
from analysis.common.evidence import Evidence
from analysis.common.examples import Line, lines_of, steps_of

COLUMNS = ("source", "what it prints", "what is true", "how it was shown")
FAULT = "The SIMT machine stops it: `tests/simt/sources.cu`."
STEPS = "What the kernel leaves in shared memory, step by step."
WRITTEN = "The elements that the kernel writes in each step."
STRIDES = "The strides in the trace of the kernel."


def errata(evidence: Evidence, sources: dict[str, str]) -> list[list[str]]:
    """Rows of source (named once), what it prints, what is true, and how it was shown."""
    counted = evidence.counted
    lines = {(each.example, each.kind, each.step): each for each in lines_of(counted)} if counted else {}
    kernels = [["padrao", *row] for row in LAST_BLOCK] + [["algorithmes", *row] for row in ONE_BLOCK]
    rows = kernels + [row for find in FOUND for row in find(evidence, lines)]
    found = []
    for source, name in sources.items():
        names = itertools.chain([name], itertools.repeat(""))
        found += [[next(names), *row[1:]] for row in rows if row[0] == source]
    return found


# Kernels that were run as printed and as corrected; no results are needed to state these.
LAST_BLOCK = (
    (
        "A kernel for a vector of any length.",
        "Correct for whole blocks. In a partial last block, threads past the end add up shared memory that "
        "was never written.",
        FAULT,
    ),
    (
        "The last thread of a block passes on its element of the vector.",
        "In a partial block it has none: the read is past the end.",
        FAULT,
    ),
)
ONE_BLOCK = (
    (
        "A tree for any number of elements.",
        "Correct for powers of two. Otherwise the down-sweep has one step more than the up-sweep, with "
        "offset zero, and reads before the array.",
        FAULT,
    ),
    (
        "A thread reads its element, then checks whether it has one.",
        "It must check first: in a block with more threads than elements the read is past the end.",
        FAULT,
    ),
)


def listed(numbers: list[int]) -> str:
    return words.listing([words.integer(number) for number in numbers])


def is_erratum(line: Line | None) -> bool:
    """Whether the source is wrong there, and the correct values are known."""
    return bool(line and line.true and line.wrong)


def first_threads(_: Evidence, lines: dict) -> list[list[str]]:
    line = lines.get(("inclusive", "first", ""))
    if not is_erratum(line):
        return []
    return [
        [
            "algorithmes",
            "In step i the threads with numbers greater than 2ⁱ add: of eight, from threads "
            f"{listed(line.printed)} on.",
            f"From threads {listed(line.true)} on.",
            "The lanes in the trace of the kernel. Run as printed, the scan is wrong: "
            "`tests/simt/sources.cu`.",
        ]
    ]


def strides(_: Evidence, lines: dict) -> list[list[str]]:
    found = []
    for source, example, said in (
        ("algorithmes", "mask", "The offsets of the down-sweep are"),
        ("arvore", "sixteen", "The stride of the down-sweep begins with"),
    ):
        line = lines.get((example, "stride", "down"))
        if is_erratum(line):
            true = line.true[: len(line.printed)]
            found.append([source, f"{said} {listed(line.printed)}.", f"{listed(true)}.", STRIDES])
    return found


def spine(evidence: Evidence, _: dict) -> list[list[str]]:
    """What the limit on block size means for the two sources that rely on one block."""
    largest = {}
    for each in (evidence.counted, evidence.timed):
        if each and "most_threads" in each.rows:
            largest[each.machine["name"]] = int(each.rows["most_threads"].max())
    if len(set(largest.values())) != 1:
        return []
    most = max(largest.values())
    who = words.listing([f"the {name}" for name in largest])
    shown = f"A launch of {words.integer(most + 1)} threads per block is refused by {who}."
    total = evidence.counted and evidence.counted.count("result_last", example="sum")
    found = [
        [
            "algorithmes",
            "A scan of any length, which scans its block sums with one block.",
            f"A block has {words.integer(most)} threads, so the scan stops at {words.integer(most)} × "
            f"{words.integer(most)} = {words.integer(most * most)} elements.",
            shown,
        ]
    ]
    if total:
        found.append(
            [
                "reducao",
                "The exercise is about 1, 2, 3 … 2,048. Its solution is one block with a thread per element.",
                f"It stops at {words.integer(most)} elements. Two elements per thread are enough; the sum is "
                f"{words.integer(total)}.",
                shown,
            ]
        )
    return found


def simple_scan(evidence: Evidence, lines: dict) -> list[list[str]]:
    some = [line for line in lines.values() if line.example == "steps" and line.kind == "value"]
    if not some or not all(line.true for line in some):
        return []
    wrong, printed = sum(line.wrong for line in some), sum(len(line.printed) for line in some)
    if not wrong:
        return []
    as_tree = tree_misread(evidence, some)
    also = f" Read as the up-sweep of a tree, {as_tree} are." if as_tree else ""
    first = min(some, key=lambda line: int(line.step))
    return [
        [
            "reducao",
            f"The simple scan of eight elements, step by step; after stride 1 [{spaced(first.printed)}].",
            f"{words.integer(wrong)} of {words.integer(printed)} numbers are wrong; after stride 1 it is "
            f"[{spaced(first.true)}].{also}",
            STEPS,
        ]
    ]


def tree_misread(evidence: Evidence, lines: list[Line]) -> int | None:
    """How many numbers of the simple scan's steps do not match the tree's up-sweep either."""
    steps = steps_of(evidence.counted, "tree")
    if not steps:
        return None
    return sum(
        printed != steps[f"up{line.step}"].values[element]
        for line in lines
        for element, printed in enumerate(line.printed)
    )


def spaced(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))


def lanes_drawn(_: Evidence, lines: dict) -> list[list[str]]:
    line = lines.get(("spaced", "lanes", "each"))
    if not is_erratum(line):
        return []
    pairs = [(1 << step, *pair) for step, pair in enumerate(zip(line.printed, line.true, strict=True))]
    wrong = [(stride, printed, true) for stride, printed, true in pairs if printed != true]
    at = listed([stride for stride, _, _ in wrong])
    return [
        [
            "reducao",
            f"A picture of 32 lanes shows {listed([each[1] for each in wrong])} active at strides {at}.",
            f"{listed([each[2] for each in wrong])}: the picture omits lanes.",
            "Operations of each step, counted.",
        ]
    ]


def sixteen(_: Evidence, lines: dict) -> list[list[str]]:
    found = []
    line = lines.get(("sixteen", "final", "up8"))
    if is_erratum(line):
        found.append(
            [
                "arvore",
                f"After the up-sweep, elements {listed(line.printed)} of sixteen hold their results.",
                f"{listed(line.true)} do.",
                STEPS,
            ]
        )
    line = lines.get(("sixteen", "word", "down1"))
    if is_erratum(line):
        left = sorted(set(line.true) - set(line.printed))
        found.append(
            [
                "arvore",
                f"The last step completes elements {listed(line.printed)}.",
                f"And {listed(left)}.",
                WRITTEN,
            ]
        )
    line = lines.get(("sixteen", "ops", ""))
    if is_erratum(line):
        found.append(
            [
                "arvore",
                f"2 n − 3 operations, which is {listed(line.printed)} for sixteen elements.",
                f"{listed(line.true)}; what is printed is an upper bound.",
                "Operations, counted; equal to the closed form.",
            ]
        )
    return found


def warps(evidence: Evidence, _: dict) -> list[list[str]]:
    counts = [
        evidence.counted and evidence.counted.count(quantity, example="work", algorithm=algorithm)
        for algorithm in ("hillis_steele", "blelloch")
        for quantity in ("ops", "warp_ops")
    ]
    if None in counts:
        return []
    said = [words.integer(count) for count in counts]
    return [
        [
            "prefix",
            "The simple scan takes O(n log n) operations, and O(n log n) warp operations.",
            f"A warp applies the operator to up to 32 lanes at once. In a tile of 1,024 the simple scan's "
            f"{said[0]} operations are issued as {said[1]} warp instructions, the tree's {said[2]}, with the "
            f"total, as {said[3]}.",
            "Operations by lane and by warp, counted.",
        ]
    ]


FOUND = (first_threads, strides, spine, warps, simple_scan, lanes_drawn, sixteen)
