"""Where prediction, count and hardware counter of a claim differ; what is equal is not listed."""

from pathlib import Path

import pandas

from analysis.agreement.cells import COLUMNS, QUANTITIES
from analysis.common import words
from analysis.common.evidence import predictions, read, read_csv
from analysis.common.report import agreement_of
from analysis.common.tables import Table


def of(document: dict, results: Path, figures: Path) -> dict:
    """`cells`: all cells with a counter, in words; `rows`: a table of those that differ, or None."""
    counts, counters = document["machines"]["counted"], document["machines"]["counters"]
    stated = document["agreement"]
    rows = []
    if counts and stated["equal"] != stated["stated"]:
        rows += of_predictions(results / counts["file"])
    if counters:
        rows += of_counters(document["claim"]["id"], counters["file"].split("/")[0], figures)
    hardware = stated["hardware"] or {"cells": 0}
    return {"cells": words.integer(hardware["cells"]), "table": table(rows)}


def of_predictions(counted: Path) -> list[list[str]]:
    """One row per case and quantity: the count is not its closed form."""
    found = predictions(read(counted))
    found = found[found["predicted"] != found["counted"]]
    return [
        [quantity, name, f"predicted {words.integer(predicted)}", words.integer(counted), "open"]
        for name, quantity, predicted, counted in found.itertuples(index=False)
    ]


def of_counters(claim: str, gpu: str, figures: Path) -> list[list[str]]:
    """One row per quantity and cause: how many cells, and the one that differs most."""
    path = figures / "agreement.csv"
    if not path.exists():
        return []
    cells = read_csv(path, ("gpu", *COLUMNS))
    cells = cells[(cells["gpu"] == gpu) & (cells["claim"] == claim) & (cells["difference"] != 0)]
    sentences = {
        cause["name"]: cause["sentence"]
        for each in agreement_of(figures)
        if each["folder"] == gpu
        for cause in each["causes"]
    }
    return [
        [QUANTITIES.get(quantity, quantity), words.plural(len(group), "case"), *widest(group), sentences.get(cause, cause)]
        for (cause, quantity), group in cells.groupby(["cause", "quantity"], sort=False)
    ]


def widest(cells: pandas.DataFrame) -> list[str]:
    """Count and counter of the cell that differs most, relative to its count."""
    cell = cells.loc[(cells["difference"].abs() / cells["counted"].clip(lower=1)).idxmax()]
    return [words.integer(cell["counted"]), words.integer(cell["hardware"])]


def table(rows: list[list[str]]) -> dict | None:
    """A cause is said once, in the first of its rows."""
    if not rows:
        return None
    said = [[*row[:-1], "" if before and before[-1] == row[-1] else row[-1]] for before, row in zip([None, *rows], rows)]
    columns = ["Quantity", "Cases", "Count", "GPU", "Cause"]
    return vars(Table("Where the GPU's counter is not the count: the widest difference.", columns, said, wide=True))
