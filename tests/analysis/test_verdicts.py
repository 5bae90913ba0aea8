"""Every verdict follows the evidence: contrary evidence changes it, missing evidence is reported."""

import pytest

from analysis.common.render import analysis_of
from analysis.common.verdict import FAILS, HOLDS, LIMITS, NOT_MEASURED, Verdict
from tests.analysis.claims import CLAIMS, COUNTS, TIMES, VERDICTS
from tests.analysis.made_up import evidence

EVERY = [(claim, *expected) for claim in CLAIMS for expected in VERDICTS[claim]]


@pytest.mark.parametrize(("claim", "counts", "times", "status", "reason"), EVERY)
def test_the_verdict_follows_the_evidence(claim, counts, times, status, reason, folders):
    counts = COUNTS[claim]() if counts is None else counts or None
    times = TIMES[claim]() if times is None else times or None
    verdict = analysis_of(claim).verdict(evidence(folders[0], claim, counts, times))
    assert verdict.status == status, verdict.reason
    assert reason in verdict.reason


@pytest.mark.parametrize("claim", CLAIMS)
def test_every_claim_can_end_in_every_way(claim):
    assert {status for _, _, status, _ in VERDICTS[claim]} == {HOLDS, LIMITS, FAILS, NOT_MEASURED}


def test_no_other_status_is_possible():
    with pytest.raises(ValueError, match="a verdict is one of"):
        Verdict("maybe", "")
