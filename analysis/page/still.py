"""Figures for readers without scripts, embedded in the page."""

import base64
from pathlib import Path

from analysis.common.report import Section

STILL = {  # the figure that stands in for a part of the page
    "banks": "padding.banks",
    "lanes": "divergence.activity",
    "replay": "worked_examples",
    "race": "work",
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
    return {part: picture(figures, name, captions.get(name, "")) for part, name in STILL.items()}
