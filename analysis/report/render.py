"""Turn one claim's results into figures/<claim>.svg and .json.

A second GPU gets files of its own, figures/<claim>.<gpu>.json and build/figures/<claim>.<gpu>.svg; those of
the first do not change.
"""

from pathlib import Path
from types import ModuleType

from analysis.core import plotting
from analysis.core.analyses import analysis_of, faults_of
from analysis.core.errors import EvidenceError
from analysis.core.evidence import Evidence
from analysis.core.files import read_json
from analysis.core.prose import of_any_gpu, told
from analysis.core.statistics import LEVEL
from analysis.core.writing import as_json, write_text
from analysis.report.claim_document import Drawing, document


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
