"""Bytes between the GPU and its memory, per byte of the vector, cold: predicted, counted, measured."""

import pandas

from analysis.common.evidence import Evidence, Results
from analysis.common.recorded import LENGTH

# Times the vector is read or written; all other traffic is negligible.
PASSES = {"copy": 2, "scan": 2, "reduce": 1}
PASSES_OF = {"scan/three_phase": 4, "scan/reduce_then_scan": 3, "scan/look_back": 2}
COUNTED = ("global_bytes_read", "global_bytes_written", "bulk_bytes_loaded", "bulk_bytes_stored")
NEEDED = ["cache", "global_bytes_read", "global_bytes_written", "elements", "element_bytes", "n"]
EXTREMES = {"least": "min", "most": "max"}


def traffic(evidence: list[Evidence]) -> pandas.DataFrame:
    """One line per case at its claim's largest n: kernel, n, predicted, counted (if known) and measured."""
    found = [line for each in evidence for line in lines_of(each.counters, each.counted)]
    return pandas.DataFrame(found, columns=["kernel", "case", "n", "predicted", "counted", "measured"])


def lines_of(counters: Results, counted: Results | None) -> list[dict]:
    if any(column not in counters.rows for column in NEEDED):
        return []
    rows = counters.rows.dropna(subset=NEEDED)
    rows = rows[rows["element_bytes"] > 0]  # without vectors that a case brings itself
    found = []
    for row in rows[rows["n"] == rows["n"].max()].to_dict("records"):
        if row["operation"] not in PASSES or row.get("total") == "reduction":  # two kernels
            continue
        kernel, vector = f"{row['operation']}/{row['algorithm']}", row["elements"] * row["element_bytes"]
        line = {"kernel": kernel, "case": row["name"], "n": int(row["n"])}
        line["predicted"] = PASSES_OF.get(kernel, PASSES[row["operation"]])
        measured = (row["global_bytes_read"] + row["global_bytes_written"]) / vector
        factors = {of: level for of, level in counters.factors[row["name"]].items() if of not in LENGTH}
        passes = counted_passes(counted, factors, row["element_bytes"])
        found.append(line | {"counted": passes, "measured": measured})
    return found


def counted_passes(counted: Results | None, factors: dict, element_bytes: float) -> float | None:
    """The same on the SIMT machine, at the largest n counted: sectors, and what bulk copies move."""
    if counted is None or "n" not in counted.rows or "global_bytes_read" not in counted.rows:
        return None
    rows = counted.where(**factors).sort_values("n")
    if rows.empty:
        return None
    largest = rows.iloc[-1]
    moved = sum(largest.get(each, 0) for each in COUNTED)
    return moved / (largest["n"] * element_bytes)


def by_kernel(table: pandas.DataFrame) -> pandas.DataFrame:
    """One line per kernel, the fewest passes first: number of cases, and the ranges counted and measured."""
    ends = {"_n": "n", "_counted": "counted", "": "measured"}
    columns = {f"{end}{of}": (name, by) for of, name in ends.items() for end, by in EXTREMES.items()}
    found = table.groupby(["kernel", "predicted"], sort=False).agg(cases=("case", "size"), **columns)
    return found.reset_index().sort_values("predicted", kind="stable")
