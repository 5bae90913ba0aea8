"""All that paper and supplement print, as one dictionary: from results/ and figures/, and nothing else.

What this machine measured is not in it: see local.py.
"""

import os
from collections import Counter
from pathlib import Path

from analysis.common import artifact, bench, differences, peers, samples, time_model, words
from analysis.common.errata import COLUMNS as ERRATA
from analysis.common.errors import EvidenceError
from analysis.common.files import read_json
from analysis.common.recorded_on import (
    clocks,
    gpu_rows,
    gpus,
    launches,
    machine_of,
    noise,
    numbers_of,
    wavefronts,
)
from analysis.common.repeat import MARGIN, least, repeatability
from analysis.common.report import Section, agreement_of, forms_of, sections
from analysis.common.statistics import LEVEL
from analysis.common.verdict import (
    CONFIRMED,
    EXPLAINED,
    NO,
    NO_CLAIM,
    NOT_COUNTED,
    NOT_MEASURED,
    ONLY_WHERE,
    REFUTED,
    YES,
    rules_of,
)


def contents(results: Path, figures: Path) -> dict:
    claims = sections(figures)
    return {
        "figures": os.path.abspath(figures),
        "present": sorted(path.name for path in figures.glob("*.json")),
        "drawings": drawings(figures, claims),
        "claims": [section_of(each, results, figures) for each in claims],
        "how_many": words.small(len(claims)),
        "tally": tally(claims),
        "answers": EXPLAINED,
        "gpus": gpus(claims),
        "gpus_in_words": words.listing(
            [words.with_article(each["machine"]["name"]) for each in gpus(claims)]
        ),
        "gpu_rows": gpu_rows([each | peers.versions(results, each) for each in gpus(claims)]),
        "simt": machine_of(claims, "counted"),
        "confidence": f"{LEVEL:.0%}",
        "wavefronts": wavefronts(results, gpus(claims)),
        "repeat": repeated(results),
        "hardware": hardware(figures),
        "forms": printed(forms_of(figures)),
        "time_model": time_model.contents(figures),
        "further_gpus": further_gpus(figures),
        "how_many_gpus": words.small(1 + len(further_gpus(figures))).capitalize(),
        "log": log_of(figures),
        "has_counters": bool(hardware(figures)),
        "noise": noise(numbers_of(claims, "noise")),
        "launches": launches(numbers_of(claims, "launches")),
        "clocks": clocks(claims),
        "mutants": bench.mutants(results),
        "hazards": bench.hazards(results),
        "suites": bench.suites(results),
        "samples": samples.contents(results),
        "errata": errata(claims),
        "artifact": artifact.contents(results, claims),
    }


def drawings(figures: Path, claims: list[Section]) -> dict[str, str]:
    """Every SVG of the folder, by name."""
    found = {path.stem: path.read_text("utf-8") for path in sorted(figures.glob("*.svg"))}
    named = {
        each["name"] for section in claims for document in section.documents for each in document["figures"]
    }
    if missing := sorted(named - set(found)):
        raise EvidenceError(f"{figures}/{missing[0]}.svg: missing; run make figures")
    return found


def section_of(section: Section, results: Path, figures: Path) -> dict:
    """A claim with the first GPU's document, which says where prediction, count and counter differ."""
    first = section.documents[0]
    claim = {
        name: words.raised(said) if isinstance(said, str) else said for name, said in section.claim.items()
    }
    return {
        "claim": claim | {"rules": rules_of(claim["fails_if"])},
        "documents": [first | {"differences": differences.of(first, results, figures)}],
    }


def errata(claims: list[Section]) -> dict | None:
    """The table of errors in the notes, of whichever claim has it."""
    tables = [table for each in claims for table in each.documents[0]["tables"]]
    return next((table for table in tables if table["columns"] == list(ERRATA)), None)


def tally(claims: list[Section]) -> str:
    """How many claims have each answer, in words."""
    verdicts = [section.documents[0]["verdict"] for section in claims]

    def said(question: str, names: dict[str, str]) -> str:
        found = Counter(verdict[question] for verdict in verdicts)
        return words.listing(
            [f"{name} {words.small(found[each])}" for each, name in names.items() if found[each]]
        )

    counts = said("count", {CONFIRMED: "confirmed in", REFUTED: "refuted in", NOT_COUNTED: "missing in"})
    names = {YES: "everywhere in", NO: "nowhere in", ONLY_WHERE: "only in some places in"}
    names |= {NO_CLAIM: "is not claimed in", NOT_MEASURED: "was not measured in"}
    return f"the count is {counts}, and the speed follows {said('speed', names)}"


def hardware(figures: Path) -> list[dict]:
    """The contents of figures/agreement.json for each GPU with counters, with numbers as printed."""
    found = []
    for gpu in agreement_of(figures):
        missing = sum(len(each["not_profiled"]) for each in gpu["unmatched"].values())
        said = {
            "not_profiled": words.integer(missing) if missing else "",
            "stale": words.listing([f"`{claim}`" for claim in gpu["stale"]]),
            "other_code": words.listing([f"`{claim}`" for claim in gpu["other_code"]]),
            "has_unexplained": bool(gpu["tally"]["unexplained"]),
        }
        found.append(printed(gpu) | said)
    return found


def printed(compared: dict) -> dict:
    """Tally and causes of a comparison as they are printed."""
    tally = {key: words.integer(value) for key, value in compared["tally"].items()}
    causes = [cause | {"cells": words.plural(cause["cells"], "cell")} for cause in compared["causes"]]
    return compared | {"tally": tally, "causes": causes}


def further_gpus(figures: Path) -> list[dict]:
    """What `python -m analysis --gpus` says of each GPU beside the first."""
    path = figures / "gpus.json"
    return read_json(path)["gpus"] if path.exists() else []


def log_of(figures: Path) -> dict | None:
    """The document of `python -m analysis --log`; None if no log was kept."""
    path = figures / "log.json"
    found = read_json(path) if path.exists() else {"rounds": 0}
    return found if found["rounds"] else None


def repeated(results: Path) -> dict | None:
    found = repeatability(results)
    if not found:
        return None
    claim, worst = least(results)
    return {
        "claims": words.small(found["claims"]),
        "cases": words.integer(found["cases"]),
        "agree": words.integer(found["agree"]),
        "margin": f"{MARGIN:.0%}",
        "most": f"{found['most'] - 1:.0%}",
        "nine_of_ten": f"{found['nine_of_ten'] - 1:.1%}",
        "least": {
            "claim": claim,
            "agree": words.integer(worst["agree"]),
            "cases": words.integer(worst["cases"]),
            "nine_of_ten": f"{worst['nine_of_ten'] - 1:.0%}",
        },
    }
