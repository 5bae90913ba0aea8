"""Claims with targets (targets.py): outcomes, which are reached, and their table."""

import re

from analysis.common import plotting, words
from analysis.common.evidence import Evidence, Results
from analysis.common.noise_floor import Floor
from analysis.common.plotting import Look
from analysis.common.tables import Table
from analysis.common.targets import NOT_MEASURED, Target, read_targets

Outcome = tuple[Target, float | None, str]
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


def reached(found: list[Outcome], floor: Floor) -> dict[str, bool]:
    """By work: whether each measured target is met, or falls short by no more than the noise floor."""
    return {
        words.raised(target.work): floor.reaches(ratio, target.at_least, length(target))
        for target, ratio, outcome in found
        if outcome != NOT_MEASURED
    }


def against_cub(timed: Results | None, operation: str) -> dict[str, float]:
    """Time of the fastest CUB relative to ours, by our case: of every case that each CUB was timed on."""
    times, found = medians(timed) if timed else {}, {}
    for case, time in times.items():
        others = [case.replace("/ours/", f"/{cub}/") for cub in CUBS]
        if case.startswith(f"{operation}/ours/") and all(each in times for each in others):
            found[case] = min(times[each] for each in others) / time
    return found


def wins_and_losses(timed: Results | None, operation: str, floor: Floor) -> dict:
    """The extremes of those ratios, and the lengths at which CUB is faster by more than the noise."""
    found = against_cub(timed, operation)
    if not found:
        return {}
    least, most = min(found, key=found.get), max(found, key=found.get)
    lengths = {case: length_of(case) for case in found}
    lost = {case for case, ratio in found.items() if ratio * floor.at(lengths[case]) < 1}
    return {
        "cases": len(found),
        "least": {"ratio": found[least], "case": least, "n": lengths[least]},
        "most": {"ratio": found[most], "case": most, "n": lengths[most]},
        "losses": len(lost),
        "lost_at": sorted({lengths[case] for case in lost}),
    }


def of_limit(found: list[Outcome], limit: str) -> list[Outcome]:
    """The targets that compare with the copy or the read, not with CUB."""
    return [each for each in found if all(case.startswith(limit) for case in each[0].against)]


def length(target: Target) -> int:
    """The vector's, or the shortest if there are several: its noise floor is the highest."""
    return length_of(target.ours)


def length_of(case: str) -> int:
    """The length in a case's name; 0 if it has none, as one with a * there."""
    digits = re.search(r"/n:(\d+)", case)
    return int(digits[1]) if digits else 0


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
