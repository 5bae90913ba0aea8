"""figures/agreement.*: the figure, the tables (.csv), and the report's text (.json).

agreement.csv counts the cells by claim, kernel and quantity, and says whether counts and counters are of the
same machine code; agreement.differ.csv has each cell that differs. Equal cells are not listed: the recordings
have them. A second GPU gets its own figure, agreement.<gpu>.svg. The document covers all GPUs; the tables
have of further GPUs what is not as on the first.
"""

from dataclasses import asdict, dataclass
from pathlib import Path

import pandas

from analysis.agreement import tables
from analysis.agreement.causes import OF_COMPILER, OF_GPU, Cause
from analysis.agreement.cells import COLUMNS, cells, differing, forms, tally, unmatched
from analysis.agreement.drawing import figure
from analysis.agreement.metrics import candidates
from analysis.agreement.traffic import traffic
from analysis.common import plotting
from analysis.common.evidence import SAME, Evidence
from analysis.common.files import COUNTERS, claims_in
from analysis.common.loading import REFERENCE_GPU, load
from analysis.common.writing import write_json, write_text

NAME = "agreement"
CAPTION = (
    "Counts of the SIMT machine against the GPU's hardware counters, for every case and quantity; the axes "
    "are logarithmic from 1 and linear below. Filled: unequal; differences of the most accesses are labelled "
    "with their cause."
)
CAPTION_OF_TRAFFIC = (
    " Right: bytes between the GPU and its memory, relative to the vector's, cold, at the largest n of each "
    "claim. Bars: measured; black: range of the cases; orange: predicted."
)


@dataclass(frozen=True)
class Compared:
    """One GPU's counters beside the counts."""

    folder: str
    evidence: list[Evidence]
    cells: pandas.DataFrame
    traffic: pandas.DataFrame
    metrics: pandas.DataFrame | None

    @property
    def machine(self) -> str:
        return self.evidence[0].counters.machine["name"]

    @property
    def stale(self) -> list[str]:
        return [each.claim["id"] for each in self.evidence if each.stale_counters]

    @property
    def code(self) -> dict[str, str]:
        """By claim, whether counts and counters are of the same machine code."""
        return {each.claim["id"]: each.code for each in self.evidence if each.counted}

    @property
    def note(self) -> str:
        return ", partly of other kernels than the times" if self.stale else ""


def write(results: Path, figures: Path) -> None:
    """Nothing is written until everything is made; outdated files are removed."""
    found, stated = compare(results), compare_forms(results)
    made = []
    with plotting.house_style():
        for index, each in enumerate(found):
            stem = NAME if index == 0 else f"{NAME}.{each.folder}"
            made.append((stem, figure(each.cells, each.traffic, each.machine, each.note)))
        for stem, drawn in made:
            plotting.save(drawn, figures / stem)
    texts = csv(found, stated) if found else {}
    kept = {f"{stem}.svg" for stem, _ in made} | texts.keys()
    for path in figures.glob(f"{NAME}*.*"):
        if path.suffix in (".svg", ".csv") and path.name not in kept:
            path.unlink()
    for name, text in texts.items():
        write_text(figures / name, text)
    documents = [describe(each, stem) for each, (stem, _) in zip(found, made, strict=True)]
    said = "" if documents else "No hardware counters have been recorded; make counters records them."
    table = tables.differences(stated, "closed forms")
    about = {
        "tally": tally(stated),
        "causes": causes(stated, OF_COMPILER),
        "tables": [asdict(table)] if table else [],
    }
    write_json(figures / f"{NAME}.json", {"gpus": documents, "forms": about, "text": said})


def compare(results: Path) -> list[Compared]:
    """Each GPU with counters, the reference GPU first; claims in the order of the report."""
    evidence = [each for claim in claims_in(results) for each in load(results, claim) if each.counters]
    evidence.sort(key=lambda each: (each.claim["order"], each.claim["id"]))
    folders = sorted({each.gpu.folder for each in evidence}, key=lambda gpu: (gpu != REFERENCE_GPU, gpu))
    return [
        compare_one(results / folder, [each for each in evidence if each.gpu.folder == folder])
        for folder in folders
    ]


def compare_one(folder: Path, evidence: list[Evidence]) -> Compared:
    compared = [cells(each.counted, each.counters) for each in evidence if each.counted]
    whole = [table for table in compared if len(table)]
    return Compared(
        folder.name,
        evidence,
        pandas.concat(whole, ignore_index=True) if whole else pandas.DataFrame(columns=COLUMNS),
        traffic(evidence),
        candidates(folder, evidence),
    )


