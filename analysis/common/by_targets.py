"""Claims that hold if their targets are met (targets.py): outcomes, verdict and table."""

import math
from collections.abc import Collection

from analysis.common import plotting, words
from analysis.common.evidence import Evidence, Results
from analysis.common.plotting import Look
from analysis.common.tables import Table
from analysis.common.targets import MISSED, NOT_MEASURED, Target, read_targets
from analysis.common.verdict import FAILS, HOLDS, LIMITS, Verdict
from analysis.common.verdict import NOT_MEASURED as UNKNOWN

Outcome = tuple[Target, float | None, str]
FEW = 3  # missed targets that a sentence names
OURS = Look("ours", plotting.BLUE, "o", size=3)
CUBS = {
    "cub_device": Look("CUB of the toolkit", plotting.BLACK, "s", "--", size=2.5),
    "cub_newest": Look("newest CUB", plotting.ORANGE, "^", "-.", size=3),
}


def medians(timed: Results) -> dict[str, float]:
    """Median time of every case, by name."""
    return timed.rows.groupby("name")["real_time"].median().to_dict()


def outcomes(claim: str, evidence: Evidence) -> list[Outcome]:
    """Each target, its ratio, and its outcome."""
    times = medians(evidence.timed) if evidence.timed else {}
    found = [(target, target.ratio(times)) for target in read_targets(claim)]
    return [(target, ratio, target.outcome(ratio)) for target, ratio in found]


def verdict(found: list[Outcome], decisive: Collection[str], unknown: str) -> Verdict:
    """Holds if all are met, fails if a decisive one is missed. unknown: the reason if none was measured."""
    measured = [each for each in found if each[2] != NOT_MEASURED]
    if not measured:
        return Verdict(UNKNOWN, unknown)
    missed = [target.work for target, _, outcome in by_shortfall(found) if outcome == MISSED]
    said = f"{len(measured) - len(missed)} of {len(measured)} measured targets are met"
    if missed:
        first = sorted(missed, key=lambda work: work not in decisive)
        more = [f"{len(first) - FEW + 1} more (see the table)"] if len(first) > FEW else []
        named = first[: FEW - 1] if more else first
        said += "; missed, the widest first: " if len(first) > 1 else "; missed: "
        said += words.raised("; ".join(named + more))
    if any(work in missed for work in decisive):
        return Verdict(FAILS, f"{said}.")
    return Verdict(LIMITS if missed or len(measured) < len(found) else HOLDS, f"{said}.")


def by_shortfall(found: list[Outcome]) -> list[Outcome]:
    """Those that were measured first; of these the one that falls shortest of its target first."""
    return sorted(found, key=lambda each: math.inf if each[1] is None else each[1] / each[0].at_least)


def in_numbers(found: list[Outcome]) -> dict:
    return {target.work: [ratio, outcome] for target, ratio, outcome in found}


def table(found: list[Outcome]) -> Table:
    rows = [
        [
            words.raised(target.work),
            words.decimal(target.at_least),
            words.decimal(target.aim),
            words.decimal(ratio, 3),
            outcome,
        ]
        for target, ratio, outcome in found
    ]
    caption = "Targets, as ratios of median times, and what was measured."
    return Table(caption, ["work", "at least", "aim", "measured", ""], rows, wide=True)
