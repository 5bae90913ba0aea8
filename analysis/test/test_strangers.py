"""Programs of others that the clock has predicted, beside their times."""

import json

import pytest

from analysis.core.claims import EXPERIMENTS
from analysis.model import programs

RESULTS = EXPERIMENTS.parent / "results"
COLUMNS = ["program", "arguments", "gpu", "launch", "launches", "kernel", "grid", "block", "longer"]
COLUMNS += ["predicted_us", "limiter", "outside", "clock_us", "clock_stall", "clock_unknown"]
PREDICTED = (
    ",".join(COLUMNS)
    + """
a,16,gpu,1,1,"first(int)",4x1x1,32x1x1,1,12,,,8,wait,
a,16,gpu,2,1,"second(int)",4x1x1,32x1x1,1,,,why,,,why
a,16,other,1,1,"first(int)",4x1x1,32x1x1,1,12,,,99,wait,
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


def test_both_predictions_begin_with_the_first_block(results) -> None:
    found = programs.by_clock(results, "gpu", "third")
    assert (found["asked"], found["all"]["cases"], found["unknown"]) == (2, 1, {"why": 1})
    assert (found["all"]["worst"], found["all"]["nine_of_ten"]) == (0.45, 0.55)  # 8 + 1 of 20
    assert found["model"]["worst"] == 0.5  # 12 - 3 + 1
    (program,) = found["programs"]
    assert (program["kernel"], program["predicted"], program["error"]) == ("second", None, 0.55)


IDLE = dict.fromkeys((each for units in programs.UNITS.values() for each in units), 0.0)


@pytest.mark.parametrize(
    ("share", "expected"),
    [
        ({"issue": 68, "dram": 64}, "issue"),
        ({"issue": 64, "dram": 68}, "bytes"),
        ({"issue": 50, "fma": 61, "dram": 60}, "issue"),
        ({"pipe": 60, "issue": 59}, "banks"),
        ({"issue": 59.9, "dram": 59, "pipe": 59}, "latency"),
    ],
)
def test_the_busiest_limits_if_it_is_busy_enough(share, expected):
    assert programs.busiest(IDLE | share) == expected


def test_a_set_that_the_clock_alone_predicted_has_no_error_of_the_model(results):
    path = results / "predicted/third.csv"
    path.write_text(path.read_text().replace("predicted_us", "something"))
    found = programs.by_clock(results, "gpu", "third")
    assert (found["all"]["cases"], found["model"]) == (1, {"cases": 0})


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
