"""A table as data, printed by the report and the README."""

from dataclasses import dataclass

TIMES, COUNTERS = "times", "counters"


@dataclass(frozen=True)
class Table:
    """Cells are strings, ready to print; a newline is a line break.

    The first `text_columns` columns are words; if all are, they are sentences, with code between backquotes.
    `source`: the kind of GPU data it shows; the report says so if these are of earlier kernels.
    """

    caption: str
    columns: list[str]
    rows: list[list[str]]
    text_columns: int = 1
    source: str = TIMES

    def __post_init__(self):
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"table '{self.caption}': a row does not have {len(self.columns)} cells")
