"""Every verdict follows the evidence: contrary evidence changes each answer, missing evidence is reported."""

import re
from dataclasses import replace

import pytest

from analysis.core.analyses import analysis_of
from analysis.core.claims import stated
from analysis.core.noise_floor import Floor
from analysis.core.verdict import (
    CONFIRMED,
    NO,
    NO_CLAIM,
    NOT_COUNTED,
    NOT_MEASURED,
    ONLY_WHERE,
    REFUTED,
    YES,
    Verdict,
    judge,
    places,
)
from analysis.test.claims import CLAIMS, EXPECTED, MISSING, Expected, as_recorded, evidence

EVERY = [
    pytest.param(claim, row, id=f"{claim}-{at}") for claim in CLAIMS for at, row in enumerate(EXPECTED[claim])
]


def verdict_on(claim: str, row: Expected, floor: Floor | None = None) -> Verdict:
    if as_recorded(claim).counted is None:
        pytest.skip("a draft that is not counted")
    if as_recorded(claim).timed is None and (row.times or row.speed not in (NO_CLAIM, NOT_MEASURED)):
        pytest.skip("a draft that no GPU has timed")
    if as_recorded(claim).counters is None and row.counters != MISSING:
        pytest.skip("no GPU's counters were read")
    found = evidence(claim, row.counts, row.times, row.counters)
    return analysis_of(claim).verdict(replace(found, floor=floor) if floor else found)


@pytest.mark.parametrize(("claim", "row"), EVERY, ids=lambda each: each if isinstance(each, str) else "")
def test_the_verdict_follows_the_evidence(claim, row):
    verdict = verdict_on(claim, row)
    assert (verdict.count, verdict.speed) == (row.count, row.speed), f"{verdict.where}: {verdict.finding}"
    assert row.finding in f"{verdict.where}: {verdict.finding}"


@pytest.mark.parametrize("claim", CLAIMS)
def test_every_claim_can_end_in_every_way(claim):
    """Both questions are fed evidence for and against, and none."""
    assert {row.count for row in EXPECTED[claim]} == {CONFIRMED, REFUTED, NOT_COUNTED}
    assert {row.speed for row in EXPECTED[claim]} - {ONLY_WHERE} in ({NO_CLAIM}, {YES, NO, NOT_MEASURED})


@pytest.mark.parametrize("claim", CLAIMS)
def test_the_experiment_states_the_rule(claim):
    """One sentence for each question that the claim raises, with the numbers that the analysis uses."""
    module, said = analysis_of(claim), stated(claim)["fails_if"]
    has_speed = EXPECTED[claim][0].speed != NO_CLAIM
    assert re.fullmatch(r"Count: .*\." + (r" Speed: .*\." if has_speed else ""), said)
    assert ("Speed:" in said) is has_speed
    for name in ("SLACK", "SHARE", "LEAST"):
        if hasattr(module, name):
            assert f" {getattr(module, name):.0%}" in said, f"{name}: fails_if states another percentage"


OF_SPEED = [claim for claim in CLAIMS if claim != "noise" and EXPECTED[claim][0].speed != NO_CLAIM]


@pytest.mark.parametrize("claim", OF_SPEED)
def test_what_is_less_than_the_noise_floor_is_no_difference(claim):
    """With a floor above all differences nothing is faster, and nothing slower."""
    timed = [row for row in EXPECTED[claim] if row.speed != NOT_MEASURED]
    assert {verdict_on(claim, row, Floor({1: 1e99})).speed for row in timed} in ({YES}, {NO})


def test_the_floor_of_a_length():
    floor = Floor({1 << 12: 1.10, 1 << 20: 1.03, 1 << 24: 1.01})
    at = {0: 1.10, 1 << 12: 1.10, 1 << 16: 1.10, 1 << 20: 1.03, 1 << 22: 1.03, 1 << 24: 1.01, 1 << 30: 1.01}
    assert {n: floor.at(n) for n in at} == at
    assert Floor().at(7) == 1


def test_no_other_answer_is_possible():
    for answers in (("maybe", YES), (CONFIRMED, "maybe"), (YES, CONFIRMED)):
        with pytest.raises(ValueError, match="an answer is one of"):
            Verdict(*answers, "")
    for speed, where in ((ONLY_WHERE, ""), (YES, "in tiles of 512")):
        with pytest.raises(ValueError, match="names a place"):
            Verdict(CONFIRMED, speed, "", where)


@pytest.mark.parametrize(
    ("follows", "speed", "where"),
    [
        ({}, NOT_MEASURED, ""),
        ({"a": True, "b": None}, NOT_MEASURED, ""),
        ({"a": True, "b": True}, YES, ""),
        ({"a": False}, NO, ""),
        ({"a": True, "b": False}, ONLY_WHERE, "a"),
    ],
)
def test_the_speed_is_asked_at_every_place(follows, speed, where):
    verdict = judge(True, follows, "")
    assert (verdict.speed, verdict.where) == (speed, where)


def test_places_are_named_or_counted():
    assert places({"a": True, "b": True, "c": False, "d": True}) == "a, b and d"
    assert places(dict.fromkeys("abcd", True) | {"e": False}) == "all but e"
    assert places(dict.fromkeys("abcd", True) | dict.fromkeys("efgh", False)) == "4 of 8 cases"
