"""What the page says first: the findings and the staircase, figures/findings.json and figures/staircase.*."""

from pathlib import Path

from analysis.common.errors import EvidenceError
from analysis.common.evidence import read_json
from analysis.common.report import Section
from analysis.page.still import picture

PLAY = {  # where the reader can play with a claim
    "padding": "banks",
    "divergence": "lanes",
    "active_lanes": "lanes",
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
    """The picture and its caption; the older one of a claim as long as there is no other."""
    path = figures / "staircase.json"
    if path.exists():
        return picture(figures, "staircase", caption_of(read_json(path)))
    older = figures / "single_pass.json"
    each = (
        next((one for one in read_json(older)["figures"] if one["name"].endswith(".staircase")), None)
        if older.exists()
        else None
    )
    return each and picture(figures, each["name"], each["caption"])


def caption_of(document: dict) -> str:
    return document.get("caption") or document.get("figure", {}).get("caption", "")
