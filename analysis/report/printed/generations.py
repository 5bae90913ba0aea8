"""What paper and supplement print of results/simt/generations.csv: each claim's counts in the code of seven
architectures. No GPU has confirmed any but sm_90's."""

from pathlib import Path

import pandas

from analysis.core import words
from analysis.core.agreement import name_of
from analysis.core.causes import OF_COMPILER
from analysis.core.files import SIMT, read_csv
from analysis.core.prose import told
from analysis.report.generations import COLUMNS, COMPARED, INSTRUCTIONS, TABLE

REFUSED = "invalid argument"  # how a reason ends if a block may not have as much shared memory as it asks for


def said_of(quantity: str) -> str:
    return {"warp_ops": "operations by warp"}.get(quantity) or name_of(quantity)


def contents(results: Path) -> dict | None:
    """Numbers, and rows of tables; None without the table."""
    path = results / SIMT / TABLE
    if not path.exists():
        return None
    table = read_csv(path, tuple(COLUMNS))
    cells, others = cells_of(table), table["architecture"].unique().tolist()
    own = cells[~cells["quantity"].isin(INSTRUCTIONS)]
    judged = table.dropna(subset="count")
    changed = judged[judged["count"] != judged["count_sm_90"]]
    return {
        "architectures": others,
        "listed": words.listing(others),
        "how_many": words.small(len(others) + 1),
        "claims": table["claim"].nunique(),
        "instructions": tally(cells[cells["quantity"].isin(INSTRUCTIONS)]),
        "others": tally(own),
        "warp_instructions": [float(table["fewest"].min()), float(table["most"].max())],
        "relaunched": {name: int(table[name].sum()) for name in ("relaunched", "cases")},
        "causes": causes(table),
        "rows": [row_of(claim, table, own, others) for claim in table["claim"].unique()],
        "quantities": [
            {"name": said_of(name), "cells": by_architecture(of_quantity(cells, name), others)}
            for name in COMPARED
            if len(of_quantity(cells, name))
        ],
        "judged": len(judged),
        "changes": len(changed),
        "changed": changes(changed),
        "not_counted": not_counted(table[table["count"].isna()]),
        "looked_at": told("generations: looked at"),
    }


def changes(rows: pandas.DataFrame) -> list[dict]:
    """Each claim whose verdict changes: on which architectures, and what the first of these verdicts says."""
    keys = ["claim", "count_sm_90", "count"]
    return [
        dict(zip(("claim", "once", "now"), values, strict=True))
        | {"on": words.listing(group["architecture"].tolist()), "why": group["why"].iloc[0]}
        for values, group in rows.groupby(keys, sort=False)
    ]


def not_counted(rows: pandas.DataFrame) -> list[dict]:
    """The claims without a verdict, those on the same architectures together, and why: what the first says,
    unless all were refused a launch."""
    found: dict[tuple, list] = {}
    for _, group in rows.groupby("claim", sort=False):
        found.setdefault((*group["architecture"],), []).append(group.iloc[0])
    refused = all(str(reason).endswith(REFUSED) for reason in rows["why"])
    return [
        {
            "on": words.listing(on),
            "claims": [row["claim"] for row in lost],
            "why": told("generations: not counted") if refused else f"{lost[0]['why']}.",
        }
        for on, lost in found.items()
    ]


def cells_of(table: pandas.DataFrame) -> pandas.DataFrame:
    """A row for each claim, architecture and quantity: cells, and those equal to sm_90's."""
    rows = []
    for row in table.dropna(subset="quantities").itertuples():
        for each in row.quantities.split():
            name, equal, every = each.replace("/", ":").split(":")
            rows.append((row.claim, row.architecture, name, int(equal), int(every)))
    return pandas.DataFrame(rows, columns=["claim", "architecture", "quantity", "equal", "cells"])


def tally(cells: pandas.DataFrame) -> dict[str, int]:
    return {"equal": int(cells["equal"].sum()), "cells": int(cells["cells"].sum())}


def by_architecture(cells: pandas.DataFrame, architectures: list[str]) -> list[dict[str, int]]:
    return [tally(cells[cells["architecture"] == each]) for each in architectures]


def of_quantity(cells: pandas.DataFrame, quantity: str) -> pandas.DataFrame:
    return cells[cells["quantity"] == quantity]


def row_of(claim: str, table: pandas.DataFrame, cells: pandas.DataFrame, architectures: list[str]) -> dict:
    """A claim's cells by architecture, the quantities that differ on any, and its warp instructions."""
    of_claim, known = table[table["claim"] == claim], cells[cells["claim"] == claim]
    tallies = {name: tally(of_quantity(known, name)) for name in COMPARED}
    return {
        "claim": claim,
        "cells": by_architecture(known, architectures),
        "warp_instructions": of_claim[["fewest", "most"]].stack().tolist(),
        "differ": [said_of(name) for name, of in tallies.items() if of["equal"] < of["cells"]],
    }


def causes(table: pandas.DataFrame) -> list[dict]:
    """The causes that explain a difference, and the number of cells."""
    pairs = [each.split(":") for listed in table["causes"].dropna() for each in listed.split()]
    found = {cause: sum(int(number) for name, number in pairs if name == cause.name) for cause in OF_COMPILER}
    return [{"name": cause.name, "sentence": cause.sentence, "cells": n} for cause, n in found.items() if n]
