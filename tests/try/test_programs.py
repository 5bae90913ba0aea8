"""Small programs, each of which uses a part of CUDA and states what it prints and counts."""

import sys
from collections import Counter

import pytest

from tests.rest import some
from tests.runs.project import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from try_cuda.quantities import QUANTITIES  # noqa: E402

PROGRAMS = sorted((ROOT / "tests/try/programs").glob("*.cu"))
# With those of test_faults.py and test_refused.py, ten.
TRIED = ("dynamic_shared", "grid_sync", "half", "histogram", "shuffles", "tile_scan")
OF_STEPS = {"active_warps"}  # no instruction's


def test_there_are_enough_programs():
    assert len(PROGRAMS) >= 25


@pytest.mark.parametrize("path", some(PROGRAMS, TRIED, lambda path: path.stem), ids=lambda path: path.stem)
def test_a_program_prints_and_counts_what_it_states(path, attempt, stated):
    result = attempt(path, "--", *(stated(path, "Arguments") or "").split(), counted=True)
    assert result.status == 0, result.output + result.errors
    assert stated(path, "Prints") in result.output.splitlines()

    total = result.total()
    found = {quantity.name: quantity.text(total).replace(".", "0", 1) for quantity in QUANTITIES}
    found |= {"launches": str(len(result.json["launches"])), "lanes": QUANTITIES[-1].text(total)}
    for part in stated(path, "Counts").split(", "):
        what, number = part.split()
        assert found[what] == number, (what, found)

    for launch in result.json["launches"]:
        lines = Counter()
        for line in launch["lines"]:
            lines.update(line["counts"])
        assert dict(lines) == {
            what: number for what, number in launch["total"].items() if what not in OF_STEPS
        }
        assert all(line["file"] == str(path) for line in launch["lines"])


def test_a_program_can_be_ended_after_some_launches(attempt):
    result = attempt(ROOT / "tests/try/programs/launches.cu", "--launches", 2, counted=True)
    assert result.status == 0
    assert len(result.json["launches"]) == 2 and result.json["stopped"]
    assert "try: stopped after 2 launches, before its end (--launches)" in result.errors
    assert "7 8 9" not in result.output
