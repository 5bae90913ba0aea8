"""What decides the times of a claim's kernels, in sentences."""

from collections import Counter
from pathlib import Path

import numpy

from analysis.common import words
from analysis.common.evidence import Evidence
from analysis.common.files import read_json
from analysis.common.prose import told
from analysis.model.distinct import firsts
from analysis.model.effects import EFFECTS, described
from analysis.model.kernels import LONG, copy_of
from analysis.model.outside import WAITS, outside
from analysis.model.times import IN_WORDS
from analysis.model.view import View

LIMITS = ("copy", "read")  # what is measured beside the claims' kernels
NEAR = 1.10  # the time of a copy of the same bytes, up to which bytes decide


def causes(view: View) -> dict[str, list[str]]:
    """By claim: which part limits its kernels, what lies outside of the model, and the claim's effects."""
    claims = sorted({each.claim for each in view.kernels})
    effects = [found for effect in EFFECTS if (found := described(effect, view))]
    return {
        claim: [
            *of_limiters(view, claim),
            *of_outside(view, claim),
            *(each["sentence"] for each in effects if each["claim"] == claim),
        ]
        for claim in claims
    }


def places(view: View, claim: str, why: str = "") -> list[int]:
    """The columns of a claim's cases that lie outside for this reason; without one, those inside."""
    return [place for place, each in enumerate(view.kernels) if each.claim == claim and outside(each) == why]


def own_kernels(view: View, claim: str) -> list[int]:
    """Those inside, every kernel of the claim once."""
    return firsts(view.kernels, places(view, claim))


def of_limiters(view: View, claim: str) -> list[str]:
    own = own_kernels(view, claim)
    if not own:
        return []
    found = Counter(view.limiters[place] for place in own).most_common()
    named = [f"{IN_WORDS[part]} {words.integer(count)}" for part, count in found]
    ratios = [view.best_us[place] / view.kernels[place].us for place in own]
    error = float(numpy.abs(numpy.array(ratios) - 1).mean())
    return [
        told("limiters", kernels=len(own), parts=named, first=IN_WORDS[found[0][0]], by=view.by, error=error)
    ]


def of_outside(view: View, claim: str) -> list[str]:
    """What waits between blocks take; of the host's part see spine.py."""
    own = places(view, claim, WAITS)
    rest = [max(0.0, view.kernels[place].us - view.best_us[place]) for place in own]
    span = words.span(sorted(rest), words.in_microseconds) if rest else None
    return list(filter(None, [told("outside", cases=len(own), why=WAITS, takes=span)]))


def of_bytes(evidence: Evidence) -> list[str]:
    """For claims of which only bytes were counted: how near they come to a copy of as many."""
    timed, counters = evidence.timed, evidence.counters
    if not timed or not counters or "global_bytes_read" not in counters.rows:
        return []
    rows = counters.rows.dropna(subset=["global_bytes_read"])
    rows = rows[
        (rows["n"] >= LONG) & ~rows["algorithm"].str.startswith("cub_") & ~rows["operation"].isin(LIMITS)
    ]
    medians, copy, found = timed.rows.groupby("name")["time_us"].median(), copy_of(timed), {}
    for row in rows.to_dict("records"):
        if copy is not None and row["name"] in medians:
            moved = row["global_bytes_read"] + row["global_bytes_written"]
            found[row["name"]] = float(medians[row["name"]]) / float(moved * copy)
    if not found:
        return []
    near = sum(ratio <= NEAR for ratio in found.values())
    more = {"span": words.span(found.values(), "{:,.2f}".format), "most": f"{max(found.values()):.1f}"}
    return [told("bytes", near=near, cases=len(found), percent=NEAR - 1, **more)]


def cause_of(figures: Path, claim: str) -> list[str]:
    """The sentences of a claim as the model's document holds them; none without it."""
    path = figures / "model.json"
    return read_json(path).get("causes", {}).get(claim, []) if path.exists() else []
