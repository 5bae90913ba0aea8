"""What the model would have said, asked of times that are right and of times that are not."""

import json
from pathlib import Path

import pandas
import pytest

from analysis.core.loading import load
from analysis.report.paper import foretold

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = ("depth", "divergence", "padding")


@pytest.fixture(scope="module")
def cases() -> pandas.DataFrame:
    return pandas.DataFrame(json.loads((ROOT / "figures/model.json").read_text())["cases"])


def asked(table: pandas.DataFrame) -> dict:
    found = {
        claim: foretold.answers(load(ROOT / "results", claim)[0], foretold.predicted(table, claim))
        for claim in CLAIMS
    }
    return foretold.summary(found)


def test_who_predicts_what_was_measured_gives_the_measured_answers(cases):
    found = asked(cases.assign(predicted_us=cases["measured_us"]))
    assert (found["asked"], found["alike"], found["same_places"], found["otherwise"]) == (3, 3, 3, {})


def test_who_predicts_the_contrary_is_told_so(cases):
    found = asked(cases.assign(predicted_us=1e6 / cases["measured_us"]))
    assert found["same_places"] == 0


def test_a_claim_without_kernels_or_without_a_word_on_speed_is_not_asked(cases):
    for claim in ("any_operator", "worked_examples"):
        evidence = load(ROOT / "results", claim)[0]
        assert foretold.answers(evidence, foretold.predicted(cases, claim)) is None
