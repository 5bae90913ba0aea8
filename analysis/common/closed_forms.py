"""Closed forms that the results state, and whether every count equals its own."""

import pandas

from analysis.common.errors import EvidenceError
from analysis.common.evidence import Results
from analysis.common.prose import told
from analysis.common.recorded import VARIES

# Of operators of integers the machine code shows no application, see simt/sass/operators.h: not counted.
OF_OPERATOR = ("ops", "warp_ops", "active_warps", "operator_steps")


def predictions(results: Results) -> pandas.DataFrame:
    """Every closed form that the results state, with its count, unless that depends on the order of blocks:
    name, quantity, predicted, counted."""
    rows, columns, found = results.rows, ["name", "quantity", "predicted", "counted"], []
    for column in (each for each in rows if each.startswith("predicted_")):
        quantity = column.removeprefix("predicted_")
        if quantity in rows:
            pairs = rows.loc[~varies(rows, quantity), ["name", quantity, column]].dropna()
            found.append(pairs.set_axis(["name", "counted", "predicted"], axis=1).assign(quantity=quantity))
        elif quantity not in OF_OPERATOR:
            wrong = f"{results.path}: {column} is stated but {quantity} is not counted"
            mend = f"mend predict() in experiments/{results.claim['id']}.cu and run make again"
            raise EvidenceError(f"{wrong}; {mend}")
    return pandas.concat(found)[columns] if found else pandas.DataFrame(columns=columns)


def varies(rows: pandas.DataFrame, quantity: str) -> pandas.Series:
    """The rows of cases in which this quantity changes when blocks and warps run in another order."""
    every = rows[VARIES] if VARIES in rows else pandas.Series(None, index=rows.index, dtype=object)
    return every.map(lambda names: isinstance(names, list) and quantity in names)


def closed_forms(results: Results | None, *quantities: str) -> tuple[bool | None, str]:
    """Whether all counts equal their closed forms, of these quantities if any are given, and the first that
    does not, in words; None if nothing is stated."""
    if results is None:
        return None, ""
    stated = predictions(results)
    stated = stated[stated["quantity"].isin(quantities)] if quantities else stated
    wrong = stated[stated["predicted"] != stated["counted"]]
    if wrong.empty:
        return (None if stated.empty else True), ""
    case, quantity, stated, counted = wrong.iloc[0]
    said = {"case": case, "quantity": quantity.replace("_", " "), "stated": stated, "counted": counted}
    return False, told("wrong", **said)
