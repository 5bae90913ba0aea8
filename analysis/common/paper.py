"""Typeset paper/paper.typ. All its numbers come in as one JSON text, made here from the figures folder."""

import json
import os
from pathlib import Path

import typst

from analysis.common import words
from analysis.common.errors import EvidenceError
from analysis.common.evidence import read_json
from analysis.common.repeat import MARGIN, repeatability
from analysis.common.report import Section, sections
from analysis.common.statistics import LEVEL
from analysis.common.verdict import STATUSES
from analysis.common.writing import write_with

GPU_LINES = (
    ("driver", "driver", ""),
    ("CUDA", "cuda", ""),
    ("CUB", "cub", ""),
    ("compiler", "compiler", ""),
    ("flags", "flags", ""),
    ("multiprocessors", "sm_count", ""),
    ("clock", "sm_clock_mhz", " MHz"),
    ("memory clock", "memory_clock_mhz", " MHz"),
    ("memory", "memory_bytes", " bytes"),
    ("second-level cache", "l2_bytes", " bytes"),
)


def typeset(source: Path, target: Path, results: Path, figures: Path, build: Path) -> None:
    data = json.dumps(contents(results, figures, build), ensure_ascii=False)
    try:
        pdf = typst.compile(source, root="/", ignore_system_fonts=True, sys_inputs={"report": data})
    except typst.TypstError as error:
        raise EvidenceError(f"{source}: Typst says: {' '.join(str(error).split())}") from error
    write_with(target, lambda temporary: temporary.write_bytes(pdf))


def contents(results: Path, figures: Path, build: Path) -> dict:
    """Everything the paper prints."""
    claims = sections(figures)
    return {
        "figures": os.path.abspath(figures),
        "claims": [section_of(each, build) for each in claims],
        "how_many": words.small(len(claims)),
        "tally": tally(claims),
        "gpus": gpus(claims),
        "gpus_in_words": words.listing(
            [words.with_article(each["machine"]["name"]) for each in gpus(claims)]
        ),
        "gpu_rows": [gpu_row(gpus(claims), *line) for line in GPU_LINES],
        "simt": machine_of(claims, "counted"),
        "confidence": f"{LEVEL:.0%}",
        "wavefronts": wavefronts(results, gpus(claims)),
        "speed": speed(build / "simt-speed.json"),
        "repeat": repeated(results),
        "agreement": {
            key: words.integer(sum(each.documents[0]["agreement"][key] for each in claims))
            for key in ("stated", "equal")
        },
    }


def section_of(section: Section, build: Path) -> dict:
    times = build / "times" / f"{section.claim['id']}.json"
    seconds = read_json(times).get("seconds") if times.exists() else None
    return {"claim": section.claim, "documents": section.documents, "counting_seconds": seconds}


def tally(claims: list[Section]) -> str:
    """How many claims got which verdict, in words."""
    verdicts = [section.documents[0]["verdict"]["status"] for section in claims]
    said = [
        f"{words.small(verdicts.count(status))} {agree(status, verdicts.count(status))}"
        for status in STATUSES
        if status in verdicts
    ]
    return words.listing(said)


def agree(status: str, count: int) -> str:
    verb, *rest = status.split()
    plural = {"holds": "hold", "fails": "fail", "not": "were not"}
    return " ".join([{"not": "was not"}.get(verb, verb) if count == 1 else plural[verb], *rest])


def machine_of(claims: list[Section], part: str) -> dict | None:
    return next((about for each in claims if (about := each.documents[0]["machines"][part])), None)


def gpus(claims: list[Section]) -> list[dict]:
    """Each GPU with times in the report, once, as its first results describe it."""
    found = {}
    for section in claims:
        for document in section.documents:
            if about := document["machines"]["timed"]:
                found.setdefault(about["file"].split("/")[0], about)
    return list(found.values())


def gpu_row(machines: list[dict], name: str, key: str, unit: str) -> list[str]:
    """One line of the table of GPUs."""
    known = [(each["machine"] | each["provenance"]).get(key) for each in machines]
    return [name] + [
        f"{value:,}{unit}" if isinstance(value, int) else value or words.NOTHING for value in known
    ]


def wavefronts(results: Path, machines: list[dict]) -> dict | None:
    """The GPU whose counters the rule for wavefronts was compared with, and for how many requests."""
    for machine in machines:
        path = results / machine["file"].split("/")[0] / "wavefronts.csv"
        if path.exists():
            return {"machine": machine["machine"]["name"], "requests": len(path.read_text().splitlines()) - 1}
    return None


def repeated(results: Path) -> dict | None:
    found = repeatability(results)
    return found and {
        "cases": words.integer(found["cases"]),
        "agree": words.integer(found["agree"]),
        "margin": f"{MARGIN:.0%}",
        "most": f"{found['most'] - 1:.0%}",
        "nine_of_ten": f"{found['nine_of_ten'] - 1:.1%}",
    }


def speed(path: Path) -> str:
    """What the SIMT machine's own benchmark says, if it was run on this machine; Google Benchmark's JSON."""
    if not path.exists():
        return ""
    document = read_json(path)
    rates = [row["lane_steps_per_second"] / 1e6 for row in document["benchmarks"]]
    cores = words.plural(document["context"]["num_cpus"], "core")
    span = f"{words.integer(min(rates))} to {words.integer(max(rates))}"
    return (
        f"On the {cores} of the machine that typeset this report it takes {span} million lane-steps a second"
    )
