"""What the clock would have said: each claim's rule on speed, asked of predicted times and of the measured
times of the same kernels. Rules need more than these kernels in some claims, which are then not asked."""

from collections.abc import Mapping
from dataclasses import replace

from analysis.core import noise_floor
from analysis.core.analyses import analysis_of
from analysis.core.evidence import Evidence
from analysis.core.files import claims_in
from analysis.core.verdict import NO_CLAIM, NOT_MEASURED, Verdict
from analysis.model.kernels import recorded as kernels_of

UNASKED = (noise_floor.EXPERIMENT,)  # of twins, which are one kernel: the clock cannot be wrong there


def numbers(recorded) -> dict[str, dict]:
    """By GPU."""
    found, predicted = {}, {}
    for claim in (each for each in claims_in(recorded.results) if each not in UNASKED):
        for evidence in (each for each in recorded.all_of(claim) if each.timed):
            gpu = evidence.timed.folder
            if gpu not in predicted:
                predicted[gpu] = kernels_of(recorded.results, gpu)
            us = {(each.case, each.n): each.predicted_us for each in predicted[gpu] if each.claim == claim}
            if both := answers(evidence, us):
                found.setdefault(gpu, {})[claim] = both
    return {gpu: summary(of) for gpu, of in found.items()}


def answers(evidence: Evidence, us: Mapping[tuple, float]) -> tuple[Verdict, Verdict] | None:
    """The verdict by the measured times and by the predicted ones; None if these kernels do not decide it."""
    judge = analysis_of(evidence.claim["id"]).verdict
    if not us or "cache" not in evidence.timed.rows or judge(evidence).speed == NO_CLAIM:
        return None
    cold = evidence.timed.where(cache="cold")
    known = [us.get(key) for key in zip(cold["name"].map(evidence.timed.stems), cold["n"], strict=True)]
    measured = cold[[each is not None for each in known]]
    foretold = measured.assign(time_us=[each for each in known if each is not None])
    both = [
        judge(replace(evidence, timed=replace(evidence.timed, rows=rows))) for rows in (measured, foretold)
    ]
    return None if both[0].speed == NOT_MEASURED else tuple(both)


def summary(found: Mapping[str, tuple[Verdict, Verdict]]) -> dict:
    """How many were asked and are answered alike, at the same places too; and those answered otherwise."""
    alike = {claim: both for claim, both in found.items() if both[0].speed == both[1].speed}
    return {
        "asked": len(found),
        "alike": len(alike),
        "same_places": sum(one.where == other.where for one, other in alike.values()),
        "otherwise": {
            claim: {"measured": one.speed, "predicted": other.speed, "where": other.where}
            for claim, (one, other) in found.items()
            if claim not in alike
        },
    }
