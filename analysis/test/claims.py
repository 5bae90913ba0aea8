"""The claims' expected.csv: edits of the recorded evidence, and the verdict that follows from it.

A row has the edits of counts and of times, the two answers, and a part of "<where>: <finding>"; that of a
claim about the profiler also edits of its counters. Without edits the evidence is as recorded; "none" leaves
a machine out. Edits are apart by ";":

    index=padded tile=512: time_us * 3        a factor, of all cases with these levels; = sets, + adds
    algorithm=sklansky step=2: steps.ops = 7  the same in the table of steps
    algorithm=parts: gone                     these cases were not recorded
"""

import re
import statistics
from dataclasses import dataclass, replace
from pathlib import Path

import pandas

from analysis.core import recorded
from analysis.core.claims import EXPERIMENTS, stated
from analysis.core.evidence import Evidence, Results, select
from analysis.core.files import claims_in
from analysis.core.loading import REFERENCE_GPU, load
from analysis.test.made_up import Found, counted_row

RESULTS = EXPERIMENTS.parent / "results"
COLUMNS = ["counts", "times", "count", "speed", "finding"]
EDIT = re.compile(r"([^:]*): (?:(gone)|(?:(steps)\.)?(\w+) ([=*+]) (\S+))")
OPERATIONS = {"=": lambda old, new: new, "*": lambda old, new: old * new, "+": lambda old, new: old + new}
MISSING = "none"
CLOCKS = ("sm_clock_mhz", "throttled", "throttled_kept")  # of each sample


@dataclass(frozen=True)
class Expected:
    counts: str
    times: str
    count: str
    speed: str
    finding: str
    counters: str = "none"  # they would contradict edited counts


def read(path: Path) -> list[Expected]:
    table = pandas.read_csv(path, dtype=str, keep_default_na=False)
    assert list(table) in (COLUMNS, [*COLUMNS, "counters"]), (
        f"{path}: its columns are not {', '.join(COLUMNS)}"
    )
    return [Expected(*row) for row in table.itertuples(index=False)]


EXPECTED = {path.parent.name: read(path) for path in sorted(EXPERIMENTS.glob("*/*/expected.csv"))}
CLAIMS = sorted(EXPECTED)


def recorded_counts(claim: str) -> list[dict]:
    """The recorded counts, as an experiment writes them."""
    cases = recorded.read(RESULTS / f"simt/{claim}{recorded.SUFFIX}").full()
    about = (recorded.VARIES, recorded.FACTORS)
    return [counted_row(**{key: value for key, value in case.items() if key not in about}) for case in cases]


def recorded_times(claim: str) -> dict[str, Found]:
    """The recorded medians on the first GPU in microseconds, with what was found besides."""
    cases = recorded.read(RESULTS / REFERENCE_GPU / f"{claim}{recorded.SUFFIX}").full()
    return {
        case[recorded.NAME]: Found(statistics.median(case[recorded.TIMES]), **numbers(case)) for case in cases
    }


def numbers(case: dict) -> dict[str, float]:
    return {name: each for name, each in case.items() if name not in CLOCKS and isinstance(each, int | float)}


def as_recorded(claim: str) -> Evidence:
    """On the first GPU; nothing of a claim that was never recorded."""
    return load(RESULTS, claim)[0] if claim in claims_in(RESULTS) else Evidence(stated(claim), None, None)


def evidence(claim: str, counts: str, times: str, counters: str = MISSING) -> Evidence:
    found = as_recorded(claim)
    counted, timed = edited(found.counted, counts), edited(found.timed, times)
    return replace(found, counted=counted, timed=timed, counters=edited(found.counters, counters))


def edited(results: Results | None, edits: str) -> Results | None:
    if edits == MISSING:
        return None
    for edit in filter(None, edits.split("; ")):
        results = one_edit(results, edit)
    return results


def one_edit(results: Results, edit: str) -> Results:
    parts = EDIT.fullmatch(edit)
    assert parts, f"not an edit: {edit}"
    where, gone, steps, quantity, operation, number = parts.groups()
    frame = results.steps if steps else results.rows
    own = select(frame, dict(map(level_of, where.split()))).index
    assert len(own), f"no case of {results.path} has {where}"
    if gone:
        return replace(results, rows=frame.drop(own))
    column = frame[quantity].astype(float) if quantity in frame else pandas.Series(float("nan"), frame.index)
    column[own] = OPERATIONS[operation](column[own], float(number))
    return replace(results, **{"steps" if steps else "rows": frame.assign(**{quantity: column})})


def level_of(text: str) -> tuple[str, str | int]:
    factor, level = text.split("=")
    return factor, int(level) if level.isdigit() else level
