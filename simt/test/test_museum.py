"""The museum's exhibits: what the machine finds in each is what the table says, at lines that are marked, and
no cured program is accused.

A part of the exhibits is a program of its own, museum_some, for make test.
"""

import csv
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from simt.test import programs

FOLDER = programs.ROOT / "simt/test/museum"
TABLE = FOLDER / "exhibits.csv"
MISSED = "missed"


def rows(path: Path = TABLE) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def marked(name: str) -> set[str]:
    """The lines of an exhibit that make its fault."""
    lines = (FOLDER / f"{name}.cu").read_text("utf-8").splitlines()
    return {str(number) for number, line in enumerate(lines, 1) if line.endswith("// fault")}


def listed(binary: Path) -> dict[str, str]:
    """The programs of a binary, and what is to be found in each."""
    done = subprocess.run([programs.MACHINE, binary, "--list"], capture_output=True, text=True, check=True)
    return {row["name"]: row["expected"] for row in csv.DictReader(done.stdout.splitlines())}


def test_every_exhibit_has_a_source_and_no_row_is_without_one():
    table = rows()
    assert sorted(row["name"] for row in table) == sorted(path.stem for path in FOLDER.glob("*.cu"))
    for row in table:
        text = (FOLDER / f"{row['name']}.cu").read_text("utf-8")
        head = " ".join(line[3:] for line in text.split("#include")[0].splitlines())
        number = row["number"].removeprefix("#")
        assert re.search(rf"github\.com/{row['project']}/(issues|pull)/{number}\b", head), row["name"]
        assert 2010 <= int(row["year"]) <= 2026 and row["kind"] and row["fault"].endswith(".")
        assert marked(row["name"]), row["name"]


def test_the_table_says_what_is_missed_and_why():
    for row in rows():
        assert (MISSED in (row["found"], row["unoptimised"])) == bool(row["note"]), row["name"]
        assert row["cured"] == "clean", row["name"]


@pytest.mark.parametrize("bench", ["museum_some", pytest.param("museum", marks=pytest.mark.full)])
def test_every_fault_is_found_at_its_line_and_no_cured_program_is_accused(tmp_path, bench):
    binary, table = programs.BINARIES.parent / bench, tmp_path / "exhibits.csv"
    command = [sys.executable, "-m", "simt.test.museum.record", "--simt", programs.MACHINE]
    command += ["--binary", binary, "--out", table, "--seconds", str(programs.SECONDS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    expected = listed(binary)
    shown = [row for row in rows(table) if row["name"] in expected]
    assert 2 * len(shown) == len(expected)
    for row in shown:
        name = row["name"]
        for found in (row["found"], row["unoptimised"]):
            assert found == MISSED or expected[name] in found.split(), row
        assert set(row["line"].split()) <= marked(name), row
        assert row["line"] or row["found"] == row["unoptimised"] == MISSED, row
        assert expected[f"{name}_cured"] == row["cured"] == "clean", row
    assert rows(table) == rows(), "run python -m simt.test.museum.record --simt build/simt-run"


@pytest.mark.full
def test_threads_that_have_ended_are_found_strictly():
    """The exhibit that is missed because no GPU waits there: see its note."""

    def found(name: str) -> str:
        command = [programs.MACHINE, programs.BINARIES.parent / "museum", name]
        environment = os.environ | {"SIMT_STRICT": "1"}
        return subprocess.run(
            command, capture_output=True, text=True, env=environment, check=False, timeout=programs.SECONDS
        ).stderr

    assert "threads of the block have ended before it" in found("pytorch_batch_norm")
    assert found("pytorch_batch_norm_cured") == ""


PYTHON = "/usr/bin/env python3"  # sys.executable may have a space in its path
BINARY = f"""#!{PYTHON}
print("name,kind,expected\\nraft_select_k,last block,race\\nraft_select_k_cured,last block,clean")
"""
SANITIZER = f"""#!{PYTHON}
import sys
count = 0 if sys.argv[-1].endswith("_cured") else 12
print(f"========= RACECHECK SUMMARY: {{count}} hazards displayed (1 error, {{count}} warnings)")
"""


def test_racecheck_is_recorded_beside_what_the_machine_finds(tmp_path):
    for path, text in {"museum": BINARY, "compute-sanitizer": SANITIZER}.items():
        (tmp_path / path).write_text(text)
        (tmp_path / path).chmod(0o755)
    table = tmp_path / "exhibits.csv"
    command = [
        sys.executable,
        "-m",
        "simt.test.museum.record",
        "--binary",
        tmp_path / "museum",
        "--out",
        table,
    ]
    environment = os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    subprocess.run(command, cwd=programs.ROOT, env=environment, check=True)
    changed = {"racecheck": "reported: 12", "racecheck_cured": "clean"}
    assert rows(table) == [row | (changed if row["name"] == "raft_select_k" else {}) for row in rows()]
