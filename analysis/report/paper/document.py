"""figures/paper.json and the drawings paper.*: what the paper prints beyond the claims' own documents."""

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import numpy

from analysis.core import plotting
from analysis.core.evidence import Evidence
from analysis.core.files import claims_in
from analysis.core.loading import load
from analysis.core.writing import write_json

NAME = "paper"
DIGITS = 9  # of a number in figures/paper.json: so many that printing it rounds it once
NAMES = ("trust", "blocks", "dataflow", "banks", "divergence", "vectors", "fast", "noted", "foretold")
PARTS = {name: import_module(f"analysis.report.paper.{name}") for name in NAMES}
CLAIMS = (
    "any_length",
    "block_sums",
    "copy_speed",
    "divergence",
    "inclusive_exclusive",
    "launches",
    "padding",
    "radix_sort",
    "read_speed",
    "rounding",
    "scan_ideas",
    "shuffle",
    "single_pass",
    "work",
    "worked_examples",
)


@dataclass(frozen=True)
class Recorded:
    """The evidence of claims."""

    results: Path
    figures: Path
    claims: tuple[str, ...] = CLAIMS

    @property
    def complete(self) -> bool:
        if not set(CLAIMS) <= set(claims_in(self.results)):
            return False
        found = [self.of(claim) for claim in CLAIMS]
        return all(each.counted and each.counters and each.timed for each in found)

    def of(self, claim: str) -> Evidence:
        """On the first GPU."""
        return self.all_of(claim)[0]

    def all_of(self, claim: str) -> list[Evidence]:
        return load(self.results, claim)


def write(results: Path, figures: Path) -> None:
    """Each part gives numbers, which Typst formats where it prints them, and drawings. Nothing is written
    until all are made.

    The paper is about what was recorded of CLAIMS: where counts, counters or times of one are lacking, the
    document is empty, and the paper has its table of verdicts alone.
    """
    recorded = Recorded(results, figures)
    parts = PARTS.values() if recorded.complete else ()
    numbers = numbers_of(recorded) if parts else {}
    drawings = [each for part in parts for each in getattr(part, "DRAWINGS", {}).items()]
    with plotting.house_style():
        drawn = {f"{NAME}.{name}": draw(recorded) for name, draw in drawings}
    plotting.save_all(drawn, figures, f"{NAME}.*.*")
    write_json(figures / f"{NAME}.json", numbers)


def numbers_of(recorded: Recorded) -> dict[str, dict]:
    """By part."""
    return {name: to_digits(part.numbers(recorded)) for name, part in PARTS.items()}


def to_digits(value):
    """A float to DIGITS, also those in dictionaries and lists; whole numbers and texts as they are."""
    if isinstance(value, dict):
        return {key: to_digits(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [to_digits(each) for each in value]
    value = value.item() if isinstance(value, numpy.generic) else value
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
