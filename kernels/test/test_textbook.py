"""The textbook stands by itself: its kernels include nothing of other rooms."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
ALLOWED = re.compile(r"kernels/(textbook/.*|[a-z_]+\.cuh)")


def test_the_textbook_includes_nothing_of_other_rooms():
    files = sorted((ROOT / "kernels/textbook").rglob("*.cuh"))
    assert len(files) > 30
    included = [(file.name, name) for file in files for name in INCLUDE.findall(file.read_text())]
    assert [pair for pair in included if not ALLOWED.fullmatch(pair[1])] == []
