"""Turn one claim's results into figures/<claim>.svg and .json.

A second GPU gets its own files, figures/<claim>.<gpu>.*; those of the first do not change.
"""

import importlib
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType

from matplotlib.figure import Figure

from analysis.agreement.cells import tally_of
from analysis.common import plotting
from analysis.common.errors import EvidenceError
from analysis.common.evidence import Evidence, Results, predictions
from analysis.common.tables import COUNTERS, Table
from analysis.common.thresholds import by_threshold
from analysis.common.writing import as_json, write_text
from analysis.model.causes import cause_of

ANALYSES = Path(__file__).parents[1]
GUIDE = "docs/adding-an-experiment.md"
PARTS = ("verdict", "figure")  # what an analysis defines; cause, tables, text, drawings, numbers may be added


@dataclass(frozen=True)
class Drawing:
    """A further figure of a claim, written to figures/<claim>.<name>.svg."""

    name: str
    figure: Figure
    caption: str


def has_analysis(claim: str) -> bool:
    return (ANALYSES / f"{claim}.py").is_file()


def analysis_of(claim: str) -> ModuleType:
    if not has_analysis(claim):
        raise EvidenceError(
            f"analysis/{claim}.py: missing; write it, beside experiments/{claim}.cu (see {GUIDE})"
        )
    with faults_of(claim):
        module = importlib.import_module(f"analysis.{claim}")
    lacking = [part for part in PARTS if not hasattr(module, part)]
    if lacking:
        raise EvidenceError(
            f"analysis/{claim}.py: does not define {', '.join(lacking)}; add it (see {GUIDE})"
        )
    return module


@contextmanager
def faults_of(claim: str) -> Iterator[None]:
    """Any exception of a claim's analysis as one line that names the line to mend."""
    try:
        yield
    except EvidenceError:
        raise
    except Exception as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        hint = "; a count or time is None if no case has that quantity and those levels"
        raise EvidenceError(
            f"{place_of(claim, error)}: {what}{hint if 'NoneType' in what else ''}; mend it "
            f"(whole traceback: .venv/bin/python -m analysis {claim} --traceback)"
        ) from error


def place_of(claim: str, error: Exception) -> str:
    """File and line in which the error arose, if possible in the claim's analysis."""
    source = ANALYSES / f"{claim}.py"
    if isinstance(error, SyntaxError) and error.filename == str(source):
        return f"analysis/{claim}.py:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(source)]
    if lines:
        return f"analysis/{claim}.py:{lines[-1]}"
    return f"{frames[-1].filename}:{frames[-1].lineno}"


def render(claim: str, found: list[Evidence], figures: Path, more: dict | None = None) -> list[dict]:
    """Draw and judge a claim by the evidence of each GPU. `more` goes into the documents, which are returned.

    Nothing is written until everything is made. Outdated files of the claim, such as those of a GPU without
    results, are removed.
    """
    module = analysis_of(claim)
    made = []
    with plotting.house_style(), faults_of(claim):
        for index, evidence in enumerate(found):
            stem = claim if index == 0 else f"{claim}.{evidence.gpu.folder}"
            made.append((stem, evidence, drawings_of(module, evidence, stem)))
        limits = cause_of(figures, claim)
        documents = [
            document(module, evidence, drawings, limits) | (more or {}) for _, evidence, drawings in made
        ]
        texts = [as_json(each) for each in documents]
    with plotting.house_style():
        for _, _, drawings in made:
            for drawing in drawings:
                plotting.save(drawing.figure, figures / drawing.name)
    for (stem, _, _), text in zip(made, texts, strict=True):
        write_text(figures / f"{stem}.json", text)
    made_here = {drawing.name for _, _, drawings in made for drawing in drawings}
    for path in figures.glob(f"{claim}.*.*"):
        if path.stem not in made_here:
            path.unlink()
    return documents


def drawings_of(module: ModuleType, evidence: Evidence, stem: str) -> list[Drawing]:
    """The claim's figure and, for its first GPU, its further ones; with the names of their files."""
    caption = getattr(module, "CAPTION", evidence.claim["title"] + ".")
    drawings = [Drawing(stem, module.figure(evidence), caption)]
    if stem == evidence.claim["id"] and hasattr(module, "drawings"):
        drawings += [
            Drawing(f"{stem}.{each.name}", each.figure, each.caption) for each in module.drawings(evidence)
        ]
    return drawings


def document(module: ModuleType, evidence: Evidence, drawings: list[Drawing], limits: list[str]) -> dict:
    """All that the report prints about a claim on one GPU. limits: what the model says of its cause."""

    def part(name: str, otherwise):
        return getattr(module, name, lambda _: otherwise)(evidence)

    return {
        "claim": evidence.claim,
        "question": getattr(module, "QUESTION", ""),
        "machines": {
            "counted": about(evidence.counted),
            "timed": about(evidence.timed),
            "counters": about(evidence.counters),
        },
        "stale_counters": evidence.stale_counters,
        "agreement": agreement(evidence),
        "verdict": asdict(module.verdict(evidence)),
        "thresholds": by_threshold(module.verdict, evidence),
        "cause": part("cause", []) + limits,
        "figures": [
            {
                "name": each.name,
                "caption": each.caption,
                "wide": bool(each.figure.get_figwidth() > plotting.NARROW),
            }
            for each in drawings
        ],
        "tables": [marked(table, evidence) for table in part("tables", [])],
        "text": part("text", []),
        "numbers": part("numbers", {}),
    }


def marked(table: Table, evidence: Evidence) -> dict:
    """The table; if it shows counters of other kernels than those timed, its caption says so."""
    stale = table.source == COUNTERS and evidence.stale_counters
    note = " Counters: of other kernels than the times." if stale else ""
    return asdict(table) | {"caption": table.caption + note}


def about(results: Results | None) -> dict | None:
    if results is None:
        return None
    return {
        "file": f"{results.folder}/{results.path.name}",
        "machine": results.machine,
        "provenance": results.provenance,
        "cases": int(results.rows["name"].nunique()),
        "repetitions": len(results.rows),
        "skipped": results.skipped,
        "samples": samples(results),
    }


def samples(results: Results) -> dict | None:
    """Samples discarded for a slow clock, and the range of clocks in MHz, if recorded."""
    rows = results.rows
    if not {"throttled", "sm_clock_mhz"} <= set(rows) or rows["sm_clock_mhz"].isna().all():
        return None
    clocks = rows["sm_clock_mhz"]
    return {
        "kept": int(clocks.notna().sum()),
        "discarded": int(rows["throttled"].sum()),
        "kept_slow": int(rows["throttled_kept"].sum()) if "throttled_kept" in rows else 0,
        "clock_mhz": [float(clocks.min()), float(clocks.max())],
    }


def agreement(evidence: Evidence) -> dict:
    """The closed forms stated, those that equal the count, and the tally of hardware counters."""
    hardware = tally_of(evidence)
    if evidence.counted is None:
        return {"stated": 0, "equal": 0, "hardware": hardware}
    stated = predictions(evidence.counted)
    equal = int((stated["predicted"] == stated["counted"]).sum())
    return {"stated": len(stated), "equal": equal, "hardware": hardware}
