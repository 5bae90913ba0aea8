"""What the supplement prints of results/simt/architectures.csv: programs on the machine as GPUs of other
architectures, and what became of each."""

from pathlib import Path

import pandas

from analysis.core import words
from analysis.core.files import SIMT, read_csv

TABLE, OTHER = "architectures.csv", "architectures.other.csv"
PLACE = ("set", "architecture", "build")  # of a row; its other columns are outcomes, and how many had each


def contents(results: Path) -> dict | None:
    """Numbers, and rows of tables; None without the table."""
    path = results / SIMT / TABLE
    if not path.exists():
        return None
    table = read_csv(path, (*PLACE, "right", "wrong"))
    outcomes = [name for name in table if name not in PLACE]
    table["all"] = table[outcomes].sum(axis=1)
    sets, numbers = (table[name].unique().tolist() for name in ("set", "architecture"))
    of = table.groupby(["architecture", "set"])[["right", "all"]].sum()
    totals = table[[*outcomes, "all"]].sum()
    return {
        "listed": words.listing([f"sm_{number}" for number in numbers]),
        "sets": sets,
        "rows": [
            {"architecture": f"sm_{number}", "cells": [cell_of(of, number, name) for name in sets]}
            for number in numbers
        ],
        **{name: int(totals[name]) for name in totals.index},
        "others": others(results),
    }


def cell_of(of: pandas.DataFrame, number: int, name: str) -> dict[str, int] | None:
    if (number, name) not in of.index:
        return None
    return {column: int(count) for column, count in of.loc[number, name].items()}


def others(results: Path) -> list[dict]:
    """Programs that are not right everywhere: those of which the same is said, together."""
    path = results / SIMT / OTHER
    if not path.exists():
        return []
    columns = ("set", "program", "outcome", "architectures", "builds", "count", "said")
    table = read_csv(path, columns).fillna("").astype({"architectures": str})
    found = []
    for (outcome, said), group in table.groupby(["outcome", "said"], sort=False):
        numbers = sorted({int(number) for text in group["architectures"] for number in text.split()})
        found.append(
            {
                "outcome": outcome.replace("_", " "),
                "said": said,
                "architectures": words.listing([f"sm_{number}" for number in numbers]),
                "programs": sorted(set(group["program"])),
                "count": int(group["count"].sum()),
            }
        )
    return found
