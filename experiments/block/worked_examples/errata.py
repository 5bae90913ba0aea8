"""Errors and misleading statements in the sources: what is true, and how it was shown, from the results.

Their sentences are the sections "errata: .." of text.md, each a row: what the source prints, what
is true, how it was shown, apart by bars. A row without its numbers is left out.
"""

import itertools
from collections.abc import Iterator, Sequence

from analysis.core import words
from analysis.core.evidence import Evidence
from analysis.core.prose import told
from experiments.block.worked_examples.examples import Line, lines_of, steps_of

COLUMNS = ("source", "what it prints", "what is true", "how it was shown")
AS_PRINTED = {
    "padrao": ("any length", "last thread"),
    "algorithmes": ("any number", "check"),
}  # need no results


def errata(evidence: Evidence, sources: dict[str, str]) -> list[list[str]]:
    """Rows of source (named once), what it prints, what is true, and how it was shown."""
    counted = evidence.counted
    lines = {(each.example, each.kind, each.step): each for each in lines_of(counted)} if counted else {}
    rows = [(source, told(f"errata: {each}")) for source, of in AS_PRINTED.items() for each in of]
    for source, name, numbers in shown(evidence, lines):
        rows.append((source, told(f"errata: {name}", **numbers)))
    found = []
    for source, name in sources.items():
        names = itertools.chain([name], itertools.repeat(""))
        found += [[next(names), *said.split(" | ")] for of, said in rows if of == source and said]
    return found


def listed(numbers: Sequence[int]) -> str:
    return words.listing([words.integer(number) for number in numbers])


def shown(evidence: Evidence, lines: dict[tuple, Line]) -> Iterator[tuple[str, str, dict]]:
    """Source, row and numbers of each line that is wrong where the correct values are known."""
    for source, example, kind, step in (
        ("algorithmes", "inclusive", "first", ""),
        ("algorithmes", "mask", "stride", "down"),
        ("arvore", "sixteen", "stride", "down"),
        ("reducao", "spaced", "lanes", "each"),
        ("arvore", "sixteen", "final", "up8"),
        ("arvore", "sixteen", "word", "down1"),
        ("arvore", "sixteen", "ops", ""),
    ):
        line = lines.get((example, kind, step))
        if line and line.true and line.wrong:
            yield source, f"{example} {kind}", numbers_of(line)
    yield from limits(evidence)
    some = [line for line in lines.values() if line.example == "steps" and line.kind == "value"]
    wrong, printed = sum(line.wrong for line in some), sum(len(line.printed) for line in some)
    if wrong and all(line.true for line in some):
        first = min(some, key=lambda line: int(line.step))
        before, after = (" ".join(map(str, each)) for each in (first.printed, first.true))
        found = {"wrong": wrong, "printed": printed, "before": before, "after": after}
        yield "reducao", "steps", found | {"misread": tree_misread(evidence, some)}


def numbers_of(line: Line) -> dict:
    """What is printed and what is true; of lists of one length also the places at which they differ."""
    pairs = [(1 << step, *pair) for step, pair in enumerate(zip(line.printed, line.true, strict=False))]
    at, printed, true = zip(*([each for each in pairs if each[1] != each[2]] or [(0, 0, 0)]), strict=True)
    left, as_many = sorted(set(line.true) - set(line.printed)), line.true[: len(line.printed)]
    found = {"printed": line.printed, "right": line.true, "as_many": as_many, "left": left}
    found |= {"at": at, "differ": printed, "should": true}
    return {name: listed(numbers) for name, numbers in found.items()}


def limits(evidence: Evidence) -> Iterator[tuple[str, str, dict]]:
    """What the limit on block size means for the two sources that rely on one block."""
    known = [each for each in (evidence.counted, evidence.timed) if each and "most_threads" in each.rows]
    limits = {int(each.rows["most_threads"].max()) for each in known}
    if len(limits) == 1:
        who = words.listing([f"the {each.machine['name']}" for each in known])
        total = evidence.counted.count("result_last", example="sum") if evidence.counted else None
        yield "algorithmes", "spine", {"limit": max(limits), "who": who}
        yield "reducao", "one block", {"limit": max(limits), "who": who, "total": total}


def tree_misread(evidence: Evidence, lines: list[Line]) -> int | None:
    """How many numbers of the simple scan's steps do not match the tree's up-sweep either."""
    steps = steps_of(evidence.counted, "tree")
    if not steps:
        return None
    pairs = [(line.printed, steps[f"up{line.step}"].values) for line in lines]
    return sum(number != values[place] for row, values in pairs for place, number in enumerate(row))
