"""Claims with targets (targets.py): outcomes, which are reached, and their table."""

from analysis.common import plotting, words
from analysis.common.beside_cub import medians
from analysis.common.evidence import Evidence
from analysis.common.noise_floor import Floor
from analysis.common.plotting import Look
from analysis.common.prose import told
from analysis.common.tables import Table
from analysis.common.targets import NOT_MEASURED, Target, read_targets

Outcome = tuple[Target, float | None, str]
OURS = Look("ours", plotting.BLUE, "o", size=3)


def outcomes(claim: str, evidence: Evidence) -> list[Outcome]:
    """Each target, its ratio, and its outcome."""
    times = medians(evidence.timed) if evidence.timed else {}
    found = [(target, target.ratio(times)) for target in read_targets(claim)]
    return [(target, ratio, target.outcome(ratio)) for target, ratio in found]


def reached(found: list[Outcome], floor: Floor) -> dict[str, bool]:
    """By work: whether each measured target is met, or falls short by no more than the noise floor, which is
    the shortest length's if there are several."""
    return {
        words.raised(target.work): floor.reaches(ratio, target.at_least, target.length)
        for target, ratio, outcome in found
        if outcome != NOT_MEASURED
    }


def of_limit(found: list[Outcome], limit: str) -> list[Outcome]:
    """The targets that compare with the copy or the read, not with CUB."""
    return [each for each in found if all(case.startswith(limit) for case in each[0].against)]


def table(found: list[Outcome]) -> Table:
    rows = []
    for target, ratio, outcome in found:
        limits = [target.at_least, target.aim]
        digits = 3 if ratio is None else words.digits_apart(ratio, filter(None, limits), 3)
        measured = words.decimal(ratio, digits)
        rows.append([words.raised(target.work), *map(words.decimal, limits), measured, outcome])
    return Table(told("targets: table"), ["work", "at least", "aim", "measured", ""], rows)
