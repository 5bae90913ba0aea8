"""What the model would have said: each claim's rule on speed, asked of predicted times and of the measured
times of the same kernels. Rules need more than these kernels in some claims, which are then not asked."""

import json
from collections.abc import Mapping
from dataclasses import replace

import pandas

from analysis.common import noise_floor
from analysis.common.evidence import Evidence
from analysis.common.files import claims_in
from analysis.common.render import analysis_of
from analysis.common.verdict import NO_CLAIM, NOT_MEASURED, Verdict
from analysis.model import ahead

UNASKED = (noise_floor.EXPERIMENT,)  # of twins, which are one kernel: the model cannot be wrong there


def numbers(recorded) -> dict[str, dict]:
    """By GPU: of the first by the model as it is, of others by what was committed before they were timed."""
    model = json.loads((recorded.figures / "model.json").read_text(encoding="utf-8"))
    first, found = pandas.DataFrame(model["cases"]), {}
    for claim in (each for each in claims_in(recorded.results) if each not in UNASKED):
        timed = [each for each in recorded.all_of(claim) if each.timed]
        for place, evidence in enumerate(timed):
            gpu = evidence.timed.folder
            table = ahead.read(recorded.results, gpu) if place else first
            if table is not None and (both := answers(evidence, predicted(table, claim))):
                found.setdefault(gpu, {})[claim] = both
    return {gpu: summary(of) for gpu, of in found.items()}


def predicted(table: pandas.DataFrame, claim: str) -> dict[tuple, float]:
    """Microseconds by case and length, of the kernels that the model is about."""
    rows = table[(table["claim"] == claim) & (table["outside"] == "")]
    return dict(zip(zip(rows["case"], rows["n"], strict=True), rows["predicted_us"], strict=True))


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
