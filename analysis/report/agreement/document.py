"""figures/agreement.*: the figure, the tables (.csv), and what the report prints (.json).

agreement.csv counts the cells by claim, kernel and quantity, and says whether counts and counters are of the
same machine code; agreement.differ.csv has each cell that differs. Equal cells are not listed: the recordings
have them. A second GPU gets a figure of its own, build/figures/agreement.<gpu>.svg. The document covers all
GPUs; the tables have of further GPUs what is not as on the first.
"""

from dataclasses import dataclass
from pathlib import Path

import pandas

from analysis.core import plotting
from analysis.core.agreement import (
    COLUMNS,
    cells,
    compared,
    differing,
    forms,
    name_of,
    not_profiled,
    tally,
)
from analysis.core.causes import OF_COMPILER, OF_GPU, Cause
from analysis.core.evidence import SAME, Evidence
from analysis.core.files import claims_in
from analysis.core.loading import REFERENCE_GPU, load
from analysis.core.prose import told
from analysis.core.writing import write_json, write_text
from analysis.report.agreement.drawing import figure, signed
from analysis.report.agreement.metrics import candidates
from analysis.report.agreement.traffic import by_kernel, traffic

NAME = "agreement"
GROUP = ["claim", "kernel", "quantity", "against"]
TALLY = ["cells", "equal", "explained", "unexplained", "by_order"]
SHOWN = {  # a column of the summary by kernel, and its quantities
    "warp_instructions": ("warp_instructions",),
    "thread_instructions": ("thread_instructions", "thread_instructions_pred_on"),
    "branches": ("branches", "divergent_branches"),
    "operations": ("ops",),
    "requests": ("shared_load_requests", "shared_store_requests"),
    "wavefronts": ("shared_load_wavefronts", "shared_store_wavefronts", "bank_conflicts"),
    "sectors": ("global_load_sectors", "global_store_sectors"),
    "bulk": ("bulk_bytes_loaded", "bulk_bytes_stored"),
    "others": ("barriers", "launches"),
}


@dataclass(frozen=True)
class Compared:
    """One GPU's counters beside the counts."""

    folder: str
    evidence: list[Evidence]
    cells: pandas.DataFrame
    traffic: pandas.DataFrame
    metrics: list[dict]

    @property
    def stale(self) -> list[str]:
        return [each.claim["id"] for each in self.evidence if each.stale_counters]

    @property
    def code(self) -> dict[str, str]:
        """By claim, whether counts and counters are of the same machine code."""
        return {each.claim["id"]: each.code for each in self.evidence}


def write(results: Path, figures: Path) -> None:
    """Nothing is written until everything is made; outdated files are removed."""
    found, stated = compare(results), compare_forms(results)
    stems = [NAME, *(f"{NAME}.{each.folder}" for each in found[1:])]
    documents = [describe(each, stem) for each, stem in zip(found, stems, strict=False)]
    with plotting.house_style():
        drawn = {}
        for stem, of in zip(stems, found, strict=False):
            gpu = of.evidence[0].counters.machine["name"]
            drawn[stem] = figure(of.cells, of.traffic, gpu, bool(of.stale))
    shown = {NAME: drawn.pop(NAME)} if drawn else {}
    plotting.save_all(shown, figures, f"{NAME}*.svg")
    plotting.save_all(drawn, plotting.not_shown(figures), f"{NAME}*.svg")
    texts = csv(found, stated) if found else {}
    for path in {path for path in figures.glob(f"{NAME}*.csv") if path.name not in texts}:
        path.unlink()
    for name, text in texts.items():
        write_text(figures / name, text)
    of_forms = {"tally": tally(stated), "causes": causes(stated, OF_COMPILER)}
    of_forms |= {"differences": differences(stated)}
    write_json(figures / f"{NAME}.json", {"gpus": documents, "forms": of_forms})


def compare(results: Path) -> list[Compared]:
    """Each GPU with counters, the reference GPU first; claims in the order of the report."""
    evidence = [each for claim in claims_in(results) for each in load(results, claim)]
    evidence = [each for each in ordered(evidence) if each.counted and each.counters]
    folders = sorted({each.gpu.folder for each in evidence}, key=lambda gpu: (gpu != REFERENCE_GPU, gpu))
    found = []
    for folder in folders:
        own = [each for each in evidence if each.gpu.folder == folder]
        table = joined([cells(each.counted, each.counters) for each in own])
        found.append(Compared(folder, own, table, traffic(own), candidates(results / folder, own)))
    return found


