"""The committed results: counts equal their closed forms, and verdicts match the results.

Drafts, claims without an order of their own, are left out: their author is still at work on them.
"""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from analysis.core.agreement import forms
from analysis.core.analyses import analysis_of, has_analysis
from analysis.core.causes import UNEXPLAINED
from analysis.core.claims import names, stated
from analysis.core.files import claims_in
from analysis.core.loading import load, read
from analysis.core.recorded import SUFFIX
from analysis.report.sections import NO_ORDER
from analysis.test.claims import CLAIMS
from experiments.block.divergence import analysis as divergence
from experiments.block.padding import analysis as padding

ROOT = Path(__file__).resolve().parents[2]


def document_of(path: Path) -> dict:
    return json.loads(path.read_text())


EXPERIMENTS = set(names())
LISTED = {claim for claim in EXPERIMENTS if stated(claim)["order"] < NO_ORDER}
COUNTED = [path for path in sorted((ROOT / "results/simt").glob(f"*{SUFFIX}")) if path.stem in LISTED]
DRAWN = [
    path
    for path in sorted((ROOT / "figures").glob("*.json"))
    if has_analysis(path.stem.split(".")[0]) and document_of(path)["claim"]["id"] in LISTED
]


def counted(claim: str):
    return read(ROOT / f"results/simt/{claim}{SUFFIX}")


@pytest.mark.parametrize("path", COUNTED, ids=lambda path: path.stem)
def test_every_count_equals_its_closed_form_or_differs_for_a_proven_cause(path):
    found = forms(read(path))
    wrong = found[found["cause"] == UNEXPLAINED]
    assert wrong.empty, wrong.to_string()


def test_every_claim_is_counted_and_nothing_else():
    assert LISTED <= set(claims_in(ROOT / "results")) <= EXPERIMENTS


def test_every_claim_says_what_is_expected_of_it():
    """make new writes it: expected.csv."""
    assert LISTED <= set(CLAIMS) <= EXPERIMENTS


def test_activity_map_is_that_of_the_lecture_notes():
    """32 lanes: every stride-th lane, compared with the first lanes."""
    strides = [1, 2, 4, 8, 16, 32]
    spaced = [(stride, set(range(0, 32, stride))) for stride in strides]
    packed = [(stride, set(range(32 // stride))) for stride in strides]
    halving = [(stride, set(range(stride))) for stride in reversed(strides)]
    found = counted("divergence")
    assert divergence.activity(found, "spaced") == spaced
    assert divergence.activity(found, "contiguous") == packed
    assert divergence.activity(found, "halving") == halving


def test_bank_map_is_that_of_the_lecture_notes():
    """Thread 0 adds elements 0 and 1, thread 16 adds 32 and 33: the same banks unless padded."""
    found = counted("padding")
    plain, padded = (padding.banks_by_step(found.trace, each, padding.TRACED) for each in ("plain", "padded"))
    assert [name for name, _ in plain] == [f"up {1 << k}" for k in range(6)] + [
        f"down {32 >> k}" for k in range(6)
    ]
    assert plain[0][1][:2] == [2, 2]
    assert max(max(banks) for _, banks in padded) == 1


@pytest.mark.parametrize("path", DRAWN, ids=lambda path: path.stem)
def test_committed_verdicts_are_those_of_the_results(path):
    document = document_of(path)
    for each in load(ROOT / "results", document["claim"]["id"]):
        timed = document["machines"]["timed"]
        if (each.timed and each.timed.machine["name"]) == (timed and timed["machine"]["name"]):
            verdict = analysis_of(document["claim"]["id"]).verdict(each)
            assert asdict(verdict) == document["verdict"]
