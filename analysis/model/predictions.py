"""The times of all kernels on a GPU of which the prices alone are recorded: results/<gpu>/predicted.csv.

Counts are those of the SIMT machine, the prices are the GPU's own. The table is written, and committed,
before anything else is timed there: a prediction can be wrong.
"""

from pathlib import Path

import pandas

from analysis.core.errors import EvidenceError
from analysis.core.evidence import Results
from analysis.core.files import LOCAL, SIMT, claims_in, read_csv
from analysis.core.loading import REFERENCE_GPU
from analysis.core.recorded import SUFFIX
from analysis.core.statistics import rounded
from analysis.core.writing import write_text
from analysis.model import times
from analysis.model.excluded import outside
from analysis.model.prices import EXPERIMENT, machine_of, measured, prices_of
from analysis.model.view import View, view

FILE = "predicted.csv"
COLUMNS = ("claim", "case", "n", "predicted_us", "limiter", "outside")


def write(results: Path) -> None:
    """The table of every GPU of which the prices alone are recorded."""
    folders, found = waiting(results), view(results)
    if not folders:
        why = "a prediction comes before the times (make predict)"
        raise EvidenceError(f"{results}: no GPU has {EXPERIMENT} alone; {why}")
    if not found:
        raise EvidenceError(f"{results}: nothing to predict from; make record measures prices and kernels")
    for folder in folders:
        table = predicted(found, rates_of(results, folder))
        write_text(results / folder / FILE, table.to_csv(index=False, lineterminator="\n"))


def waiting(results: Path) -> list[str]:
    """The folders with prices and without any other times."""
    known = set(claims_in(results))
    return [
        folder.name
        for folder in sorted(results.iterdir())
        if folder.is_dir() and folder.name not in (SIMT, LOCAL, REFERENCE_GPU)
        if {path.stem for path in folder.glob(f"*{SUFFIX}")} & known == {EXPERIMENT}
    ]


def rates_of(results: Path, folder: str) -> Results | None:
    """The prices that a GPU's own rates give; None without them."""
    return next((each for each in measured(results) if each.folder == folder), None)


def predicted(found: View, rates: Results) -> pandas.DataFrame:
    """A row for every case that the first GPU has timed, at its length."""
    prices, machine = prices_of(rates), machine_of(rates)
    us = times.predicted(found.kernels, prices, machine)
    limiters = times.limiters(times.parts(found.kernels, prices, machine))
    cases = [(each.claim, each.case, each.n) for each in found.kernels]
    times_us, why = rounded(us.tolist()), map(outside, found.kernels)
    rows = [(*case, *of) for case, *of in zip(cases, times_us, limiters, why, strict=True)]
    return pandas.DataFrame(rows, columns=COLUMNS)


def read(results: Path, folder: str) -> pandas.DataFrame | None:
    """The table as it was committed; None if nothing was predicted."""
    path = results / folder / FILE
    return read_csv(path, COLUMNS).fillna({"outside": ""}) if path.exists() else None
