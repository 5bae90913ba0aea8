"""Figures for readers without scripts, embedded in the page."""

import base64
from pathlib import Path

from analysis.common.files import read_json
from analysis.common.report import Section

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
    captions = {
        each["name"]: each["caption"] for section in sections for each in section.documents[0]["figures"]
    }
    if (model := figures / "model.json").exists():
        captions["model"] = read_json(model).get("figure", {}).get("caption", "")
    return {part: picture(figures, name, captions.get(name, "")) for part, name in STILL.items()}
