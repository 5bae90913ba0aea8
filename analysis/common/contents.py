"""All that paper and supplement print, as one dictionary: from results/ and figures/, and nothing else.

What this machine measured is not in it: see local.py.
"""

import os
from collections import Counter
from pathlib import Path

from analysis.common import artifact, bench, differences, peers, time_model, words
from analysis.common.errata import COLUMNS as ERRATA
from analysis.common.errors import EvidenceError
from analysis.common.evidence import read_json
from analysis.common.repeat import MARGIN, repeatability
from analysis.common.report import Section, agreement_of, sections
from analysis.common.rules import RULES
from analysis.common.statistics import LEVEL
from analysis.common.svg_text import as_text
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

GPU_LINES = (
    ("driver", "driver", ""),
    ("CUDA", "cuda", ""),
    ("CUB", "cub", ""),
    ("newest CUB", "cub_newest", ""),
    ("PyTorch", "torch", ""),
    ("CuPy", "cupy", ""),
    ("JAX", "jax", ""),
    ("compiler", "compiler", ""),
    ("flags", "flags", ""),
    ("multiprocessors", "sm_count", ""),
    ("clock", "sm_clock_mhz", " MHz"),
    ("memory clock", "memory_clock_mhz", " MHz"),
    ("memory", "memory_bytes", " bytes"),
    ("second-level cache", "l2_bytes", " bytes"),
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
        "time_model": time_model.contents(figures),
        "log": log_of(figures),
        "has_counters": bool(hardware(figures)),
        "noise": noise(numbers_of(claims, "noise")),
        "launches": launches(numbers_of(claims, "launches")),
        "clocks": clocks(claims),
        "rules": RULES,
        "mutants": bench.mutants(results),
        "hazards": bench.hazards(results),
        "errata": errata(claims),
        "artifact": artifact.contents(results, claims),
    }


def drawings(figures: Path, claims: list[Section]) -> dict[str, str]:
    """Every SVG of the folder, by name, with its words as text."""
    found = {path.stem: as_text(path.read_text("utf-8")) for path in sorted(figures.glob("*.svg"))}
    named = {
        each["name"] for section in claims for document in section.documents for each in document["figures"]
    }
    if missing := sorted(named - set(found)):
        raise EvidenceError(f"{figures}/{missing[0]}.svg: missing; run make figures")
    return found


def section_of(section: Section, results: Path, figures: Path) -> dict:
    """A claim with its documents; each says where prediction, count and counter differ."""
    claim = {
        name: words.raised(said) if isinstance(said, str) else said for name, said in section.claim.items()
    }
    return {
        "claim": claim | {"rules": rules_of(claim["fails_if"])},
        "documents": [
            each | {"differences": differences.of(each, results, figures)} for each in section.documents
        ],
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


def machine_of(claims: list[Section], part: str) -> dict | None:
    return next((about for each in claims if (about := each.documents[0]["machines"][part])), None)


def gpus(claims: list[Section]) -> list[dict]:
    """Each GPU with times in the report, once, as its first results describe it; other results add what these
    do not say, such as the newest CUB."""
    found = {}
    for section in claims:
        for document in section.documents:
            if about := document["machines"]["timed"]:
                first = found.setdefault(about["file"].split("/")[0], dict(about))
                first["machine"] = about["machine"] | {k: v for k, v in first["machine"].items() if v}
    return list(found.values())


def gpu_rows(machines: list[dict]) -> list[list[str]]:
    """The table of GPUs, without the lines that none of them has."""
    rows = []
    for name, key, unit in GPU_LINES:
        known = [
            (each["machine"] | each["provenance"] | each.get("libraries", {})).get(key) for each in machines
        ]
        if any(known):
            said = [f"{each:,}{unit}" if isinstance(each, int) else each or words.NOTHING for each in known]
            rows.append([name, *said])
    return rows


def wavefronts(results: Path, machines: list[dict]) -> dict | None:
    """The GPU whose counters the rule for wavefronts was fitted to, and the number of requests."""
    for machine in machines:
        path = results / machine["file"].split("/")[0] / "wavefronts.csv"
        if path.exists():
            return {"machine": machine["machine"]["name"], "requests": len(path.read_text().splitlines()) - 1}
    return None


def hardware(figures: Path) -> list[dict]:
    """The contents of figures/agreement.json for each GPU with counters, with numbers as printed."""
    found = []
    for gpu in agreement_of(figures):
        tally = {key: words.integer(value) for key, value in gpu["tally"].items()}
        causes = [cause | {"cells": words.plural(cause["cells"], "cell")} for cause in gpu["causes"]]
        missing = sum(len(each["not_profiled"]) for each in gpu["unmatched"].values())
        printed = {
            "tally": tally,
            "causes": causes,
            "not_profiled": words.integer(missing) if missing else "",
        }
        unexplained = bool(gpu["tally"]["unexplained"])
        printed |= {"stale": words.listing([f"`{claim}`" for claim in gpu["stale"]])}
        found.append(gpu | printed | {"has_unexplained": unexplained})
    return found


def log_of(figures: Path) -> dict | None:
    """The document of `python -m analysis --log`; None if no log was kept."""
    path = figures / "log.json"
    found = read_json(path) if path.exists() else {"rounds": 0}
    return found if found["rounds"] else None


def numbers_of(claims: list[Section], claim: str) -> dict:
    """The numbers of a claim that the method section quotes; none without that claim."""
    return next((each.documents[0]["numbers"] for each in claims if each.claim["id"] == claim), {})


def noise(numbers: dict) -> dict | None:
    if "floors" not in numbers:
        return None
    floors = numbers["floors"].values()
    share = {name: f"{end(floors) - 1:.1%}" for name, end in (("least", min), ("most", max))}
    return share | {key: words.integer(numbers[key]) for key in ("pairs", "overlapping")}


def launches(numbers: dict) -> dict | None:
    keys = ("launch_us", "first_us")
    return {key: words.significant(numbers[key]) for key in keys} if all(map(numbers.get, keys)) else None


def clocks(claims: list[Section]) -> dict | None:
    """Clocks measured with the samples of the first GPU, over all claims; None if not measured."""
    timed = [about for each in claims if (about := each.documents[0]["machines"]["timed"])]
    samples = [about["samples"] for about in timed if about.get("samples")]
    if not samples:
        return None
    ends = [clock for each in samples for clock in each["clock_mhz"]]
    counts = {key: sum(each[key] for each in samples) for key in ("kept", "discarded", "kept_slow")}
    thresholds = [(about["machine"] | about["provenance"]).get("sm_clock_threshold_mhz") for about in timed]
    threshold = next(filter(None, thresholds), None)
    printed = {"low": min(ends), "high": max(ends), "threshold": threshold} | counts
    return {key: words.integer(value) if value else "" for key, value in printed.items()}


def repeated(results: Path) -> dict | None:
    found = repeatability(results)
    return found and {
        "claims": words.small(found["claims"]),
        "cases": words.integer(found["cases"]),
        "agree": words.integer(found["agree"]),
        "margin": f"{MARGIN:.0%}",
        "most": f"{found['most'] - 1:.0%}",
        "nine_of_ten": f"{found['nine_of_ten'] - 1:.1%}",
    }
