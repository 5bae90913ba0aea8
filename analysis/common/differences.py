"""Where a claim's count differs from its closed form or the GPU's counter; what is equal is not listed."""

from pathlib import Path

import pandas

from analysis.agreement.causes import OF_COMPILER
from analysis.agreement.cells import COLUMNS, differing, forms, name_of
from analysis.common import words
from analysis.common.files import read_csv
from analysis.common.loading import read
from analysis.common.report import agreement_of


def of(document: dict, results: Path, figures: Path) -> dict:
    """`cells`: all cells with a hardware counter; `groups`: those that differ, by cause."""
    counts, counters = document["machines"]["counted"], document["machines"]["counters"]
    stated = document["agreement"]
    groups = []
    if counts and stated["equal"] != stated["stated"]:
        sentences = {cause.name: cause.sentence for cause in OF_COMPILER}
        groups += by_cause(differing(forms(read(results / counts["file"]))), "predicted", sentences)
    if counters:
        groups += of_counters(document["claim"]["id"], counters["file"].split("/")[0], figures)
    return {"cells": words.integer((stated["hardware"] or {"cells": 0})["cells"]), "groups": groups}


def of_counters(claim: str, gpu: str, figures: Path) -> list[dict]:
    """The counts that are not the GPU's counter, by cause; none without figures/agreement.differ.csv."""
    path = figures / "agreement.differ.csv"
    if not path.exists():
        return []
    cells = read_csv(path, ("gpu", *COLUMNS))
    cells = cells[(cells["gpu"] == gpu) & (cells["claim"] == claim)]
    compared = next((each for each in agreement_of(figures) if each["folder"] == gpu), {"causes": []})
    return by_cause(cells, "GPU", {cause["name"]: cause["sentence"] for cause in compared["causes"]})


def by_cause(cells: pandas.DataFrame, other: str, sentences: dict[str, str]) -> list[dict]:
    return [
        {
            "other": other,
            "cause": sentences.get(cause, f"{cause}."),
            "rows": [
                [name_of(quantity), words.plural(len(some), "case"), *widest(some)]
                for quantity, some in group.groupby("quantity", sort=False)
            ],
        }
        for cause, group in cells.groupby("cause", sort=False)
    ]


def widest(cells: pandas.DataFrame) -> list[str]:
    """Count and other number of the cell that differs most, relative to its count."""
    ratios = cells["difference"].abs() / cells["counted"].clip(lower=1)
    cell = cells.loc[ratios.idxmax()]
    return [words.integer(cell["counted"]), words.integer(cell["other"])]
