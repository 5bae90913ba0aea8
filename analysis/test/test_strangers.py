"""Programs of others that the clock has predicted, beside their times."""

import json

import pytest

from analysis.core.claims import EXPERIMENTS
from analysis.model import programs

RESULTS = EXPERIMENTS.parent / "results"
COLUMNS = ["program", "arguments", "gpu", "launch", "launches", "kernel", "grid", "block", "longer"]
COLUMNS += ["clock_us", "clock_stall", "clock_unknown"]
PREDICTED = (
    ",".join(COLUMNS)
    + """
a,16,gpu,1,1,"first(int)",4x1x1,32x1x1,1,8,wait,
a,16,gpu,2,1,"second(int)",4x1x1,32x1x1,1,,,why
a,16,other,1,1,"first(int)",4x1x1,32x1x1,1,99,wait,
"""
)
TIMED = 'program,arguments,launch,kernel,us\na,16,1,"first(int)",20\na,16,2,"second(int)",30\n'
PRICES = "price,value,unit,from\nlaunch_us,3,us,x\nprofiled_launch_us,1,us,x\n"


@pytest.fixture
def results(tmp_path):
    (tmp_path / "predicted").mkdir()
    (tmp_path / "gpu").mkdir()
    (tmp_path / "predicted/third.csv").write_text(PREDICTED)
    (tmp_path / "gpu/programs.third.csv").write_text(TIMED)
    (tmp_path / "gpu/clock.csv").write_text(PRICES)
    return tmp_path


def test_a_prediction_begins_with_the_first_block(results) -> None:
    found = programs.by_clock(results, "gpu", "third")
    assert (found["asked"], found["all"]["cases"], found["unknown"]) == (2, 1, {"why": 1})
    assert (found["all"]["worst"], found["all"]["nine_of_ten"]) == (0.45, 0.55)  # 8 + 1 of 20
    (program,) = found["programs"]
    assert (program["kernel"], program["predicted"], program["error"]) == ("second", None, 0.55)


def test_a_launch_that_came_too_late_is_asked_and_has_no_number(results) -> None:
    path = results / "gpu/programs.third.csv"
    path.write_text(path.read_text() + 'a,16,9,"late(int)",40\n')
    found = programs.by_clock(results, "gpu", "third")
    assert (found["asked"], found["timed_of"], found["all"]["cases"]) == (3, 2, 1)
    assert found["unknown"] == {"why": 1, programs.EMPTY["clock_unknown"]: 1}
    assert found["programs"][0]["kernel"] == "late"


def test_nothing_is_said_of_a_gpu_that_timed_none(results) -> None:
    assert programs.by_clock(results, "other", "third") is None
    assert programs.by_clock(results, "gpu", "fourth") is None


def test_every_launch_that_was_predicted_was_timed() -> None:
    document = json.loads((EXPERIMENTS.parent / "figures/model.json").read_text(encoding="utf-8"))
    for found in document["strangers"]:
        assert found["asked"] == found["timed_of"] > 0
    assert {path.parent.name for path in RESULTS.glob("*/programs.third.csv")} == {
        "nvidia-h100",
        "nvidia-h200",
    }
