"""Targets: ratios of times, set before anything is measured, in the targets.csv of their claim.

A row has a label; our case; the cases it is compared with, separated by bars, of which the fastest counts;
the least ratio of their median time to ours; and the ratio aimed at, or nothing. A * in our case stands for
any level, the same one in the other cases; the least ratio of all such cases counts. Uses only Python's
standard library, because the recording scripts import it as well.
"""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from analysis.common.claims import EXPERIMENTS
from analysis.common.errors import EvidenceError

COLUMNS = ["work", "ours", "against", "at_least", "aim"]
MISSED, MET, REACHED, NOT_MEASURED = "missed", "met", "aim reached", "not measured"


@dataclass(frozen=True)
class Target:
    work: str
    ours: str
    against: tuple[str, ...]
    at_least: float
    aim: float | None

    @property
    def factors(self) -> dict:
        return quoted(None, self.ours)

    @property
    def length(self) -> int:
        """0 if it is about several."""
        n = self.factors.get("n", 0)
        return n if isinstance(n, int) else 0

    def ratio(self, medians: Mapping[str, float]) -> float | None:
        """Time of the fastest of the others relative to ours; None if one of them was not measured."""
        ratios = []
        pattern = re.compile("([^/]*)".join(map(re.escape, self.ours.split("*"))))
        for ours in filter(None, map(pattern.fullmatch, medians)):
            against = [case.replace("*", "{}").format(*ours.groups()) for case in self.against]
            if any(case not in medians for case in against):
                return None
            ratios.append(min(medians[case] for case in against) / medians[ours[0]])
        return min(ratios, default=None)

    def outcome(self, ratio: float | None) -> str:
        if ratio is None:
            return NOT_MEASURED
        if ratio < self.at_least:
            return MISSED
        return REACHED if self.aim is not None and ratio >= self.aim else MET


def quoted(path: Path | None, case: str) -> dict:
    """The factors of a case as a table that people write quotes it, such as targets.csv."""
    operation, *rest = str(case).split("/")
    if not rest or any(":" not in part for part in rest[1:]):
        raise EvidenceError(f"{path}: the case '{case}' is not operation/algorithm/factor:level/..; mend it")
    pairs = (part.split(":", 1) for part in rest[1:])
    levels = {factor: int(level) if level.isdigit() else level for factor, level in pairs}
    return {"operation": operation, "algorithm": rest[0]} | levels


def read_targets(claim: str, experiments: Path = EXPERIMENTS) -> list[Target]:
    """The targets of a claim; empty if it has none."""
    path = next(experiments.glob(f"*/{claim}/targets.csv"), None)
    if path is None:
        return []
    with path.open(newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    if not table or list(table[0]) != COLUMNS:
        raise EvidenceError(f"{path}: its columns are not {', '.join(COLUMNS)}")
    return [target_of(path, row) for row in table]


def target_of(path: Path, row: dict[str, str]) -> Target:
    try:
        against = tuple(case.strip() for case in row["against"].split("|"))
        aim = float(row["aim"]) if row["aim"] else None
        return Target(row["work"], row["ours"], against, float(row["at_least"]), aim)
    except (ValueError, AttributeError):
        raise EvidenceError(f"{path}: '{row['work']}': a ratio is not a number") from None