def compare_forms(results: Path) -> pandas.DataFrame:
    """Every closed form that a claim states, beside its count; claims in the order of the report."""
    evidence = ordered([load(results, claim)[0] for claim in claims_in(results)])
    return joined([forms(each.counted) for each in evidence if each.counted])


def ordered(evidence: list[Evidence]) -> list[Evidence]:
    return sorted(evidence, key=lambda each: (each.claim["order"], each.claim["id"]))


def joined(tables: list[pandas.DataFrame]) -> pandas.DataFrame:
    tables = [table for table in tables if len(table)]
    return pandas.concat(tables, ignore_index=True) if tables else pandas.DataFrame(columns=COLUMNS)


def csv(found: list[Compared], stated: pandas.DataFrame) -> dict[str, str]:
    """The two tables, by file name."""
    counts, listed = [by_quantity(stated).assign(gpu="", code="")], [differing(stated).assign(gpu="")]
    first = found[0].cells
    for each in found:
        summary, cells_of = by_quantity(each.cells), differing(each.cells)
        summary["code"] = summary["claim"].map(each.code)
        if each is not found[0]:
            summary, cells_of = unlike(summary, counts[1]), unlike(cells_of, first)
        counts.append(summary.assign(gpu=each.folder))
        listed.append(cells_of.assign(gpu=each.folder))
    return {
        f"{NAME}.csv": text_of(pandas.concat(counts, ignore_index=True), [*GROUP, "code", *TALLY]),
        f"{NAME}.differ.csv": text_of(pandas.concat(listed, ignore_index=True), COLUMNS),
    }


def by_quantity(table: pandas.DataFrame) -> pandas.DataFrame:
    """The tally of each claim, kernel and quantity."""
    groups = table.groupby(GROUP, sort=False)
    lines = [dict(zip(GROUP, key, strict=True)) | tally(cells) for key, cells in groups]
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
    counters, has_traffic = compared.evidence[0].counters, len(compared.traffic) > 0
    seconds = [each.counters.provenance.get("wall_seconds") for each in compared.evidence]
    wall_seconds = None if None in seconds else round(sum(seconds), 1)
    caption = told("agreement: caption", traffic=has_traffic)
    kernels = by_kernel(compared.traffic).astype(object)
    return {
        "folder": compared.folder,
        "machine": counters.machine,
        "provenance": counters.provenance | {"wall_seconds": wall_seconds},
        "stale": compared.stale,
        "other_code": [claim for claim, code in compared.code.items() if code != SAME],
        "tally": tally(compared.cells),
        "not_profiled": sum(len(not_profiled(each.counted, each.counters)) for each in compared.evidence),
        "causes": causes(compared.cells, OF_GPU),
        "figure": {"name": stem, "caption": caption, "wide": has_traffic},
        "kernels": by_group(compared.cells),
        "differences": differences(compared.cells),
        "metrics": compared.metrics,
        "traffic": kernels.where(kernels.notna(), None).to_dict("records"),
    }


def by_group(table: pandas.DataFrame) -> dict[str, dict]:
    """By kernel and column of the summary: cells, equal ones, and those that depend on the order."""
    found, columns = {}, SHOWN | {"all": tuple(table["quantity"])}
    for kernel, of_kernel in table.groupby("kernel", sort=False):
        own = {name: of_kernel[of_kernel["quantity"].isin(each)] for name, each in columns.items()}
        tallies = {name: tally(cells) for name, cells in own.items() if len(cells)}
        kept = ("cells", "equal", "by_order")
        found[kernel] = {name: {key: of[key] for key in kept} for name, of in tallies.items()}
    return found


def differences(table: pandas.DataFrame) -> list[dict]:
    """The kernels and quantities in which some cell differs: equal cells, and the widest difference."""
    rows = []
    for (kernel, quantity), own in compared(table).groupby(["kernel", "quantity"], sort=False):
        found = differing(own)
        if len(found):
            relative = found["difference"] / found["counted"].clip(lower=1)
            widest = signed(relative[relative.abs().idxmax()])
            rows.append({"kernel": kernel, "quantity": name_of(quantity), "widest": widest})
            rows[-1] |= {"causes": found["cause"].unique().tolist(), "cells": len(own)}
            rows[-1] |= {"equal": len(own) - len(found)}
    return rows


def causes(table: pandas.DataFrame, known: tuple[Cause, ...]) -> list[dict]:
    """The causes proven for at least one cell, and the number of cells."""
    found = table["cause"].value_counts()
    return [
        {"name": cause.name, "sentence": cause.sentence, "cells": int(found[cause.name])}
        for cause in known
        if cause.name in found
    ]
