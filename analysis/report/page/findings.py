"""What the page says first, the findings and the staircase; and figures for readers without scripts."""

import base64
from pathlib import Path

from analysis.core.errors import EvidenceError
from analysis.core.files import read_json
from analysis.report.sections import NO_ORDER, Section

STILL = {  # the figure that stands in for a part of the page
    "operations": "work",
    "wavefronts": "padding.banks",
    "issue": "divergence.activity",
    "charges": "model",
    "replay": "worked_examples",
    "padding": "padding",
    "judge": "noise",
    "fast": "scan_ideas",
}


def picture(figures: Path, name: str, caption: str) -> dict | None:
    path = figures / f"{name}.svg"
    if not path.exists():
        return None
    text = base64.b64encode(path.read_bytes()).decode()
    return {"uri": f"data:image/svg+xml;base64,{text}", "caption": caption}


def stills(figures: Path, sections: list[Section]) -> dict[str, dict | None]:
    """By part of the page; None without the figure."""
    drawn = [each for section in sections for each in section.documents[0]["figures"]]
    captions = {each["name"]: each["caption"] for each in drawn}
    captions["model"] = read_json(figures / "model.json", {}).get("figure", {}).get("caption", "")
    return {part: picture(figures, name, captions.get(name, "")) for part, name in STILL.items()}


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
        own = [each for each in sections if each.claim["order"] < NO_ORDER and each.claim["id"] in PLAY]
        found = [each.documents[0]["verdict"] | each.claim for each in own]
        names = {"title": "title", "sentence": "finding", "claim": "id"}
        found = [{name: each[of] for name, of in names.items()} for each in found]
    else:
        found = read_json(path).get("findings", [])
        if any({"title", "sentence", "claim"} - set(each) for each in found):
            raise EvidenceError(f"{path}: a finding lacks its title, sentence or claim; run make figures")
    return [each | {"play": PLAY.get(each["claim"], "verdicts")} for each in found]


def staircase(figures: Path) -> dict | None:
    """The picture, its caption, and by flight its steps: name, change, time, ratio to a copy, gain."""
    document = read_json(figures / "staircase.json", {})
    found = picture(figures, "staircase", document.get("figure", {}).get("caption", ""))
    return found and found | {"flights": document.get("flights", {})}
