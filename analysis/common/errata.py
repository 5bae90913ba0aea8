"""Errors and misleading statements in the sources: what is true, and how it was shown, from the results."""

import itertools
from collections.abc import Iterator, Sequence

from analysis.common import words
from analysis.common.evidence import Evidence
from analysis.common.examples import Line, lines_of, steps_of

COLUMNS = ("source", "what it prints", "what is true", "how it was shown")
SOURCES = "`tests/simt/machine/sources.cu`"
FAULT = f"The SIMT machine stops it: {SOURCES}."
STEPS = "What the kernel leaves in shared memory, step by step."
WRITTEN = "The elements that the kernel writes in each step."
STRIDES = "The strides in the trace of the kernel."


Row = tuple[str, str, str, str]  # the key of the source, and the other three of COLUMNS


def errata(evidence: Evidence, sources: dict[str, str]) -> list[list[str]]:
    """Rows of source (named once), what it prints, what is true, and how it was shown."""
    counted = evidence.counted
    lines = {(each.example, each.kind, each.step): each for each in lines_of(counted)} if counted else {}
    rows = [*((*each, FAULT) for each in KERNELS), *(row for find in FOUND for row in find(evidence, lines))]
    found = []
    for source, name in sources.items():
        names = itertools.chain([name], itertools.repeat(""))
        found += [[next(names), *said] for of, *said in rows if of == source]
    return found


# Kernels that were run as printed and as corrected; no results are needed to state these.
KERNELS = (
    (
        "padrao",
        "A kernel for a vector of any length.",
        "Correct for whole blocks. In a partial last block, threads past the end add up shared memory that "
        "was never written.",
    ),
    (
        "padrao",
        "The last thread of a block passes on its element of the vector.",
        "In a partial block it has none: the read is past the end.",
    ),
    (
        "algorithmes",
        "A tree for any number of elements.",
        "Correct for powers of two. Otherwise the down-sweep has one step more than the up-sweep, with "
        "offset zero, and reads before the array.",
    ),
    (
        "algorithmes",
        "A thread reads its element, then checks whether it has one.",
        "It must check first: in a block with more threads than elements the read is past the end.",
    ),
)


def listed(numbers: Sequence[int]) -> str:
    return words.listing([words.integer(number) for number in numbers])


def is_erratum(line: Line | None) -> bool:
    """Whether the source is wrong there, and the correct values are known."""
    return bool(line and line.true and line.wrong)


def first_threads(_: Evidence, lines: dict) -> Iterator[Row]:
    line = lines.get(("inclusive", "first", ""))
    if is_erratum(line):
        said = "In step i the threads with numbers greater than 2ⁱ add: of eight, from threads "
        said += f"{listed(line.printed)} on."
        shown = f"The lanes in the trace of the kernel. Run as printed, the scan is wrong: {SOURCES}."
        yield "algorithmes", said, f"From threads {listed(line.true)} on.", shown


def strides(_: Evidence, lines: dict) -> Iterator[Row]:
    for source, example, said in (
        ("algorithmes", "mask", "The offsets of the down-sweep are"),
        ("arvore", "sixteen", "The stride of the down-sweep begins with"),
    ):
        line = lines.get((example, "stride", "down"))
        if is_erratum(line):
            true = listed(line.true[: len(line.printed)])
            yield source, f"{said} {listed(line.printed)}.", f"{true}.", STRIDES


def spine(evidence: Evidence, _: dict) -> Iterator[Row]:
    """What the limit on block size means for the two sources that rely on one block."""
    largest = {}
    for each in (evidence.counted, evidence.timed):
        if each and "most_threads" in each.rows:
            largest[each.machine["name"]] = int(each.rows["most_threads"].max())
    if len(set(largest.values())) != 1:
        return
    limit = max(largest.values())
    most, squared = words.integer(limit), words.integer(limit * limit)
    who = words.listing([f"the {name}" for name in largest])
    shown = f"A launch of {words.integer(limit + 1)} threads per block is refused by {who}."
    said = "A scan of any length, which scans its block sums with one block."
    true = f"A block has {most} threads, so the scan stops at {most} × {most} = {squared} elements."
    yield "algorithmes", said, true, shown
    if total := evidence.counted and evidence.counted.count("result_last", example="sum"):
        said = "The exercise is about 1, 2, 3 … 2,048. Its solution is one block with a thread per element."
        true = f"It stops at {most} elements. Two elements per thread are enough; the sum is "
        yield "reducao", said, f"{true}{words.integer(total)}.", shown


def simple_scan(evidence: Evidence, lines: dict) -> Iterator[Row]:
    some = [line for line in lines.values() if line.example == "steps" and line.kind == "value"]
    wrong, printed = sum(line.wrong for line in some), sum(len(line.printed) for line in some)
    if not wrong or not all(line.true for line in some):
        return
    as_tree = tree_misread(evidence, some)
    also = f" Read as the up-sweep of a tree, {as_tree} are." if as_tree else ""
    first = min(some, key=lambda line: int(line.step))
    before, after = (" ".join(map(str, each)) for each in (first.printed, first.true))
    said = f"The simple scan of eight elements, step by step; after stride 1 [{before}]."
    true = f"{words.integer(wrong)} of {words.integer(printed)} numbers are wrong; after stride 1 it is "
    yield "reducao", said, f"{true}[{after}].{also}", STEPS


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


def lanes_drawn(_: Evidence, lines: dict) -> Iterator[Row]:
    line = lines.get(("spaced", "lanes", "each"))
    if is_erratum(line):
        pairs = [(1 << step, *pair) for step, pair in enumerate(zip(line.printed, line.true, strict=True))]
        at, printed, true = zip(*(each for each in pairs if each[1] != each[2]), strict=True)
        said = f"A picture of 32 lanes shows {listed(printed)} active at strides {listed(at)}."
        yield (
            "reducao",
            said,
            f"{listed(true)}: the picture omits lanes.",
            "Operations of each step, counted.",
        )


def sixteen(_: Evidence, lines: dict) -> Iterator[Row]:
    if is_erratum(line := lines.get(("sixteen", "final", "up8"))):
        said = f"After the up-sweep, elements {listed(line.printed)} of sixteen hold their results."
        yield "arvore", said, f"{listed(line.true)} do.", STEPS
    if is_erratum(line := lines.get(("sixteen", "word", "down1"))):
        left = sorted(set(line.true) - set(line.printed))
        said = f"The last step completes elements {listed(line.printed)}."
        yield "arvore", said, f"And {listed(left)}.", WRITTEN
    if is_erratum(line := lines.get(("sixteen", "ops", ""))):
        said = f"2 n − 3 operations, which is {listed(line.printed)} for sixteen elements."
        true = f"{listed(line.true)}, which is 2 n − 2 − log n; 2 n − 3 is an upper bound."
        yield "arvore", said, true, "Operations, counted; equal to the closed form."


FOUND = (first_threads, strides, spine, simple_scan, lanes_drawn, sixteen)
