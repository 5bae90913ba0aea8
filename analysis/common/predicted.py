"""Table cells of the form "predicted | counted"."""

from collections.abc import Iterable

from analysis.common import words
from analysis.common.evidence import Results


def cell(predicted: float | None, counted: float | None) -> str:
    return f"{words.integer(predicted)} | {words.integer(counted)}"


def cells_of_row(row: dict, quantities: Iterable[str]) -> list[str]:
    """A cell for each quantity, from one row of counts."""
    return [cell(row[f"predicted_{each}"], row[each]) for each in quantities]


def cells_of_case(counted: Results, quantities: Iterable[str], **factors) -> list[str]:
    """A cell for each quantity, from the one case with these factors; none if nothing was counted."""
    pairs = [[counted.count(p + each, **factors) for p in ("predicted_", "")] for each in quantities]
    return [cell(*pair) for pair in pairs] if any(count is not None for _, count in pairs) else []
