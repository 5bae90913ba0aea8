"""Programs with one fault each: it is found, with file, line, block, thread, and the other access."""

import re
from pathlib import Path

import pytest

from experiments.test.rest import some

FAULTS = sorted((Path(__file__).parent / "faults").glob("*.cu"))
TRIED = ("missing_barrier", "past_the_end", "race")


@pytest.mark.parametrize("path", some(FAULTS, TRIED, lambda path: path.stem), ids=lambda path: path.stem)
def test_a_fault_is_found_at_its_line(path, attempt, stated):
    result = attempt(path)
    assert result.status == int(stated(path, "Status") or 3), result.output + result.errors
    at = stated(path, "At")
    where = f"in the {stated(path, 'In')} program" if stated(path, "In") else "in both programs"
    expected = (
        rf"try: (benign on every GPU we know: )?faulty: {at + ': ' if at else ''}{stated(path, 'Fault')}.*, "
        rf"block \({stated(path, 'Block')}, 0, 0\), thread \(\d+, 0, 0\) \({where}.*\)"
    )
    lines = result.errors.splitlines()
    assert any(re.fullmatch(expected, line) for line in lines), result.errors


@pytest.mark.full
def test_another_schedule_finds_the_race_too(attempt):
    path = Path(__file__).parent / "faults/race.cu"
    for seed in (1, 2):
        assert "data race on shared memory" in attempt(path, "--seed", seed).errors


@pytest.mark.full
def test_a_finding_can_be_allowed(attempt):
    path = Path(__file__).parent / "faults/unset.cu"
    result = attempt(path, "--allow", "uninitialised_read", counted=True)
    assert result.status == 0, result.errors
    assert "try: allowed (--allow): faulty: unset.cu:9: uninitialised read of shared memory" in result.errors
    (finding,) = result.json["findings"]
    assert (finding["hazard"], finding["line"], finding["program"]) == ("uninitialised_read", 9, "both")


def test_the_optimised_program_alone(attempt):
    result = attempt(Path(__file__).parent / "faults/race.cu", "--once")
    assert result.status == 3
    assert "(in the optimised program" in result.errors


@pytest.mark.full
def test_what_is_benign_fails_if_that_is_asked_for(attempt):
    assert attempt(Path(__file__).parent / "faults/same_value.cu", "--once", "--strict").status == 3
