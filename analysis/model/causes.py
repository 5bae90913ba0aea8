"""What decides the times of a claim's kernels, in sentences."""

from collections import Counter
from pathlib import Path

import numpy

from analysis.common import words
from analysis.common.evidence import read_json
from analysis.model.effects import EFFECTS, described, microseconds
from analysis.model.outside import HOST, WAITS, outside
from analysis.model.times import IN_WORDS
from analysis.model.view import View


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
    """The columns of a claim's kernels that lie outside for this reason; without one, those inside."""
    return [place for place, each in enumerate(view.kernels) if each.claim == claim and outside(each) == why]


def of_limiters(view: View, claim: str) -> list[str]:
    own = places(view, claim)
    if not own:
        return []
    found = Counter(view.limiters[place] for place in own).most_common()
    named = [f"{IN_WORDS[part]} ({words.integer(count)})" for part, count in found]
    ratios = [view.best_us[place] / view.kernels[place].us for place in own]
    error = float(numpy.abs(numpy.array(ratios) - 1).mean())
    kernels = words.plural(len(own), "kernel")
    return [
        f"By counters and prices {view.by}, its {kernels} on long vectors are limited by "
        f"{words.listing(named)}; the predicted times are {words.share(error)} off on average."
    ]


def of_outside(view: View, claim: str) -> list[str]:
    said = []
    for why in (WAITS, HOST):
        own = places(view, claim, why)
        if own:
            rest = [view.kernels[place].us - view.best_us[place] for place in own]
            span = words.span(sorted(rest), lambda value: microseconds(max(value, 0)))
            said.append(
                f"In {words.plural(len(own), 'case')} {why}: that takes {span}, by the difference to the "
                "predicted time."
            )
    return said


def cause_of(figures: Path, claim: str) -> list[str]:
    """The sentences of a claim as the model's document holds them; none without it."""
    path = figures / "model.json"
    return read_json(path).get("causes", {}).get(claim, []) if path.exists() else []
