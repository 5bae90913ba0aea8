"""The counts that a GPU's counter or a closed form contradicts, with their cause, from
figures/agreement.differ.csv."""

from pathlib import Path

from analysis.common.files import read_csv
from analysis.common.report import agreement_of, forms_of

COLUMNS = ("claim", "case", "quantity", "against", "counted", "other", "difference", "cause")


def agreement(figures: Path) -> dict:
    """The cells that differ, of the closed forms and of the first GPU, the sentences of their causes, and the
    tallies of all cells."""
    path, gpus = figures / "agreement.differ.csv", agreement_of(figures)
    if not path.exists() or not gpus:
        empty = {"columns": COLUMNS, "rows": [], "causes": [], "tally": {}, "forms": {}}
        return empty | {"machine": "", "other_code": []}
    cells = read_csv(path, ("gpu", *COLUMNS))
    stated, first = forms_of(figures), cells[cells["gpu"].isna() | (cells["gpu"] == gpus[0]["folder"])]
    return {
        "columns": COLUMNS,
        "rows": first[list(COLUMNS)].to_numpy().tolist(),
        "causes": gpus[0]["causes"] + stated["causes"],
        "tally": gpus[0]["tally"],
        "forms": stated["tally"],
        "machine": gpus[0]["machine"]["name"],
        "other_code": gpus[0]["other_code"],
    }
