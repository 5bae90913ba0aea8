"""Programs with one fault each: it ends the run, with file, line, block, thread, and the other access."""

import re

import pytest

from tests.rest import some
from tests.runs.project import ROOT

FAULTS = sorted((ROOT / "tests/try/faults").glob("*.cu"))
TRIED = ("missing_barrier", "past_the_end", "race")


@pytest.mark.parametrize("path", some(FAULTS, TRIED, lambda path: path.stem), ids=lambda path: path.stem)
def test_a_fault_is_found_at_its_line(path, attempt, stated):
    result = attempt(path)
    assert result.status == 3, result.output + result.errors
    line = result.errors.splitlines()[-1]
    thread = r"thread \d+ \(warp \d, lane \d+\)"
    place = rf"try: faulty: block {stated(path, 'Block')}, {thread}, {stated(path, 'At')}: "
    assert re.match(place + stated(path, "Fault"), line), line


@pytest.mark.full
def test_another_schedule_finds_the_race_too(attempt):
    path = ROOT / "tests/try/faults/race.cu"
    for seed in (1, 2):
        assert "data race on shared memory: tile" in attempt(path, "--seed", seed).errors


def test_an_unset_read_can_be_a_warning(attempt):
    result = attempt(ROOT / "tests/try/faults/unset.cu", "--allow-unset", counted=True)
    assert result.status == 0, result.errors
    assert "uninitialised read of shared memory" in result.json["launches"][0]["warnings"][0]
