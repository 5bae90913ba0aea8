"""Two comparisons, one line per case and quantity: the SIMT machine's count against the GPU's counter, and
against the closed form of the source.

Both machines run one binary, so that the first asks whether the machine counts right. The closed form is of
the source: the second asks what the compiler made of it.
"""

import pandas

from analysis.core.causes import OF_COMPILER, OF_GPU, UNEXPLAINED, Pair, cause_of
from analysis.core.errors import EvidenceError
from analysis.core.evidence import Results
from analysis.core.prose import told
from analysis.core.recorded import VARIES

QUANTITIES = {
    "warp_instructions": "warp instructions",
    "thread_instructions": "thread instructions",
    "thread_instructions_pred_on": "thread instructions, predicated on",
    "branches": "branches",
    "divergent_branches": "divergent branches",
    "ops": "operations",
    "shared_load_requests": "load requests",
    "shared_store_requests": "store requests",
    "shared_load_wavefronts": "load wavefronts",
    "shared_store_wavefronts": "store wavefronts",
    "bank_conflicts": "bank conflicts",
    "global_load_sectors": "sectors loaded",
    "global_store_sectors": "sectors stored",
    "bulk_bytes_loaded": "bulk bytes loaded",
    "bulk_bytes_stored": "bulk bytes stored",
    "barriers": "barriers",
    "launches": "launches",
}
GPU, FORM = "GPU", "closed form"
BY_ORDER = "by order"  # not compared: what blocks learn of one another depends on the order in which they run
COLUMNS = ["claim", "kernel", "case", "quantity", "against", "counted", "other", "difference", "cause"]
BULK = {"bulk_bytes_loaded", "bulk_bytes_stored"}
# Of operators of integers the machine code shows no application, see simt/decode/operators.h: not counted.
OF_OPERATOR = ("ops", "warp_ops", "active_warps", "operator_steps")


def cells(counted: Results, counters: Results) -> pandas.DataFrame:
    """Every quantity that both rows of a case have, in the order of the counts; a cause if they differ."""
    by_name = {row["name"]: row for row in counters.rows.to_dict("records")}
    found = []
    for row in counted.rows.to_dict("records"):
        if hardware := by_name.get(row["name"]):
            pair = Pair(as_the_gpu_counts(row), hardware)
            each = [name for name in QUANTITIES if pair.both(name) and comparable(pair, name)]
            found += [cell(counted, pair, name, GPU) for name in each]
    return pandas.DataFrame(found, columns=COLUMNS)


def forms(counted: Results) -> pandas.DataFrame:
    """The same for every closed form that the experiment states."""
    stated = [column for column in counted.rows if column.startswith("predicted_")]
    found = []
    for row in counted.rows.to_dict("records"):
        pair = Pair(row, {column.removeprefix("predicted_"): row[column] for column in stated})
        found += [cell(counted, pair, name, FORM) for name in pair.other if pair.both(name)]
    return pandas.DataFrame(found, columns=COLUMNS)


def comparable(pair: Pair, quantity: str) -> bool:
    """Whether both rows measure the same. The hardware counts floating-point operations only: it has no count
    for a kernel without any."""
    if quantity in BULK and not pair.counted[quantity]:
        return False
    if quantity != "ops" or pair.other.get("operator_instructions") != 0:
        return True
    return not (pair.other["ops"] == 0 and pair.counted["ops"] > 0)


def as_the_gpu_counts(row: dict) -> dict:
    """The counts in the GPU's terms: of bulk stores the bytes of all sectors written; barriers of blocks
    alone; and where there are additions of floats, all of them, also those that are not the operator's."""
    found = dict(row)
    if pandas.notna(row.get("bulk_sectors_stored")):
        found["bulk_bytes_stored"] = 32 * row["bulk_sectors_stored"]
    if pandas.notna(row.get("cluster_barriers")):
        found["barriers"] = row["barriers"] - row["cluster_barriers"]
    if (additions := row.get("float_additions")) and pandas.notna(additions):
        found["ops"] = additions
    return found


def varying(row: dict) -> list[str]:
    """The quantities of a case that change when blocks and warps run in another order."""
    found = row.get(VARIES)
    return found if isinstance(found, list) else []


def cell(results: Results, pair: Pair, quantity: str, against: str) -> dict:
    row, counted, other = pair.counted, pair.counted[quantity], pair.other[quantity]
    causes = OF_GPU if against == GPU else OF_COMPILER
    if quantity in varying(row):
        cause = BY_ORDER
    else:
        cause = "" if other == counted else cause_of(causes, pair, quantity)
    where = (results.claim["id"], f"{row['operation']}/{row['algorithm']}", row["name"], quantity)
    return dict(zip(COLUMNS, (*where, against, counted, other, other - counted, cause), strict=True))


def name_of(quantity: str) -> str:
    return QUANTITIES.get(quantity, quantity.replace("_", " "))


def not_profiled(counted: Results, counters: Results) -> list[str]:
    """Counted cases of which no counters were read."""
    return [name for name in counted.rows["name"] if name not in set(counters.rows["name"])]


def compared(table: pandas.DataFrame) -> pandas.DataFrame:
    """Without the cells that depend on the order of blocks."""
    return table[table["cause"] != BY_ORDER]


def differing(table: pandas.DataFrame) -> pandas.DataFrame:
    return table[~table["cause"].isin(["", BY_ORDER])]


def tally(table: pandas.DataFrame) -> dict[str, int]:
    """The cells compared, the equal ones, and those that differ with and without a proven cause; beside
    them, those that are not compared because they depend on the order of blocks."""
    cause = compared(table)["cause"]
    return {
        "cells": len(cause),
        "equal": int((cause == "").sum()),
        "explained": int((~cause.isin(["", UNEXPLAINED])).sum()),
        "unexplained": int((cause == UNEXPLAINED).sum()),
        "by_order": len(table) - len(cause),
    }


def closed_forms(results: Results | None, *quantities: str) -> tuple[bool | None, str]:
    """Whether all counts equal their closed forms, of these quantities if any are given, and the first that
    does not, in words; None if nothing is stated. What depends on the order of blocks is not compared."""
    if results is None:
        return None, ""
    stated = {each.removeprefix("predicted_") for each in results.rows if each.startswith("predicted_")}
    if lacking := sorted(stated - {*results.rows, *OF_OPERATOR}):
        wrong = f"{results.path}: predicted_{lacking[0]} is stated but {lacking[0]} is not counted"
        mend = f"mend predict() in {results.claim['id']}.cu and run make again"
        raise EvidenceError(f"{wrong}; {mend}")
    found = compared(forms(results))
    found = found[found["quantity"].isin(quantities)] if quantities else found
    wrong = found[found["cause"] != ""]
    if wrong.empty:
        return (None if found.empty else True), ""
    first = wrong.iloc[0]
    said = {"case": first["case"], "quantity": first["quantity"].replace("_", " ")}
    return False, told("wrong", **said, stated=first["other"], counted=first["counted"])
