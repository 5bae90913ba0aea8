"""Turn one claim's results into figures/<claim>.svg and .json.

A second GPU gets files of its own, figures/<claim>.<gpu>.json and build/figures/<claim>.<gpu>.svg; those of
the first do not change.
"""

import importlib
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from analysis.core import claims, plotting
from analysis.core.errors import EvidenceError
from analysis.core.evidence import Evidence
from analysis.core.files import read_json
from analysis.core.prose import of_any_gpu, told
from analysis.core.statistics import LEVEL
from analysis.core.writing import as_json, write_text
from analysis.report.claim_document import Drawing, document

ANALYSIS = "analysis.py"
GUIDE = "experiments/new/README.md"
PARTS = ("verdict", "figure")  # what an analysis defines; cause, tables, text, drawings, numbers may be added


def has_analysis(claim: str) -> bool:
    return (claims.EXPERIMENTS.parent / claims.file_of(claim, ANALYSIS)).is_file()


def analysis_of(claim: str) -> ModuleType:
    path = claims.file_of(claim, ANALYSIS)
    if not has_analysis(claim):
        raise EvidenceError(f"{path}: missing; write it, beside {claim}.cu (see {GUIDE})")
    with faults_of(claim):
        module = importlib.import_module(claims.module_of(claim, "analysis"))
    if lacking := [part for part in PARTS if not hasattr(module, part)]:
        raise EvidenceError(f"{path}: does not define {', '.join(lacking)}; add it (see {GUIDE})")
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
        if "NoneType" in what:
            what += "; a count or time is None if no case has that quantity and those levels"
        mend = f"mend it (whole traceback: .venv/bin/python -m analysis {claim} --traceback)"
        raise EvidenceError(f"{place_of(claim, error)}: {what}; {mend}") from error


def place_of(claim: str, error: Exception) -> str:
    """File and line in which the error arose, if possible in the claim's analysis."""
    path = claims.file_of(claim, ANALYSIS)
    source = claims.EXPERIMENTS.parent / path
    if isinstance(error, SyntaxError) and error.filename == str(source):
        return f"{path}:{error.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(source)]
    last = f"{frames[-1].filename}:{frames[-1].lineno}"
    return f"{path}:{lines[-1]}" if lines else last


def render(claim: str, found: list[Evidence], figures: Path, more: dict | None = None) -> list[dict]:
    """Draw and judge a claim by the evidence of each GPU. `more` goes into the documents, which are returned.

    Nothing is written until everything is made. Outdated files of the claim, such as those of a GPU without
    results, are removed.
    """
    module, of_model = analysis_of(claim), read_json(figures / "model.json", {}).get("causes", {})
    shown, others, documents = {}, {}, {}
    with plotting.house_style(), faults_of(claim):
        for place, evidence in enumerate(found):
            stem = f"{claim}.{evidence.gpu.folder}" if place else claim
            drawings = drawings_of(module, evidence, stem)
            limits = [] if place else of_model.get(claim, [])  # which is of the first GPU
            documents[stem] = document(module, evidence, drawings, limits) | (more or {})
            (others if place else shown).update({each.name: each.figure for each in drawings})
        texts = {stem: as_json(each) for stem, each in documents.items()}
    plotting.save_all(shown, figures, f"{claim}.*.svg")
    plotting.save_all(others, plotting.not_shown(figures), f"{claim}.*.svg")
    for stem, text in texts.items():
        write_text(figures / f"{stem}.json", text)
    for outdated in {path for path in figures.glob(f"{claim}.*.json") if path.stem not in texts}:
        outdated.unlink()
    return list(documents.values())


def drawings_of(module: ModuleType, evidence: Evidence, stem: str) -> list[Drawing]:
    """The claim's figure and, for its first GPU, its further ones; with the names of their files. Captions
    may use the numbers that the analysis has as constants."""
    claim, of_draft = evidence.claim["id"], getattr(module, "CAPTION", f"{evidence.claim['title']}.")
    constants = {name: value for name, value in vars(module).items() if isinstance(value, int | float)}
    constants["LEVEL"] = LEVEL
    caption = caption_of(f"{claim}: caption", constants) or of_draft
    drawings = [Drawing(stem, module.figure(evidence), caption)]
    further = module.drawings(evidence) if stem == claim and hasattr(module, "drawings") else {}
    for name, figure in further.items():
        caption = caption_of(f"{claim}: caption of {name}", constants)
        drawings.append(Drawing(f"{stem}.{name}", figure, caption))
    return drawings


def caption_of(name: str, numbers: dict) -> str:
    """Empty without a section of this name."""
    found = told(name, **numbers)
    if not found and name in of_any_gpu():
        raise EvidenceError(f"paper: {name}: it uses a number that is no constant of the analysis")
    return found
