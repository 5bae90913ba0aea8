"""figures/paper.json and the drawings paper.*: what the paper prints beyond the claims' own documents."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from analysis.common import plotting
from analysis.common.evidence import Evidence
from analysis.common.files import claims_in, read_json
from analysis.common.loading import load
from analysis.common.writing import write_json
from analysis.paper import (
    banks,
    block_drawings,
    blocks,
    dataflow,
    divergence,
    fast,
    fast_drawings,
    foretold,
    noted,
    trust,
    vectors,
)

NAME = "paper"
PARTS = {
    "trust": trust,
    "blocks": blocks,
    "dataflow": dataflow,
    "banks": banks,
    "divergence": divergence,
    "vectors": vectors,
    "fast": fast,
    "noted": noted,
    "foretold": foretold,
}
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
    """The evidence of claims, loaded once each."""

    results: Path
    figures: Path
    found: dict[str, list[Evidence]]

    @property
    def complete(self) -> bool:
        if not set(CLAIMS) <= set(claims_in(self.results)):
            return False
        found = [self.of(claim) for claim in CLAIMS]
        return all(each.counted and each.counters and each.timed for each in found)

    @property
    def claims(self) -> tuple[str, ...]:
        return CLAIMS

    @cached_property
    def model(self) -> dict:
        return read_json(self.figures / "model.json")

    def of(self, claim: str) -> Evidence:
        return self.all_of(claim)[0]

    def all_of(self, claim: str) -> list[Evidence]:
        """On every GPU."""
        if claim not in self.found:
            self.found[claim] = load(self.results, claim)
        return self.found[claim]


def write(results: Path, figures: Path) -> None:
    """Each part gives numbers, as the text prints them, and drawings. Nothing is written until all are made.

    The paper is about what was recorded of CLAIMS: where counts, counters or times of one are lacking, the
    document is empty, and the paper has its table of verdicts alone.
    """
    recorded = Recorded(results, figures, {})
    if not recorded.complete:
        for path in figures.glob(f"{NAME}.*.*"):
            path.unlink()
        write_json(figures / f"{NAME}.json", {})
        return
    numbers = numbers_of(recorded)
    drawings: dict[str, Callable] = {}
    for part in (*PARTS.values(), block_drawings, fast_drawings):
        drawings |= getattr(part, "DRAWINGS", {})
    with plotting.house_style():
        for name, draw in drawings.items():
            plotting.save(draw(recorded), figures / f"{NAME}.{name}")
    for path in figures.glob(f"{NAME}.*.*"):
        if path.stem.removeprefix(f"{NAME}.") not in drawings:
            path.unlink()
    write_json(figures / f"{NAME}.json", numbers)


def numbers_of(recorded: Recorded) -> dict[str, dict]:
    """By part, as JSON holds them."""
    return {name: part.numbers(recorded) for name, part in PARTS.items()}
