"""results/simt/generations.csv: counts of each claim in the code of other architectures, and those of sm_90.

Made by make generations alone, which counts into build/generations/sm_<n>/<claim>.jsonl, or says in
<claim>.why why it could not. A row is a claim on an architecture:

cases, relaunched: the cases of the claim, and those whose launches are others than on sm_90: another kernel
    or grid, chosen by the architecture or the number of multiprocessors. They are not compared
cells, equal: counts of the other cases, by case and quantity; those that are sm_90's
quantities: of each quantity, cells that are equal and cells: ops:30/30
causes: of each cause that explains a difference other than of INSTRUCTIONS, the cells: merged:6
fewest, most: warp instructions of a case, as a multiple of sm_90's
largest, of: the largest difference, relative to sm_90's count unless that is 0, and its quantity
count, count_sm_90: the verdict of the claim's rule on these counts, and on sm_90's
why: why nothing was counted, or what the verdict says if it is another one

No GPU has confirmed any of these counts but sm_90's.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pandas

from analysis.core import claims
from analysis.core.agreement import BULK, OF_OPERATOR, QUANTITIES, varying
from analysis.core.analyses import analysis_of, faults_of
from analysis.core.causes import OF_COMPILER, UNEXPLAINED, Pair, cause_of
from analysis.core.errors import EvidenceError
from analysis.core.evidence import Evidence, Results
from analysis.core.files import SIMT
from analysis.core.loading import load, read
from analysis.core.recorded import SUFFIX
from analysis.core.writing import write_text
from analysis.report.sections import NO_ORDER

TABLE = "generations.csv"
COUNTED = "generations"  # the folder of build/ in which the counts lie
WHOLE = ["cases", "relaunched", "cells", "equal"]  # columns of whole numbers
COLUMNS = ["claim", "architecture", *WHOLE, "quantities", "causes", "fewest", "most", "largest", "of"]
COLUMNS += ["count", "count_sm_90", "why"]
# What nvcc makes of a line. All other quantities are of what the source does: memory, barriers, operator.
INSTRUCTIONS = (
    "warp_instructions",
    "thread_instructions",
    "thread_instructions_pred_on",
    "branches",
    "divergent_branches",
)
COMPARED = (*QUANTITIES, *OF_OPERATOR[1:])
LAUNCH = ["kernel", "blocks", "threads"]
DIGITS = 4  # of the largest difference
LOOKED = re.compile(r"\berror\b|wrong result|^simt-run: ")  # where a log says what went wrong
FOLDERS = re.compile(r"(?<!\S)/\S*/")


def write(results: Path, build: Path) -> None:
    """What was not counted here, as after make generations CLAIMS="one another", keeps its row."""
    folders = sorted((build / COUNTED).glob("sm_*"), key=lambda folder: int(folder.name[3:]))
    path = results / SIMT / TABLE
    known = {}
    if path.exists():
        former = pandas.read_csv(path, dtype=str, keep_default_na=False)
        known = {(each["claim"], each["architecture"]): each for each in former.to_dict("records")}
    rows = []
    for claim, folder in product(in_order(), folders):
        is_counted = any((folder / f"{claim}{suffix}").exists() for suffix in (SUFFIX, ".why"))
        former = known.get((claim, folder.name))
        rows.append(former if former and not is_counted else row(claim, folder, results))
    table = pandas.DataFrame(rows, columns=COLUMNS).replace("", None)
    table[WHOLE] = table[WHOLE].apply(pandas.to_numeric).astype("Int64")
    write_text(path, table.to_csv(index=False, lineterminator="\n"))


def in_order() -> list[str]:
    """All claims of the report, in its order."""
    every = [stated for claim in claims.names() if (stated := claims.stated(claim))["order"] < NO_ORDER]
    return [each["id"] for each in sorted(every, key=lambda each: (each["order"], each["id"]))]


def row(claim: str, folder: Path, results: Path) -> dict:
    """A claim on the architecture whose counts are in this folder."""
    about, counts = {"claim": claim, "architecture": folder.name}, folder / f"{claim}{SUFFIX}"
    if not counts.exists():
        log = counts.with_suffix(".why")
        return about | {"why": why(log.read_text(encoding="utf-8")) if log.exists() else "not counted"}
    evidence, other = load(results, claim)[0], read(counts)
    return about | compared(evidence.counted, other) | judged(evidence, other)


def why(log: str) -> str:
    """What went wrong, in one line, without folders: the first that says so, else the last."""
    lines = [" ".join(FOLDERS.sub("", line).split()) for line in log.splitlines() if line.strip()]
    return next(filter(LOOKED.search, lines), lines[-1] if lines else "no reason given")


class Cell(NamedTuple):
    """A quantity of a case: on sm_90, on the other architecture, and why they differ; "" if they do not."""

    quantity: str
    once: float
    now: float
    cause: str

    @property
    def equal(self) -> bool:
        return self.once == self.now

    @property
    def relative(self) -> float:
        return abs(self.now - self.once) / self.once if self.once else 0.0


def compared(counted: Results, other: Results) -> dict:
    """How far the counts of `other`, of another architecture, are those of `counted`, of sm_90."""
    launched, there = launches(counted), launches(other)
    alike = {case for case in launched if launched[case] == there.get(case)}
    found = list(cells(counted, other, alike))
    known, equal = (
        Counter(each.quantity for each in found),
        Counter(each.quantity for each in found if each.equal),
    )
    causes = Counter(each.cause for each in found if each.cause not in ("", UNEXPLAINED))
    widest = max(found, key=lambda each: each.relative, default=None)
    ratios = [each.now / each.once for each in found if each.quantity == "warp_instructions" and each.once]
    return {
        "cases": len(launched),
        "relaunched": len(launched) - len(alike),
        "cells": known.total(),
        "equal": equal.total(),
        "quantities": " ".join(f"{name}:{equal[name]}/{known[name]}" for name in COMPARED if known[name]),
        "causes": " ".join(f"{name}:{number}" for name, number in sorted(causes.items())),
        "fewest": round(min(ratios), DIGITS) if ratios else None,
        "most": round(max(ratios), DIGITS) if ratios else None,
        "largest": round(widest.relative, DIGITS) if widest else None,
        "of": widest.quantity if widest and widest.relative else "",
    }


def launches(results: Results) -> dict[str, list]:
    """Kernel, blocks and threads of every launch of each case."""
    return {case: group[LAUNCH].values.tolist() for case, group in results.launches.groupby("case")}


def cells(counted: Results, other: Results, cases: set[str]) -> Iterator[Cell]:
    """Of these cases what both have counted: not what depends on the order of blocks, nor bytes of bulk
    copies where neither has any."""
    by_name = {row["name"]: row for row in other.rows.to_dict("records")}
    for row in (row for row in counted.rows.to_dict("records") if row["name"] in cases):
        pair = Pair(by_name[row["name"]], row)
        by_order = {*varying(pair.counted), *varying(pair.other)}
        for name in (name for name in COMPARED if pair.both(name) and name not in by_order):
            now, once = pair.counted[name], pair.other[name]
            if name not in BULK or once or now:
                differs = once != now and name not in INSTRUCTIONS
                yield Cell(name, once, now, why_between(pair, name) if differs else "")


def why_between(pair: Pair, quantity: str) -> str:
    """What nvcc has done on one of the two architectures and not on the other."""
    reverse = Pair(pair.other, pair.counted)
    found = (cause_of(OF_COMPILER, each, quantity) for each in (pair, reverse))
    return next((cause for cause in found if cause != UNEXPLAINED), UNEXPLAINED)


def judged(evidence: Evidence, other: Results) -> dict:
    """The claim's verdict on its count, on sm_90 and on the other architecture; none there if its rule cannot
    be asked of these counts."""
    claim = evidence.claim["id"]
    once, found = analysis_of(claim).verdict(evidence).count, {}
    try:
        with faults_of(claim):
            now = analysis_of(claim).verdict(replace(evidence, counted=other))
    except EvidenceError as error:
        found["why"] = f"not judged: {error}"
    else:
        found["count"] = now.count
        if now.count != once:
            found["why"] = now.finding
    return {"count_sm_90": once} | found
