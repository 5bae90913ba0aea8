"""Recorded files, checked: JSON and tables of results, and the factors in a case's name.

A damaged file is one clear line that says what to do about it.
"""

import json
from pathlib import Path

import pandas

from analysis.common.errors import EvidenceError
from analysis.common.rows import expanded

SCHEMA = 1
SIMT = "simt"
LOCAL = "local"  # results/local: the times of this machine, which are never committed
CLAIM_FIELDS = ("id", "order", "title", "claim", "source", "prediction", "method", "fails_if")
COUNTERS = ".counters.json"  # of a GPU's hardware counters: results/<gpu>/<claim>.counters.json


def claim_of(path: Path) -> str:
    """work for work.json and work.counters.json."""
    return path.name.split(".")[0]


def recordings(results: Path, name: str) -> list[Path]:
    """The files of this name that any machine has recorded, but for the times of this machine."""
    return [path for path in sorted(results.glob(f"*/{name}")) if path.parent.name != LOCAL]


def claims_in(results: Path) -> list[str]:
    """The claims that any machine has results for, by name."""
    return sorted({claim_of(path) for path in recordings(results, "*.json")})


def remedy(path: Path) -> str:
    """What to do about a damaged file. Counts and figures are made anew anywhere, recordings on their GPU."""
    if path.parent.name == SIMT:
        return f"delete {path.with_name(claim_of(path) + '.json')} and run make, which counts it anew"
    if "results" not in path.parent.parts or path.parent.name == LOCAL:
        return "delete it and run make again"
    command = "make counters" if path.name.endswith(COUNTERS) else "make record"
    return f"restore the committed file, or run {command} on that GPU"


def check_counters(path: Path, rows: pandas.DataFrame, metrics: dict) -> None:
    """Each case must be unique and its counters whole numbers; a counter may be missing from a case."""
    if rows["name"].duplicated().any():
        raise EvidenceError(f"{path}: a case appears twice; {remedy(path)}")
    for quantity in rows.columns.intersection(list(metrics)):
        values = rows[quantity].dropna()
        if any(isinstance(value, bool | str) or value % 1 for value in values):
            raise EvidenceError(f"{path}: {quantity} is not a whole number everywhere; {remedy(path)}")


def read_json(path: Path) -> dict:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EvidenceError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise EvidenceError(f"{path}: not complete JSON ({error}); {remedy(path)}") from error
    if not isinstance(document, dict):
        raise EvidenceError(f"{path}: not a JSON object; {remedy(path)}")
    return document


def read_rows(path: Path, benchmarks: list | None, timed: bool) -> pandas.DataFrame:
    if not isinstance(benchmarks, list) or not benchmarks:
        raise EvidenceError(f"{path}: it has no benchmarks; {remedy(path)}")
    benchmarks = expanded(benchmarks)
    for row in benchmarks:
        if not isinstance(row, dict) or not isinstance(row.get("name"), str):
            raise EvidenceError(f"{path}: a benchmark has no name; {remedy(path)}")
        if row.get("error_occurred") or row.get("skipped"):
            raise EvidenceError(f"{path}: the case {row['name']} failed; {remedy(path)}")
        time = row.get("real_time")
        if timed and (row.get("time_unit") != "us" or not isinstance(time, int | float) or not time > 0):
            raise EvidenceError(f"{path}: the case {row['name']} has no time in us; {remedy(path)}")
    rows = pandas.DataFrame(benchmarks)
    if rows.duplicated([name for name in ("name", "repetition_index") if name in rows]).any():
        raise EvidenceError(f"{path}: a repetition appears twice; {remedy(path)}")
    return with_factors(path, rows, "name")


def read_table(path: Path, columns: tuple[str, ...]) -> pandas.DataFrame | None:
    """A table of cases, or None if there is no such file."""
    if not path.exists():
        return None
    table = read_csv(path, columns)
    if table.isna().any(axis=None):
        raise EvidenceError(f"{path}: a line is incomplete; {remedy(path)}")
    return with_factors(path, table, "case")


def read_csv(path: Path, columns: tuple[str, ...]) -> pandas.DataFrame:
    """A table that has these columns."""
    try:
        table = pandas.read_csv(path)
    except (ValueError, OSError) as error:
        raise EvidenceError(f"{path}: not a table ({error}); {remedy(path)}") from error
    if lacking := [column for column in columns if column not in table]:
        raise EvidenceError(f"{path}: it lacks {', '.join(lacking)}; {remedy(path)}")
    return table


def with_factors(path: Path, rows: pandas.DataFrame, column: str) -> pandas.DataFrame:
    factors = {name: parse_case(path, name) for name in rows[column].unique()}
    parsed = pandas.DataFrame([factors[name] for name in rows[column]], index=rows.index)
    taken = set(rows.columns) & set(parsed.columns)
    return pandas.concat([rows.drop(columns=list(taken)), parsed], axis=1)


def parse_case(path: Path, name: str) -> dict:
    """The factors in a case's name; whole numbers as int."""
    operation, *rest = str(name).split("/")
    if not rest or any(":" not in part for part in rest[1:]):
        raise EvidenceError(
            f"{path}: the case '{name}' is not operation/algorithm/factor:level/..; {remedy(path)}"
        )
    factors = {"operation": operation, "algorithm": rest[0]}
    for part in rest[1:]:
        factor, level = part.split(":", 1)
        factors[factor] = int(level) if level.isdigit() else level
    return factors
