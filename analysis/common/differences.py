"""Where a claim's count differs from its closed form or the GPU's counter; what is equal is not listed."""

from pathlib import Path

import pandas

from analysis.agreement.cells import COLUMNS, differing, forms, name_of
from analysis.common import words
from analysis.common.files import read_csv
from analysis.common.loading import read
from analysis.common.prose import told


def of(document: dict, results: Path, figures: Path) -> dict:
    """`cells`: all cells with a hardware counter; `groups`: those that differ, by cause."""
    counts, counters = document["machines"]["counted"], document["machines"]["counters"]
    stated, path, groups = document["agreement"], figures / "agreement.differ.csv", []
    if counts and stated["equal"] != stated["stated"]:
        groups += by_cause(differing(forms(read(results / counts["file"]))), "predicted")
    if counters and path.exists():
        cells, gpu = read_csv(path, ("gpu", *COLUMNS)), counters["file"].split("/")[0]
        own = cells[(cells["gpu"] == gpu) & (cells["claim"] == document["claim"]["id"])]
        groups += by_cause(own, "GPU")
    return {"cells": words.integer((stated["hardware"] or {"cells": 0})["cells"]), "groups": groups}


def by_cause(cells: pandas.DataFrame, other: str) -> list[dict]:
    found = []
    for cause, group in cells.groupby("cause", sort=False):
        groups = group.groupby("quantity", sort=False)
        rows = [[name_of(of), words.plural(len(some), "case"), *widest(some)] for of, some in groups]
        found.append({"other": other, "cause": told(f"cause: {cause}") or f"{cause}.", "rows": rows})
    return found


def widest(cells: pandas.DataFrame) -> list[str]:
    """Count and other number of the cell that differs most, relative to its count."""
    cell = cells.loc[(cells["difference"].abs() / cells["counted"].clip(lower=1)).idxmax()]
    return [words.integer(cell["counted"]), words.integer(cell["other"])]
