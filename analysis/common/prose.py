"""Text with its numbers: paper/*.md, which are Jinja templates.

    {% do holds(n.padding.conflicts_at > 0) %}
    It leaves conflicts at {{ n.padding.conflicts_at }} sizes.

`n.<claim>` are the numbers that figures/<claim>.json keeps for others, or all of a document that has none.
`holds` stops with the place of a sentence whose ground is gone: the numbers no longer bear it.
Filters are the functions of words.py.
"""

import traceback
from collections.abc import Mapping
from pathlib import Path

import jinja2

from analysis.common import words
from analysis.common.errors import EvidenceError
from analysis.common.files import read_json

FILTERS = (
    "decimal",
    "extremes",
    "gains",
    "integer",
    "listing",
    "pace",
    "power",
    "rounded",
    "share",
    "small",
    "times",
)


class Lacking(Exception):
    """A number was not counted or not timed."""


class Untrue(Exception):
    """What a sentence rests on no longer holds."""


class Numbers(dict):
    """Of each document of a folder, by name."""

    def __init__(self, figures: Path):
        self.figures = figures

    def __missing__(self, name: str) -> Mapping:
        path = self.figures / f"{name}.json"
        if not path.exists():
            raise KeyError(name)
        document = read_json(path)
        self[name] = document.get("numbers", document)
        return self[name]


def holds(condition: bool) -> None:
    if not condition:
        raise Untrue


def render(path: Path, figures: Path, text: str = "", first_line: int = 1, **more) -> str:
    """The text of a file, or a part of it that begins at a line, with the numbers of a folder.

    Raises Lacking if a number was not counted or not timed, EvidenceError if a sentence holds no longer.
    """
    source = text or path.read_text(encoding="utf-8")
    try:
        template = SPACE.from_string(source)
        return template.render(n=Numbers(figures), **more)
    except jinja2.UndefinedError as error:
        raise Lacking(f"{path}: {error.message}") from error
    except jinja2.TemplateSyntaxError as error:
        raise EvidenceError(f"{path}, line {first_line + error.lineno - 1}: {error.message}") from error
    except Untrue as error:
        frames = traceback.extract_tb(error.__traceback__)
        line = max(frame.lineno for frame in frames if frame.filename == "<template>")
        at, said = first_line + line - 1, source.splitlines()[line - 1]
        raise EvidenceError(f"{path}, line {at}: the numbers no longer bear what follows {said}") from error


def environment() -> jinja2.Environment:
    made = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        extensions=["jinja2.ext.do"],
    )
    made.filters |= {name: getattr(words, name) for name in FILTERS}
    made.globals["holds"] = holds
    return made


SPACE = environment()
