"""Two programs side by side: what changed, line by line of their sources, and in each launch."""

import difflib
from collections import Counter
from itertools import zip_longest
from pathlib import Path

from ..findings import Finding
from ..observed import Launch, Line, source_lines
from ..quantities import QUANTITIES
from ..run import Outcome
from .clock import us_of
from .terminal import in_words, summed, table


def lines_of(file: str) -> list[str]:
    return [line.strip() for line in source_lines(file)]


def pairs(ours: str, theirs: str) -> list[tuple[int, int]]:
    """Lines of two files that stand for one another, from 1; 0: there is none. In the order of both."""
    matcher = difflib.SequenceMatcher(None, lines_of(ours), lines_of(theirs), autojunk=False)
    both = []
    for _, a, a_end, b, b_end in matcher.get_opcodes():
        both += zip_longest(range(a + 1, a_end + 1), range(b + 1, b_end + 1), fillvalue=0)
    return both


def changed(values: list[str]) -> str:
    return values[0] if values[0] == values[1] else " -> ".join(values)


def line_rows(
    ours: dict[Line, Counter], theirs: dict[Line, Counter], files: list[str], columns: list
) -> list:
    rows, texts = [], [lines_of(file) for file in files]
    for numbers in pairs(*files):
        both = [
            side.get((file, n), Counter())
            for side, file, n in zip((ours, theirs), files, numbers, strict=True)
        ]
        cells = [[each.text(counts) for counts in both] for each in columns]
        if all(one == other for one, other in cells):
            continue
        shown = [text[n - 1] for text, n in zip(texts, numbers, strict=True) if n]
        where = "/".join(str(n) if n else "-" for n in numbers)
        rows.append([where, *map(changed, cells), " -> ".join(dict.fromkeys(shown))])
    return rows


def of_findings(ours: list[Finding], theirs: list[Finding]) -> list[str]:
    """Of those of a kind and a kernel: how many there are, if that changed."""
    counts = [Counter((each.hazard, each.kernel) for each in side) for side in (ours, theirs)]
    return [
        f"{hazard} in {kernel or 'the host'}: {changed([str(side[hazard, kernel]) for side in counts])}"
        for hazard, kernel in sorted(set(counts[0]) | set(counts[1]))
    ]


def times(launches: list[Launch]) -> str:
    us = list(map(us_of, launches))
    return in_words(sum(us)) if us and all(us) else "no time"


def report(ours: Outcome, theirs: Outcome, gpu: str) -> str:
    """The first source of each program is what is compared line by line. gpu: by whose clock; "": none."""
    files = [str(each.files[0]) for each in (ours, theirs)]
    sides = [[launch for launch in each.launches if not launch.refused] for each in (ours, theirs)]
    sums = [summed(side) for side in sides]
    totals = [sum((each.total for each in side), Counter()) for side in sides]
    columns = [each for each in QUANTITIES if any(each.of(total) for total in totals)]
    head = ["line", *[each.name for each in columns], ""]
    rows = [head, *line_rows(*sums, files, columns)]
    rows.append(["all", *[changed([each.text(total) for total in totals]) for each in columns], ""])
    printed = ["", f"{' -> '.join(Path(file).name for file in files)}: lines whose counts differ"]
    printed += table(rows, {0, len(head) - 1}, 220)
    for kernel in dict.fromkeys(each.kernel for side in sides for each in side) if gpu else ():
        both = [times([each for each in side if each.kernel == kernel]) for side in sides]
        printed.append(f"by the clock of an {gpu}: {kernel}: {changed(both)}")
    differences = of_findings(ours.findings, theirs.findings)
    printed += [f"findings: {line}" for line in differences] or ["findings: none in either"]
    return "\n".join(printed)
