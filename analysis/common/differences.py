"""Where prediction, count and hardware counter of a claim differ; what is equal is not listed."""

from pathlib import Path

import pandas

from analysis.agreement.cells import COLUMNS, QUANTITIES
from analysis.common import words
from analysis.common.closed_forms import predictions
from analysis.common.files import read_csv
from analysis.common.loading import read
from analysis.common.report import agreement_of


def of(document: dict, results: Path, figures: Path) -> dict:
    """`cells`: all cells with a hardware counter; `groups`: those that differ, by cause."""
    counts, counters = document["machines"]["counted"], document["machines"]["counters"]
    stated = document["agreement"]
    groups = []
    if counts and stated["equal"] != stated["stated"]:
        groups.append(of_predictions(results / counts["file"]))
    if counters:
        groups += of_counters(document["claim"]["id"], counters["file"].split("/")[0], figures)
    return {"cells": words.integer((stated["hardware"] or {"cells": 0})["cells"]), "groups": groups}


def of_predictions(counted: Path) -> dict:
    """The counts that are not their closed form."""
    found = predictions(read(counted))
    found = found[found["predicted"] != found["counted"]]
    rows = [
        [QUANTITIES.get(quantity, quantity), words.plural(len(cells), "case"), *widest(cells, "predicted")]
        for quantity, cells in found.groupby("quantity", sort=False)
    ]
    return {"other": "predicted", "cause": "The closed form is not what the kernel does.", "rows": rows}


def of_counters(claim: str, gpu: str, figures: Path) -> list[dict]:
    """The counts that are not the GPU's counter, by cause; none without figures/agreement.csv."""
    path = figures / "agreement.csv"
    if not path.exists():
        return []
    cells = read_csv(path, ("gpu", *COLUMNS))
    cells = cells[(cells["gpu"] == gpu) & (cells["claim"] == claim) & (cells["difference"] != 0)]
    compared = next((each for each in agreement_of(figures) if each["folder"] == gpu), {"causes": []})
    sentences = {cause["name"]: cause["sentence"] for cause in compared["causes"]}
    return [
        {
            "other": "GPU",
            "cause": sentences.get(cause, f"{cause}."),
            "rows": [
                [QUANTITIES[quantity], words.plural(len(some), "case"), *widest(some, "hardware")]
                for quantity, some in group.groupby("quantity", sort=False)
            ],
        }
        for cause, group in cells.groupby("cause", sort=False)
    ]


def widest(cells: pandas.DataFrame, other: str) -> list[str]:
    """Count and other number of the cell that differs most, relative to its count."""
    ratios = (cells[other] - cells["counted"]).abs() / cells["counted"].clip(lower=1)
    cell = cells.loc[ratios.idxmax()]
    return [words.integer(cell["counted"]), words.integer(cell[other])]
