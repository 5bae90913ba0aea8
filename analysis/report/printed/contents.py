"""All that paper and supplement print, as one dictionary: from results/ and figures/, and nothing else.

What this machine measured is not in it: see local.py.
"""

import os
from collections import Counter
from pathlib import Path

import pandas

from analysis.core import words
from analysis.core.agreement import COLUMNS, differing, forms, name_of
from analysis.core.errors import EvidenceError
from analysis.core.files import read_csv, read_json
from analysis.core.loading import read
from analysis.core.prose import told
from analysis.core.statistics import LEVEL
from analysis.core.verdict import rules_of
from analysis.report.printed import architectures, bench, compiler, generations, museum, recorded_on, samples
from analysis.report.sections import Section, agreement_of, forms_of, sections
from experiments.block.worked_examples.errata import COLUMNS as ERRATA
from experiments.fast import peers


def contents(results: Path, figures: Path) -> dict:
    claims, hardware = sections(figures), [printed(each) for each in agreement_of(figures)]
    timed, log = recorded_on.gpus(claims), read_json(figures / "log.json", {})
    further = further_gpus(figures)
    verdicts = [section.documents[0]["verdict"] for section in claims]
    return {
        "figures": os.path.abspath(figures),
        "present": sorted(path.name for path in figures.glob("*.json")),
        "drawings": drawings(figures, claims),
        "claims": [section_of(each, results, figures) for each in claims],
        "how_many": words.small(len(claims)),
        "tally": {part: Counter(each[part] for each in verdicts) for part in ("count", "speed")},
        "answers": told("answers"),
        "gpus": [each | peers.versions(results, each) for each in timed],
        "gpus_in_words": words.listing([words.with_article(each["machine"]["name"]) for each in timed]),
        "simt": recorded_on.machine_of(claims, "counted"),
        "confidence": f"{LEVEL:.0%}",
        "wavefronts": recorded_on.wavefronts(results, timed),
        "repeat": repeated(results),
        "hardware": hardware,
        "forms": printed(forms_of(figures)),
        "further_gpus": further,
        "how_many_gpus": words.small(1 + len(further)).capitalize(),
        "log": log if log.get("rounds") else None,
        "noise": recorded_on.numbers_of(claims, "noise") or None,
        "launches": recorded_on.numbers_of(claims, "launches") or None,
        "clocks": recorded_on.clocks(claims),
        "mutants": bench.mutants(results),
        "hazards": bench.hazards(results),
        "suites": bench.suites(results),
        "museum": museum.contents(),
        "samples": samples.contents(results),
        "generations": generations.contents(results),
        "architectures": architectures.contents(results),
        "compiler": compiler.contents(results),
        "errata": errata(claims),
        "artifact": recorded_on.artifact(results, claims),
    }


def drawings(figures: Path, claims: list[Section]) -> dict[str, str]:
    """Every SVG of the folder, by name: those of the first GPU, and of all GPUs together."""
    found = {path.stem: path.read_text("utf-8") for path in sorted(figures.glob("*.svg"))}
    named = {each["name"] for section in claims for each in section.documents[0]["figures"]}
    if missing := sorted(named - set(found)):
        raise EvidenceError(f"{figures}/{missing[0]}.svg: missing; run make figures")
    return found


def section_of(section: Section, results: Path, figures: Path) -> dict:
    """A claim with the first GPU's document, which says where prediction, count and counter differ."""
    first, claim = section.documents[0], section.claim
    raised = {name: words.raised(said) if isinstance(said, str) else said for name, said in claim.items()}
    return {
        "claim": raised | {"rules": rules_of(raised["fails_if"])},
        "documents": [first | {"differences": differences(first, results, figures)}],
    }


def errata(claims: list[Section]) -> dict | None:
    """The table of errors in the notes, of whichever claim has it."""
    tables = [table for each in claims for table in each.documents[0]["tables"]]
    return next((table for table in tables if table["columns"] == list(ERRATA)), None)


def printed(compared: dict) -> dict:
    """A comparison of counts, of a GPU or of closed forms, with its numbers as they are printed."""
    missing, causes = compared.get("not_profiled"), compared["causes"]
    lists = {key: [f"`{claim}`" for claim in compared.get(key, [])] for key in ("stale", "other_code")}
    return {
        **compared,
        "tally": {key: words.integer(value) for key, value in compared["tally"].items()},
        "causes": [cause | {"cells": words.plural(cause["cells"], "cell")} for cause in causes],
        "not_profiled": words.integer(missing) if missing else "",
        **{key: words.listing(claims) for key, claims in lists.items()},
    }


def further_gpus(figures: Path) -> list[dict]:
    """What `python -m analysis --gpus` says of each GPU beside the first."""
    return read_json(figures / "gpus.json", {}).get("gpus", [])


def repeated(results: Path) -> dict | None:
    found = recorded_on.repeatability(results)
    if not found:
        return None
    claim, worst = recorded_on.least(results)
    every, own = ({name: words.integer(of[name]) for name in ("cases", "agree")} for of in (found, worst))
    every |= {"claims": words.small(found["claims"]), "margin": f"{recorded_on.MARGIN:.0%}"}
    every |= {"most": f"{found['most'] - 1:.0%}", "nine_of_ten": f"{found['nine_of_ten'] - 1:.1%}"}
    own |= {"claim": claim, "nine_of_ten": f"{worst['nine_of_ten'] - 1:.0%}"}
    return every | {"least": own}


def differences(document: dict, results: Path, figures: Path) -> dict:
    """Where a claim's count differs from its closed form or the GPU's counter; what is equal is not listed.

    `cells`: all cells with a hardware counter; `groups`: those that differ, by cause."""
    counts, counters = document["machines"]["counted"], document["machines"]["counters"]
    stated, path, groups = document["agreement"], figures / "agreement.differ.csv", []
    if counts and stated["equal"] != stated["stated"]:
        groups += by_cause(differing(forms(read(results / counts["file"]))), "predicted")
    if counters and path.exists():
        cells, gpu = read_csv(path, ("gpu", *COLUMNS)), counters["file"].split("/")[0]
        own = cells[(cells["gpu"] == gpu) & (cells["claim"] == document["claim"]["id"])]
        groups += by_cause(own, "GPU")
    return {"cells": words.integer((stated["hardware"] or {"cells": 0})["cells"]), "groups": groups}


def by_cause(cells: pandas.DataFrame, other: str) -> list[dict]:
    found = []
    for cause, group in cells.groupby("cause", sort=False):
        groups = group.groupby("quantity", sort=False)
        rows = [[name_of(of), words.plural(len(some), "case"), *widest(some)] for of, some in groups]
        found.append({"other": other, "cause": told(f"cause: {cause}") or f"{cause}.", "rows": rows})
    return found


def widest(cells: pandas.DataFrame) -> list[str]:
    """Count and other number of the cell that differs most, relative to its count."""
    cell = cells.loc[(cells["difference"].abs() / cells["counted"].clip(lower=1)).idxmax()]
    return [words.integer(cell["counted"]), words.integer(cell["other"])]
