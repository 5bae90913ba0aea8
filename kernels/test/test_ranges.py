"""The table of overlaps in kernels/fast/README.md is the one that the calls check by."""

import re
from pathlib import Path

FAST = Path(__file__).resolve().parents[1] / "fast"
CALL = re.compile(r'\{"(`[^"]+`)", \d, \{(\{.*?\})\}\}')
ARGUMENT = re.compile(r'\{"(\w+)", (\w+)\}')
COLUMNS = ("R", "W", "SOME")


def rows(source):
    """The lines of the document's table, of that in the source."""
    found = ["| call | reads | writes | writes as many as it finds |", "| --- | --- | --- | --- |"]
    for call, arguments in CALL.findall(re.sub(r"\n\s+", " ", source)):
        names = {column: [] for column in COLUMNS}
        for name, access in ARGUMENT.findall(arguments):
            if access == "IN_PLACE":
                names["W"].append(f"`{name}`, may be `in`")
            else:
                names[access].append(f"`{name}`")
        cells = [call, *(", ".join(names[column]) for column in COLUMNS)]
        found.append(f"| {' | '.join(cells).rstrip()} |")
    return found


def test_the_document_prints_the_table_of_the_calls():
    table = rows((FAST / "detail/ranges.cuh").read_text())
    assert len(table) > 12
    assert "\n".join(table) + "\n\n" in (FAST / "README.md").read_text()
