"""What the page says first: the findings and the staircase, figures/findings.json and figures/staircase.*."""

from pathlib import Path

from analysis.common.errors import EvidenceError
from analysis.common.files import read_json
from analysis.common.report import Section
from analysis.page.still import picture

PLAY = {  # where the reader can play with a claim
    "padding": "padding",
    "divergence": "issue",
    "active_lanes": "issue",
    "worked_examples": "replay",
    "work": "race",
    "depth": "race",
    "shuffle": "race",
    "scan_ideas": "fast",
    "copy_speed": "fast",
    "single_pass": "fast",
    "noise": "judge",
}


def findings(figures: Path, sections: list[Section]) -> list[dict]:
    """Title, sentence, claim, and the part of the page to play in; without the file, the claims' own."""
    path = figures / "findings.json"
    if not path.exists():
        found = [own(section) for section in sections if section.listed and section.claim["id"] in PLAY]
    else:
        found = read_json(path).get("findings", [])
        if any({"title", "sentence", "claim"} - set(each) for each in found):
            raise EvidenceError(f"{path}: a finding lacks its title, sentence or claim; run make figures")
    return [each | {"play": PLAY.get(each["claim"], "verdicts")} for each in found]


def own(section: Section) -> dict:
    claim = section.claim
    return {
        "title": claim["title"],
        "sentence": section.documents[0]["verdict"]["finding"],
        "claim": claim["id"],
    }


def staircase(figures: Path) -> dict | None:
    """The picture, its caption, and by flight its steps: name, change, time, ratio to a copy, gain."""
    path = figures / "staircase.json"
    document = read_json(path) if path.exists() else {}
    found = picture(figures, "staircase", document.get("figure", {}).get("caption", ""))
    return found and found | {"flights": document.get("flights", {})}
