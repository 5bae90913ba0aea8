"""What decides the times of a claim's kernels, in sentences."""

from collections import Counter
from pathlib import Path

import numpy

from analysis.core import sweep, words
from analysis.core.evidence import Evidence, Results
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
SCAN = {"operation": "scan", "algorithm": "ours", "submit": "stream", "cache": "cold"}
COPY = {"algorithm": "device_to_device", "submit": "stream", "cache": "cold"}
SPINE = ("to_host", "scan", "to_device")


def causes(view: View | None, effects: list[dict], results: Path) -> dict[str, list[str]]:
    """By claim: which part limits its kernels, or how near bytes do; what lies outside of the model; its
    effects; what a host spine takes; and why look-back is no copy. Claims without any are left out."""
    modelled = {each.claim for each in view.kernels} if view else ()
    found = {}
    for claim in claims_in(results):
        evidence = load(results, claim)[0]
        if claim in modelled:
            said = [of_limiters(view, claim), of_outside(view, claim)]
            said += [each["sentence"] for each in effects if each["claim"] == claim]
        else:
            said = [of_bytes(evidence)]
        if claim == "block_sums" and (spine := host_spine(evidence.timed)):
            said.append(told("host spine", **spine))
        if claim == "single_pass" and said and "copy_speed" in claims_in(results):
            said.append(one_pass(load(results, "copy_speed")[0].timed))
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


def host_spine(timed: Results | None) -> dict | None:
    """At the longest vector microseconds of the copy of the block sums to the host, their scan there and the
    copy back; what a host spine adds to the scan in all; and the rest: waiting for the host and launching
    what follows, less the levels of the GPU that fall away."""
    scan = {"operation": "scan", "algorithm": "three_phase", "vector": "device"}
    n = sweep.longest(timed, **scan, spine="host")
    spines = ("host", "device") if n else ()
    whole = [timed.time(**scan, spine=spine, n=n, cache="cold") for spine in spines]
    if not whole or None in whole:
        return None
    found = {part: timed.time(operation="spine", algorithm=part, n=n, cache="cold") for part in SPINE}
    known = {part: time.value for part, time in found.items() if time}
    added = whole[0].value - whole[1].value
    rest = {"rest": added - sum(known.values())} if len(known) == len(SPINE) else {}
    return {"n": n, "added_us": added} | known | rest


def one_pass(timed: Results | None) -> str:
    """What keeps look-back from the speed of a copy: not the bytes, as the fast scan shows, at the longest
    vector of each type."""
    found = []
    for kind in timed.levels("type", **SCAN) if timed else []:
        n = sweep.longest(timed, **SCAN, type=kind)
        scan, copy = (timed.time(**of, type=kind, n=n) for of in (SCAN, COPY))
        found += [copy.value / scan.value] if scan and copy else []
    return told("one pass", share=words.span(found, words.share) if found else None)
