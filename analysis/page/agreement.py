"""The counts that the GPU's counters contradict, with their cause, from figures/agreement.csv."""

from pathlib import Path

from analysis.common.files import read_csv
from analysis.common.report import agreement_of

COLUMNS = ("claim", "case", "quantity", "counted", "hardware", "difference", "cause")


def agreement(figures: Path) -> dict:
    """The cells of the first GPU that differ, the sentences of their causes, and the tally of all cells."""
    path, gpus = figures / "agreement.csv", agreement_of(figures)
    if not path.exists() or not gpus:
        return {"columns": COLUMNS, "rows": [], "causes": [], "tally": {}, "machine": ""}
    cells = read_csv(path, ("gpu", *COLUMNS))
    first = cells[(cells["gpu"] == gpus[0]["folder"]) & cells["cause"].notna()]
    return {
        "columns": COLUMNS,
        "rows": first[list(COLUMNS)].to_numpy().tolist(),
        "causes": gpus[0]["causes"],
        "tally": gpus[0]["tally"],
        "machine": gpus[0]["machine"]["name"],
    }
