"""Turn one claim's results into figures/<claim>.svg and .json.

A second GPU gets its own files, figures/<claim>.<gpu>.*; those of the first do not change.
"""

import importlib
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from analysis.common import plotting
from analysis.common.claim_document import Drawing, document
from analysis.common.errors import EvidenceError
from analysis.common.evidence import Evidence
from analysis.common.prose import of_any_gpu, told
from analysis.common.statistics import LEVEL
from analysis.common.writing import as_json, write_text
from analysis.model.causes import cause_of

ANALYSES = Path(__file__).parents[1]
GUIDE = "docs/adding-an-experiment.md"
PARTS = ("verdict", "figure")  # what an analysis defines; cause, tables, text, drawings, numbers may be added


def has_analysis(claim: str) -> bool:
    return (ANALYSES / f"{claim}.py").is_file()


def analysis_of(claim: str) -> ModuleType:
    path = f"analysis/{claim}.py"
    if not has_analysis(claim):
        raise EvidenceError(f"{path}: missing; write it, beside experiments/{claim}.cu (see {GUIDE})")
    with faults_of(claim):
        module = importlib.import_module(f"analysis.{claim}")
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
        limits = cause_of(figures, claim)  # the model's, of the first GPU
        documents = [
            document(module, evidence, drawings, [] if place else limits) | (more or {})
            for place, (_, evidence, drawings) in enumerate(made)
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
