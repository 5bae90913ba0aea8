"""The reference GPU's second recording agrees with the first, and disagreement is detected."""

from pathlib import Path

import pytest

from analysis.report.printed.recorded_on import repeatability
from analysis.test.made_up import document, timed_rows, write

RESULTS = Path(__file__).resolve().parents[2] / "results"


# Share of the cases.
AGREE = {"nvidia-h100": 0.98, "nvidia-h200": 0.94}


@pytest.mark.parametrize("gpu", AGREE)
def test_the_committed_recordings_agree(gpu):
    found = repeatability(RESULTS, gpu)
    assert found["cases"] > 500
    assert found["agree"] >= AGREE[gpu] * found["cases"], found


def recorded_twice(folder: Path, first: dict, second: dict) -> dict | None:
    for machine, times in (("gpu", first), ("gpu/repeat", second)):
        write(folder, machine, document("work", timed_rows(times), gpu="GPU"))
    return repeatability(folder, "gpu")


def test_a_case_that_moved_does_not_agree(tmp_path):
    first = {"scan/a/n:1": 100.0, "scan/b/n:1": 100.0, "scan/only_once/n:1": 5.0}
    found = recorded_twice(tmp_path, first, {"scan/a/n:1": 100.5, "scan/b/n:1": 130.0})
    assert (found["cases"], found["agree"]) == (2, 1)
    assert 1.25 < found["most"] < 1.35


def test_no_second_recording(tmp_path):
    assert repeatability(tmp_path, "gpu") is None
