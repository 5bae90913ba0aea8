"""Closed forms that the results state, and whether every count equals its own."""

from analysis.agreement.cells import compared, forms
from analysis.common.errors import EvidenceError
from analysis.common.evidence import Results
from analysis.common.prose import told

# Of operators of integers the machine code shows no application, see simt/decode/operators.h: not counted.
OF_OPERATOR = ("ops", "warp_ops", "active_warps", "operator_steps")


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
