"""How far the clock's predictions are from the recorded times."""

import json
import math

import pytest

from analysis.core.claims import EXPERIMENTS
from analysis.model import clock

ROOT = EXPERIMENTS.parent
GPUS = ["nvidia-h200", "nvidia-h100"]


@pytest.mark.parametrize("gpu", GPUS)
def test_what_was_predicted_was_recorded(gpu: str) -> None:
    cases = clock.cases_of(ROOT / "results" / gpu)
    assert len({each.claim for each in cases}) >= 6
    assert all(each.measured_us > 0 for each in cases)
    assert any(math.isnan(each.predicted_us) for each in cases)  # those without a number are asked, too


def test_a_case_without_a_number_is_asked_and_not_judged() -> None:
    cases = [
        clock.Case("claim", "a", 12, 10),
        clock.Case("claim", "b", math.nan, 10),
        clock.Case("claim", "c", 10, 10),
    ]
    found = clock.errors_of(cases)
    assert (found["asked"], found["cases"], found["mean"], found["within_15"]) == (3, 2, 0.1, 0.5)
    assert "3 cases,    2 with a number:  10.0% mean,  50% within 15%" in clock.shown("claim", found)
    assert clock.shown("claim", clock.errors_of(cases[1:2])).endswith("none")


def test_what_was_predicted_first_and_looking_back_are_judged_apart(tmp_path) -> None:
    assert clock.judged(tmp_path) is None
    folder = ROOT / "results/nvidia-h200"
    found, again = clock.judged(folder), clock.cases_of(folder, clock.AGAIN)
    assert (
        found["asked"]
        == len(clock.cases_of(folder))
        == sum(own["asked"] for own in found["by_claim"].values())
    )
    assert found["again"]["asked"] == len(again) != found["asked"]


def test_the_document_has_both_gpus() -> None:
    clocks = json.loads((ROOT / "figures/model.json").read_text(encoding="utf-8"))["clock"]
    assert [each["short"] for each in clocks] == ["H200", "H100"]
    assert all(each["again"]["cases"] > 400 for each in clocks)


def test_the_first_reason_to_wait_is_compared_with_the_profilers(tmp_path) -> None:
    (tmp_path / clock.PROFILED).write_text(
        "claim,case,barrier,wait\nclaim,a,0.6,0.4\nclaim,b,0.3,0.7\nother,a,1,0\n"
    )
    cases = [
        clock.Case("claim", name, 1, 1, stall)
        for name, stall in (("a", "barrier"), ("b", "barrier"), ("c", "wait"))
    ]
    assert clock.stalls_of(tmp_path, cases) == {"cases": 2, "same": 1}
    assert clock.stalls_of(tmp_path, [clock.Case("claim", "a", 1, 1)]) is None
    assert clock.stalls_of(tmp_path / "none", cases) is None
