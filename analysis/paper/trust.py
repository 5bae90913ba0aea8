"""Why the counts can be trusted: cells that no choice has seen, the bench of hazards, mutants, noise."""

import re
from collections import Counter
from pathlib import Path

import pandas

from analysis.agreement.cells import BULK, QUANTITIES
from analysis.common import words

BENCH = Path("tests/simt/hazards")
PROGRAM = re.compile(r'\{\s*"\w+",\s*Expected::(\w+)')
KINDS = {
    "barrier": "barrier",
    "syncwarp": "`__syncwarp`",
    "fence": "fence",
    "proxy_fence": "proxy fence",
    "comparison": "comparison",
}


def numbers(recorded) -> dict:
    return (
        agreement(recorded.results, recorded.figures / "agreement.csv")
        | bench()
        | mutants(recorded.results / "simt/mutants.csv")
    )


def agreement(results: Path, table: Path) -> dict:
    """Cells by quantity; held: those of cases that took no part in the choice of metrics."""
    if not table.exists():
        return {"agreement": None}
    cells = pandas.read_csv(table, keep_default_na=False)
    gpu = cells["gpu"].iloc[0]
    cells = cells[cells["gpu"] == gpu].assign(equal=lambda each: each["cause"] == "")
    path = results / gpu / "metrics.csv"
    study = pandas.read_csv(path) if path.exists() else pandas.DataFrame(columns=["case", "quantity"])
    chosen = set(study["case"][~study["quantity"].isin(BULK)])  # bulk copies have cases of their own
    studied = set(zip(study["case"], study["quantity"], strict=True))
    is_studied = [pair in studied for pair in zip(cells["case"], cells["quantity"], strict=True)]
    held = cells[~cells["case"].isin(chosen) & ~pandas.Series(is_studied, index=cells.index)]
    rows = []
    for quantity, name in QUANTITIES.items():
        of = cells[cells["quantity"] == quantity]
        causes = Counter(of["cause"][~of["equal"]])
        said = [f"{words.integer(count)} {cause}" for cause, count in causes.most_common()]
        rows.append(
            [name, words.integer(len(of)), words.integer(of["equal"].sum()), ", ".join(said) or words.NOTHING]
        )
    cases = held[["claim", "case"]].drop_duplicates()
    differ = cells[~cells["equal"]]
    stated = differ[differ["predicted"] != ""]
    causes = Counter(stated["cause"]).most_common()
    return {
        "agreement": {
            "rows": rows,
            "held_cells": words.integer(len(held)),
            "held_equal": words.integer(held["equal"].sum()),
            "held_cases": words.integer(len(cases)),
            "held_share": f"{held['equal'].mean():.1%}",
            "chosen_cells": words.integer(len(cells) - len(held)),
            "chosen_equal": words.integer(cells["equal"].sum() - held["equal"].sum()),
            "differ": words.integer(len(differ)),
            "differ_held": words.integer((~held["equal"]).sum()),
            "all_cases": words.integer(len(cells[["claim", "case"]].drop_duplicates())),
            "stated_differ": words.integer(len(stated)),
            "stated_causes": words.listing([f"{words.integer(n)} {cause}" for cause, n in causes]),
            "chosen_cases": words.integer(len(set(study["case"]))),
            "claims": words.integer(cells["claim"].nunique()),
            "share": f"{cells['equal'].mean():.1%}",
        }
    }


def bench() -> dict:
    """Correct programs of the bench, and faulty ones by what is to be found."""
    found = Counter(kind for path in BENCH.glob("*.cu") for kind in PROGRAM.findall(path.read_text()))
    clean = found.pop("clean", 0)
    rows = [["correct", words.integer(clean)]]
    rows += [[kind.replace("_", " "), words.integer(count)] for kind, count in found.most_common()]
    return {
        "bench": {
            "clean": words.integer(clean),
            "faulty": words.integer(found.total()),
            "kinds": words.integer(len(found)),
            "rows": rows,
        }
    }


def mutants(path: Path) -> dict:
    """Mutants by what was taken out or changed: killed by a test, or equivalent."""
    if not path.exists():
        return {"mutants": None}
    table = pandas.read_csv(path)
    rows = [
        [name, *(words.integer((of["verdict"] == verdict).sum()) for verdict in ("killed", "equivalent"))]
        for kind, name in KINDS.items()
        if len(of := table[table["kind"] == kind])
    ]
    tally = Counter(table["verdict"])
    alive = len(table) - tally["killed"] - tally["equivalent"]
    return {
        "mutants": {
            "rows": rows,
            "all": words.integer(len(table)),
            "killed": words.integer(tally["killed"]),
            "equivalent": words.integer(tally["equivalent"]),
            "alive": words.integer(alive) if alive else "none",
        }
    }