def compare_forms(results: Path) -> pandas.DataFrame:
    """Every closed form that a claim states, beside its count; claims in the order of the report."""
    counted = [load(results, claim)[0].counted for claim in claims_in(results)]
    ordered = sorted(
        (each for each in counted if each), key=lambda each: (each.claim["order"], each.claim["id"])
    )
    tables = [table for each in ordered if len(table := forms(each))]
    return pandas.concat(tables, ignore_index=True) if tables else pandas.DataFrame(columns=COLUMNS)


def csv(found: list[Compared], stated: pandas.DataFrame) -> dict[str, str]:
    """The two tables, by file name."""
    counts, listed = [by_quantity(stated).assign(gpu="", code="")], [differing(stated).assign(gpu="")]
    first = found[0].cells
    for each in found:
        is_first = each is found[0]
        summary, cells_of = by_quantity(each.cells), differing(each.cells)
        summary["code"] = summary["claim"].map(each.code)
        counts.append((summary if is_first else unlike(summary, counts[1])).assign(gpu=each.folder))
        listed.append((cells_of if is_first else unlike(cells_of, first)).assign(gpu=each.folder))
    return {
        f"{NAME}.csv": text_of(pandas.concat(counts, ignore_index=True), [*GROUP, "code", *TALLY]),
        f"{NAME}.differ.csv": text_of(pandas.concat(listed, ignore_index=True), COLUMNS),
    }


GROUP = ["claim", "kernel", "quantity", "against"]
TALLY = ("cells", "equal", "explained", "unexplained", "by_order")


def by_quantity(table: pandas.DataFrame) -> pandas.DataFrame:
    """The tally of each claim, kernel and quantity."""
    lines = [
        dict(zip(GROUP, key, strict=True)) | tally(cells) for key, cells in table.groupby(GROUP, sort=False)
    ]
    return pandas.DataFrame(lines, columns=[*GROUP, *TALLY])


def text_of(table: pandas.DataFrame, columns: list[str]) -> str:
    numbers = [name for name in ("counted", "other", "difference", *TALLY) if name in table]
    table[numbers] = table[numbers].astype(float).map(lambda value: f"{value:.0f}")
    return table[["gpu", *columns]].to_csv(index=False, lineterminator="\n")


def unlike(found: pandas.DataFrame, first: pandas.DataFrame) -> pandas.DataFrame:
    """The lines that the first GPU does not have just so."""
    key = list(found.columns)
    known = set(map(tuple, first[key].values))
    return found[[tuple(row) not in known for row in found[key].values]]


def describe(compared: Compared, stem: str) -> dict:
    """Everything that the report prints about one GPU's counters."""
    counters = compared.evidence[0].counters
    drawn_traffic = CAPTION_OF_TRAFFIC if len(compared.traffic) else ""
    found = [
        tables.summary(compared.cells),
        tables.differences(compared.cells, "counters"),
        tables.differing_cells(compared.cells),
        tables.candidates(compared.metrics),
        tables.traffic(compared.traffic),
    ]
    return {
        "folder": compared.folder,
        "machine": counters.machine,
        "provenance": counters.provenance | {"wall_seconds": seconds(compared)},
        "files": [f"{compared.folder}/*{COUNTERS}"],
        "metrics": {
            name: metric for each in compared.evidence for name, metric in each.counters.metrics.items()
        },
        "stale": compared.stale,
        "other_code": [claim for claim, code in compared.code.items() if code != SAME],
        "tally": tally(compared.cells),
        "by_claim": {
            each.claim["id"]: tally(compared.cells[compared.cells["claim"] == each.claim["id"]])
            for each in compared.evidence
        },
        "unmatched": {
            each.claim["id"]: unmatched(each.counted, each.counters)
            for each in compared.evidence
            if each.counted
        },
        "causes": causes(compared.cells, OF_GPU),
        "figure": {"name": stem, "caption": CAPTION + drawn_traffic, "wide": bool(len(compared.traffic))},
        "has_metrics": compared.metrics is not None,
        "has_traffic": bool(len(compared.traffic)),
        "tables": [asdict(table) for table in found if table],
    }


def seconds(compared: Compared) -> float | None:
    """Time taken to read all counters; None if a recording lacks it."""
    each = [evidence.counters.provenance.get("wall_seconds") for evidence in compared.evidence]
    return None if None in each else round(sum(each), 1)


def causes(table: pandas.DataFrame, known: tuple[Cause, ...]) -> list[dict]:
    """The causes proven for at least one cell, and the number of cells."""
    found = table["cause"].value_counts()
    return [
        {"name": cause.name, "sentence": cause.sentence, "cells": int(found[cause.name])}
        for cause in known
        if cause.name in found
    ]
