"""The report in the terminal: launch by launch, then source line by source line."""

import shutil
from collections import Counter

from ..observed import ELSEWHERE, Launch, Line, shown, source_lines
from ..quantities import Quantity, with_counts, worst_lines


def extent(numbers: tuple[int, int, int]) -> str:
    used = [number for i, number in enumerate(numbers) if i == 0 or any(each > 1 for each in numbers[i:])]
    return " x ".join(f"{number:,}" for number in used)


def groups(launches: list[Launch]) -> list[list[Launch]]:
    """Launches that are alike in everything, in the order of the first."""
    alike: dict[tuple, list[Launch]] = {}
    for launch in launches:
        lines = tuple(sorted((line, tuple(sorted(counts.items()))) for line, counts in launch.lines.items()))
        key = (launch.kernel, launch.grid, launch.block, launch.shared_bytes, launch.refused, lines)
        alike.setdefault(key, []).append(launch)
    return list(alike.values())


def summed(launches: list[Launch]) -> dict[Line, Counter]:
    """The counts of each line over all these launches, in the order of files and lines."""
    lines: dict[Line, Counter] = {}
    for launch in launches:
        for line, counts in launch.lines.items():
            lines.setdefault(line, Counter()).update(counts)
    return dict(sorted(lines.items()))


def numbers_of(group: list[Launch]) -> str:
    first = group[0].number
    return f"{first:,}" if len(group) == 1 else f"{first:,} (x {len(group):,})"


def table(rows: list[list[str]], left: set[int], width: int) -> list[str]:
    """Right-aligned columns but for those in `left`, no line longer than `width`."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(size) if i in left else cell.rjust(size)
            for i, (cell, size) in enumerate(zip(row, widths, strict=True))
        ).rstrip()[:width]
        for row in rows
    ]


def launch_row(group: list[Launch], quantities: list[Quantity]) -> list[str]:
    """The cells of launches that are alike."""
    launch = group[0]
    head = [numbers_of(group), extent(launch.grid), extent(launch.block), f"{launch.shared_bytes:,} B"]
    if launch.refused:
        return [*head, *["-"] * len(quantities), f"{launch.kernel}: refused, {launch.refused}"]
    return [*head, *[each.text(launch.total) for each in quantities], launch.kernel]


def launch_rows(launches: list[Launch], quantities: list[Quantity]) -> list[list[str]]:
    """The first one names the columns."""
    head = ["launch", "grid", "block", "shared", *[each.name for each in quantities], "kernel"]
    return [head, *[launch_row(group, quantities) for group in groups(launches)]]


def text_of(line: Line) -> str:
    file, number = line
    lines = source_lines(file)
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def line_table(launches: list[Launch], quantities: list[Quantity], width: int) -> list[str]:
    """For each file: its lines with counts. The last row sums up, and equals the launches' own counts."""
    lines = summed(launches)
    worst = worst_lines(lines)
    printed = []
    for file in sorted({file for file, _ in lines}):
        rows = [["line", *[each.name for each in quantities], ""]]
        for line in (line for line in lines if line[0] == file):
            cells = [each.text(lines[line]) + "*" * ((line, each.name) in worst) for each in quantities]
            rows.append(["" if line == ELSEWHERE else str(line[1]), *cells, text_of(line)])
        rows = [
            [cell + " " * (0 < i <= len(quantities) and not cell.endswith("*")) for i, cell in enumerate(row)]
            for row in rows
        ]
        printed += ["", shown(file) if file else "elsewhere", *table(rows, {len(rows[0]) - 1}, width)]
    return printed


def report(launches: list[Launch]) -> str:
    """`launches` are those selected; there is at least one."""
    width = max(100, shutil.get_terminal_size((160, 24)).columns)
    run = [launch for launch in launches if not launch.refused]
    sum_of_all = sum((launch.total for launch in run), Counter())
    quantities = with_counts(run)
    rows = launch_rows(launches, quantities)
    printed = ["", *table(rows, {0, 1, 2, len(rows[0]) - 1}, width)]
    if run:
        printed += line_table(run, quantities, width)
        total = [f"{each.text(sum_of_all)} {each.name}" for each in quantities]
        which = "launch" if len(run) == 1 else "launches"
        printed += ["", f"{len(run):,} {which}: " + ", ".join(total)]
        if any("*" in line for line in printed):
            printed.append("* the worst line of its column: fewest lanes, most of anything else")
    return "\n".join(printed)


def in_words(us: float) -> str:
    return f"{us / 1e3:,.3g} ms" if us >= 1e3 else f"{us:.3g} µs"
