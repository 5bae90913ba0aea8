"""Write experiments/<claim>.cu and analysis/<claim>.py from scripts/templates: make new NAME=<claim>."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "scripts" / "templates"
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


def problem(name: str) -> str | None:
    """Why a claim cannot have this name; None if it can."""
    if not name:
        return "name the claim: make new NAME=<claim>"
    if not NAME.fullmatch(name) or len(name) > 40:
        return f"'{name}' is not a name: at most 40 lower-case letters and digits, with single _ between them"
    for taken in (
        ROOT / "experiments" / f"{name}.cu",
        ROOT / "analysis" / f"{name}.py",
        ROOT / "analysis" / name,
    ):
        if taken.exists():
            return f"{taken.relative_to(ROOT)} already exists; choose another name"
    return None


def main(name: str) -> int:
    if why := problem(name):
        print(f"make new: {why}", file=sys.stderr)
        return 1
    for template, target in (
        ("experiment.cu", f"experiments/{name}.cu"),
        ("analysis.py", f"analysis/{name}.py"),
    ):
        text = (TEMPLATES / template).read_text(encoding="utf-8")
        title = name.replace("_", " ").capitalize()
        (ROOT / target).write_text(text.replace("@claim@", name).replace("@title@", title), encoding="utf-8")
        print(f"wrote {target}")
    print(f"Both run unchanged: make claim NAME={name}. Then replace the example with your claim.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
