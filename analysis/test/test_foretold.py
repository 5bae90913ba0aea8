"""What the clock would have said, asked of times that are right and of times that are not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from analysis.core.loading import REFERENCE_GPU, load
from analysis.model.kernels import Kernel, recorded
from analysis.report.paper import foretold

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = ("depth", "divergence", "padding")


@pytest.fixture(scope="module")
def kernels() -> list[Kernel]:
    return recorded(ROOT / "results", REFERENCE_GPU)


def answers(kernels: list[Kernel], claim: str, us: Callable[[Kernel], float]) -> tuple | None:
    said = {(each.case, each.n): us(each) for each in kernels if each.claim == claim}
    return foretold.answers(load(ROOT / "results", claim)[0], said)


def asked(kernels: list[Kernel], us: Callable[[Kernel], float]) -> dict:
    return foretold.summary({claim: answers(kernels, claim, us) for claim in CLAIMS})


def test_who_predicts_what_was_measured_gives_the_measured_answers(kernels):
    found = asked(kernels, lambda each: each.us)
    assert (found["asked"], found["alike"], found["same_places"], found["otherwise"]) == (3, 3, 3, {})


def test_who_predicts_the_contrary_is_told_so(kernels):
    found = asked(kernels, lambda each: 1e6 / each.us)
    assert found["same_places"] == 0


def test_a_claim_without_kernels_or_without_a_word_on_speed_is_not_asked(kernels):
    for claim in ("any_operator", "worked_examples"):
        assert answers(kernels, claim, lambda each: each.us) is None
