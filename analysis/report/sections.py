"""The source of README and paper: the claims' documents, in the report's order."""

from dataclasses import dataclass
from pathlib import Path

from analysis.core.analyses import has_analysis
from analysis.core.errors import EvidenceError
from analysis.core.files import read_json, remedy

NO_ORDER = 1000  # of a claim without a place in the report, which the README does not show
PARTS = {"claim", "machines", "verdict", "figures", "tables", "text"}  # of a claim's document, at the least


@dataclass(frozen=True)
class Section:
    """A claim's documents: the first GPU's, then one for each further GPU."""

    claim: dict
    documents: list[dict]


def sections(figures: Path) -> list[Section]:
    """All drawn claims that still have an analysis, by order, then name."""
    found: dict[str, list[dict]] = {}
    for path in sorted(figures.glob("*.json"), key=lambda path: (path.stem.count("."), path.stem)):
        claim = path.stem.split(".")[0]
        if has_analysis(claim):
            document = read_json(path)
            if lacking := sorted(PARTS - set(document)):
                raise EvidenceError(f"{path}: it lacks {', '.join(lacking)}; {remedy(path)}")
            found.setdefault(claim, []).append(document)
    if not found:
        raise EvidenceError(f"{figures}: no figures/<claim>.json here; run make figures")
    made = [Section(documents[0]["claim"], documents) for documents in found.values()]
    return sorted(made, key=lambda section: (section.claim["order"], section.claim["id"]))


def agreement_of(figures: Path) -> list[dict]:
    """The documents of `python -m analysis --agreement`, one per GPU; none without counters."""
    return read_json(figures / "agreement.json", {}).get("gpus", [])


def forms_of(figures: Path) -> dict:
    """What `python -m analysis --agreement` says of the closed forms: tally, causes and differences."""
    none = dict.fromkeys(("cells", "equal", "explained", "unexplained", "by_order"), 0)
    missing = {"tally": none, "causes": [], "differences": []}
    return read_json(figures / "agreement.json", {}).get("forms", missing)
