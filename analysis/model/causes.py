"""What decides the times of a claim's kernels, in sentences."""

from collections import Counter
from pathlib import Path

import numpy

from analysis.core import words
from analysis.core.analyses import analysis_of, has_analysis
from analysis.core.evidence import Evidence
from analysis.core.files import claims_in
from analysis.core.loading import load
from analysis.core.prose import told
from analysis.model.distinct import firsts
from analysis.model.excluded import WAITS, outside
from analysis.model.kernels import LONG, copy_of
from analysis.model.times import IN_WORDS
from analysis.model.view import View

LIMITS = ("copy", "read")  # what is measured beside the claims' kernels
NEAR = 1.10  # the time of a copy of the same bytes, up to which bytes decide


def causes(view: View | None, effects: list[dict], results: Path) -> dict[str, list[str]]:
    """By claim: which part limits its kernels, or how near bytes do; what lies outside of the model; its
    effects; and what the claim's analysis says beyond it. Claims without any are left out."""
    modelled = {each.claim for each in view.kernels} if view else ()
    found = {}
    for claim in claims_in(results):
        evidence = load(results, claim)[0]
        if claim in modelled:
            said = [of_limiters(view, claim), of_outside(view, claim)]
            said += [each["sentence"] for each in effects if each["claim"] == claim]
        else:
            said = [of_bytes(evidence)]
        if has_analysis(claim) and (own := getattr(analysis_of(claim), "beyond_model", None)):
            said.append(own(evidence))
        found[claim] = list(filter(None, said))
    return {claim: said for claim, said in found.items() if said}


def places(view: View, claim: str, why: str = "") -> list[int]:
    """The columns of a claim's cases that lie outside for this reason; without one, those inside."""
    return [place for place, each in enumerate(view.kernels) if each.claim == claim and outside(each) == why]


def own_kernels(view: View, claim: str) -> list[int]:
    """Those inside, every kernel of the claim once."""
    return firsts(view.kernels, places(view, claim))


def of_limiters(view: View, claim: str) -> str:
    own = own_kernels(view, claim)
    found = Counter(view.limiters[place] for place in own).most_common()
    named = [f"{IN_WORDS[part]} {words.integer(count)}" for part, count in found]
    error = float(numpy.mean([abs(view.ratio(place) - 1) for place in own])) if own else None
    return told("limiters", kernels=len(own), parts=named, first=found and IN_WORDS[found[0][0]], error=error)


def of_outside(view: View, claim: str) -> str:
    """What waits between blocks take."""
    own = places(view, claim, WAITS)
    rest = [max(0.0, view.kernels[place].us - float(view.predicted_us[place])) for place in own]
    span = words.span(sorted(rest), words.in_microseconds) if rest else None
    return told("outside", cases=len(own), why=WAITS, takes=span)


def of_bytes(evidence: Evidence) -> str:
    """For claims of which only bytes were counted: how near they come to a copy of as many."""
    timed, counters = evidence.timed, evidence.counters
    if not timed or not counters or "global_bytes_read" not in counters.rows:
        return ""
    rows = counters.rows.dropna(subset=["global_bytes_read"])
    own = ~rows["algorithm"].str.startswith("cub_") & ~rows["operation"].isin(LIMITS)
    rows = rows[own & (rows["n"] >= LONG)].drop_duplicates("name").set_index("name")
    medians, copy = timed.rows.groupby("name")["time_us"].median(), copy_of(timed)
    if copy is None:
        return ""
    found = (medians / ((rows["global_bytes_read"] + rows["global_bytes_written"]) * copy)).dropna()
    if found.empty:
        return ""
    more = {"span": words.span(found, "{:,.2f}".format), "most": f"{found.max():.1f}"}
    return told("bytes", near=int((found <= NEAR).sum()), cases=len(found), percent=NEAR - 1, **more)
