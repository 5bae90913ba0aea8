"""The claims and where they lie: experiments/<family>/<claim>/, whose <claim>.cu alone states the claim.

Needs only Python's standard library, so that a recording can be made where the build tools are missing.
"""

import ast
import functools
import re
from pathlib import Path

from analysis.core.errors import EvidenceError

EXPERIMENTS = Path(__file__).resolve().parents[2] / "experiments"
FIELDS = ("order", "title", "claim", "source", "prediction", "method", "fails_if")
HEADLINE = "headline"  # of a claim that the README shows
STATEMENT = re.compile(r"^const harness::Claim CLAIM = \{\n(.*?)^\};\n", re.MULTILINE | re.DOTALL)
STRING = r'R"\((?:.*?)\)"|"(?:\\.|[^"\\])*"'
COMMENT = r"(?:\s*//[^\n]*\n)*\s*"
MEMBER = re.compile(rf"{COMMENT}\.(\w+)\s*=\s*(-?\d+|true|(?:(?:{STRING})\s*)+),{COMMENT}", re.DOTALL)


def source_of(claim: str, near: Path = EXPERIMENTS) -> Path:
    """The experiment that states a claim: of the project in which `near` lies, or else of this one."""
    within = [*(parent / "experiments" for parent in near.parents), EXPERIMENTS]
    found = (path for folder in within for path in folder.glob(f"*/{claim}/{claim}.cu"))
    return next(found, EXPERIMENTS / claim / f"{claim}.cu")


def names() -> list[str]:
    """Of all claims of this project."""
    return sorted(path.stem for path in EXPERIMENTS.glob("*/*/*.cu"))


def file_of(claim: str, name: str) -> str:
    """experiments/block/padding/analysis.py, in this project; no file's if there is no such claim."""
    folder = next(EXPERIMENTS.glob(f"*/{claim}"), EXPERIMENTS / claim)
    return (folder / name).relative_to(EXPERIMENTS.parent).as_posix()


def module_of(claim: str, name: str) -> str:
    """experiments.block.padding.analysis"""
    return file_of(claim, name).replace("/", ".")


def stated(claim: str, near: Path = EXPERIMENTS) -> dict:
    """What the experiment says of its claim: id, order (a whole number), and texts of one line each."""
    members = members_at(source_of(claim, near))
    return {"id": claim} | {field: members[field] for field in FIELDS}


def is_headline(claim: str) -> bool:
    return members_at(source_of(claim)).get(HEADLINE, False)


def members_at(path: Path) -> dict:
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        raise EvidenceError(f"{path}: cannot be read ({error.strerror}); it states the claim") from error
    return read(path, changed)


@functools.cache
def read(path: Path, _changed: int) -> dict:
    statement = STATEMENT.search(path.read_text(encoding="utf-8"))
    members = dict(members_of(path, statement[1])) if statement else {}
    if lacking := [field for field in FIELDS if field not in members]:
        wrong = f"harness::Claim CLAIM lacks {', '.join(lacking)}"
        raise EvidenceError(f"{path}: {wrong}; see experiments/new/README.md")
    return members


def members_of(path: Path, text: str):
    """Names and values of designated initialisers."""
    end = 0
    for member in MEMBER.finditer(text):
        if member.start() != end:
            break
        end, value = member.end(), member[2]
        yield member[1], value_of(value)
    if end != len(text):
        wrong = text[end:].strip().splitlines()[0]
        raise EvidenceError(f"{path}: in harness::Claim CLAIM: not .member = value, : {wrong}")


def value_of(text: str) -> int | str:
    if text == "true":
        return True
    return int(text) if text.lstrip("-").isdigit() else one_line(text)


def one_line(strings: str) -> str:
    """Adjacent C++ strings as one text, with single blanks for white space."""
    parts = re.findall(STRING, strings, re.DOTALL)
    said = "".join(each[3:-2] if each.startswith("R") else ast.literal_eval(each) for each in parts)
    return " ".join(said.split())
