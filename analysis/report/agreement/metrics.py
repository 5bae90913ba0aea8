"""Which hardware metric measures which quantity, by the candidates in results/<gpu>/metrics.csv."""

from pathlib import Path

import pandas

from analysis.core.agreement import as_the_gpu_counts, name_of, varying
from analysis.core.errors import EvidenceError
from analysis.core.evidence import Evidence
from analysis.core.files import read_csv
from analysis.core.recorded import VARIES

ABOUT = ("quantity", "metric", "chosen", "case")  # then a column for each run: run_0, run_1 ..
COLUMNS = (*ABOUT, "run", "value")


def study(path: Path) -> pandas.DataFrame:
    """What each candidate read, a row for each case and run."""
    table = read_csv(path, ABOUT)
    runs = [column for column in table if column.startswith("run_")]
    if not all(pandas.api.types.is_numeric_dtype(table[column]) for column in ("chosen", *runs)):
        raise EvidenceError(f"{path}: chosen or a run is not a number everywhere; record it again")
    return table.melt(ABOUT, runs, "run", "value")


def candidates(folder: Path, evidence: list[Evidence]) -> list[dict]:
    """Of each candidate: cases, cases with every run equal to the count, the widest spread over runs."""
    path = folder / "metrics.csv"
    table = study(path) if path.exists() else pandas.DataFrame(columns=COLUMNS, dtype=float)
    counts = counts_by_case(evidence)
    found = []
    for (quantity, metric), rows in table.groupby(["quantity", "metric"], sort=False):
        runs = rows.dropna(subset=["value"]).groupby("case", sort=False)["value"]
        known = [(values, counts[case, quantity]) for case, values in runs if (case, quantity) in counts]
        spreads = [(values.max() - values.min()) / max(values.median(), 1) for _, values in runs]
        equal = sum(bool((values == count).all()) for values, count in known)
        about = {"quantity": name_of(quantity), "metric": metric, "chosen": bool(rows["chosen"].iloc[0])}
        about |= {"cases": len(known), "equal": equal, "runs": int(rows["run"].nunique())}
        found.append(about | {"spread": max(map(float, spreads), default=None)})
    return found


def counts_by_case(evidence: list[Evidence]) -> dict[tuple[str, str], float]:
    """The SIMT machine's counts, by case and quantity, but for those that depend on the order of blocks."""
    found = {}
    for row in (row for each in evidence if each.counted for row in each.counted.rows.to_dict("records")):
        left_out = {VARIES, *varying(row)}
        counts = {of: value for of, value in as_the_gpu_counts(row).items() if of not in left_out}
        found |= {(row["name"], of): value for of, value in counts.items() if pandas.notna(value)}
    return found
