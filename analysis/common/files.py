"""Recorded files, checked: JSON and tables of results, with the factors of each case.

A damaged file is one clear line that says what to do about it.
"""

import json
import zlib
from pathlib import Path

import pandas

from analysis.common.errors import EvidenceError
from analysis.common.recorded import COUNTERS, FACTORS, NAME, SUFFIX, TIMES, Recording

SIMT = "simt"
LOCAL = "local"  # results/local: the times of this machine, which are never committed


def claim_of(path: Path) -> str:
    """work for work.jsonl and work.counters.jsonl."""
    return path.name.split(".")[0]


def recordings(results: Path, name: str) -> list[Path]:
    """The files of this name that any machine has recorded, but for the times of this machine."""
    return [path for path in sorted(results.glob(f"*/{name}")) if path.parent.name != LOCAL]


def claims_in(results: Path) -> list[str]:
    """The claims that any machine has results for, by name."""
    names = {path.name.removesuffix(COUNTERS) for path in recordings(results, f"*{SUFFIX}")}
    return sorted(name for name in {name.removesuffix(SUFFIX) for name in names} if "." not in name)


def remedy(path: Path) -> str:
    """What to do about a damaged file. Counts and figures are made anew anywhere, recordings on their GPU."""
    if path.parent.name == SIMT:
        return f"delete {path.with_name(claim_of(path) + SUFFIX)} and run make, which counts it anew"
    if "results" not in path.parent.parts or path.parent.name == LOCAL:
        return "delete it and run make again"
    command = "make counters" if path.name.endswith(COUNTERS) else "make record"
    return f"restore the committed file, or run {command} on that GPU"


def read_json(path: Path, missing: dict | None = None) -> dict:
    """`missing`: what stands for a file that need not be there."""
    if missing is not None and not path.exists():
        return missing
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EvidenceError(f"{path}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise EvidenceError(f"{path}: not complete JSON ({error}); {remedy(path)}") from error
    if not isinstance(document, dict):
        raise EvidenceError(f"{path}: not a JSON object; {remedy(path)}")
    return document


def rows_of(recording: Recording) -> pandas.DataFrame:
    """One row a repetition, with its time_us; of counts one a case. Factors become columns."""
    rows, factors = [], {}
    for case in recording.full():
        factors[case[NAME]] = case.pop(FACTORS)
        for repetition, time in enumerate(case.pop(TIMES, [None])):
            own = {key: each[repetition] if isinstance(each, list) else each for key, each in case.items()}
            rows.append(case if time is None else own | {"repetition": repetition, "time_us": time})
    return with_factors(pandas.DataFrame(rows), NAME, factors)


def read_table(path: Path, columns: tuple[str, ...], factors: dict[str, dict]) -> pandas.DataFrame | None:
    """A table of these cases, or None if there is no such file."""
    if not path.exists():
        return None
    table = read_csv(path, columns)
    if table.isna().any(axis=None):
        raise EvidenceError(f"{path}: a line is incomplete; {remedy(path)}")
    if unknown := sorted(set(table["case"]) - set(factors)):
        raise EvidenceError(f"{path}: the case '{unknown[0]}' is not in the recording; {remedy(path)}")
    return table


def read_csv(path: Path, columns: tuple[str, ...]) -> pandas.DataFrame:
    """A table that has these columns."""
    try:
        table = pandas.read_csv(path)
    except (ValueError, OSError, EOFError, zlib.error) as error:
        raise EvidenceError(f"{path}: not a table ({error}); {remedy(path)}") from error
    if lacking := [column for column in columns if column not in table]:
        raise EvidenceError(f"{path}: it lacks {', '.join(lacking)}; {remedy(path)}")
    return table


def with_factors(rows: pandas.DataFrame, column: str, factors: dict[str, dict]) -> pandas.DataFrame:
    """A factor takes the place of a quantity of its name."""
    own = pandas.DataFrame([factors[name] for name in rows[column]], index=rows.index)
    taken = set(rows.columns) & set(own.columns)
    return pandas.concat([rows.drop(columns=list(taken)), own], axis=1)
