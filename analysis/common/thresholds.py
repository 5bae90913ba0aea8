"""What a claim's speed verdict would be with another noise threshold, or if warm times were asked instead of
cold ones. The page lets its reader move the threshold; the analysis itself uses the measured noise floor."""

from collections.abc import Callable
from dataclasses import asdict, replace

from analysis.common.evidence import Evidence, Results
from analysis.common.noise_floor import Floor
from analysis.common.verdict import NO_CLAIM, NOT_MEASURED, Verdict, speed_in_words

MEASURED = "measured"
PERCENT = (0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100)
THRESHOLDS = (MEASURED, *PERCENT)  # the first is the default
OTHER_CACHE = {"cold": "warm", "warm": "cold"}


def by_threshold(verdict: Callable[[Evidence], Verdict], evidence: Evidence) -> dict:
    """The verdicts at each of THRESHOLDS, for cold times and, where cases were timed in both states, for warm
    ones in their place: {"cold": ["no", "only where: ..", ..], "warm": [..] or None}. Empty without a verdict
    on speed."""
    if verdict(evidence).speed in (NO_CLAIM, NOT_MEASURED):
        return {}
    warm = exchanged(evidence.timed)

    def answers(timed: Results) -> list[str]:
        found = [with_threshold(replace(evidence, timed=timed), each) for each in THRESHOLDS]
        return [speed_in_words(asdict(verdict(each))) for each in found]

    return {"cold": answers(evidence.timed), "warm": warm and answers(warm)}


def with_threshold(evidence: Evidence, threshold: str | int) -> Evidence:
    """The same for all lengths, in percent, in place of the measured floor."""
    if threshold == MEASURED:
        return evidence
    return replace(evidence, floor=Floor({1: 1 + threshold / 100}))


def exchanged(timed: Results) -> Results | None:
    """The times with cold and warm exchanged; None if not both were timed."""
    if "cache" not in timed.rows or not set(OTHER_CACHE) <= set(timed.rows["cache"].dropna()):
        return None
    return replace(timed, rows=timed.rows.assign(cache=timed.rows["cache"].replace(OTHER_CACHE)))
