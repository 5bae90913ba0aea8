"""Text with its numbers: paper/*.md and the claims' text.md, which are Jinja templates.

    {% do holds(n.padding.conflicts_at > 0) %}
    It leaves conflicts at {{ n.padding.conflicts_at }} sizes.

`n.<claim>` are the numbers that figures/<claim>.json keeps for others, or all of a document that has none.
`holds` stops with the place of a sentence whose ground is gone: the numbers no longer bear it.
Filters are the functions of words.py.
"""

import contextlib
import functools
import inspect
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import jinja2

from analysis.core import words
from analysis.core.errors import EvidenceError
from analysis.core.files import read_json

FILTERS = dict(inspect.getmembers(words, lambda each: getattr(each, "__module__", "") == words.__name__))
HEAD = re.compile(r"^## (.+)\n", re.MULTILINE)
ROOT = Path(__file__).parents[2]
TEXTS = [ROOT / "paper/sentences.md", *ROOT.glob("experiments/*/*/text.md")]


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


def render(path: Path, figures: Path | None, text: str = "", first_line: int = 1, **more) -> str:
    """The text of a file, or a part of it that begins at a line, with the numbers of a folder.

    Raises Lacking if a number was not counted or not timed, EvidenceError if a sentence holds no longer.
    """
    source = text or path.read_text(encoding="utf-8")
    try:
        return SPACE.from_string(source).render(({"n": Numbers(figures)} if figures else {}) | more)
    except jinja2.UndefinedError as error:
        raise Lacking(f"{path}: {error.message}") from error
    except jinja2.TemplateSyntaxError as error:
        raise EvidenceError(f"{path}, line {first_line + error.lineno - 1}: {error.message}") from error
    except Untrue as error:
        frames = traceback.extract_tb(error.__traceback__)
        line = max(frame.lineno for frame in frames if frame.filename == "<template>")
        at, said = first_line + line - 1, source.splitlines()[line - 1]
        raise EvidenceError(f"{path}, line {at}: the numbers no longer bear what follows {said}") from error


def sections(path: Path) -> Iterator[tuple[str, int, str]]:
    """Of a text the headings, the lines after them, and what stands beneath."""
    text = path.read_text(encoding="utf-8")
    heads = list(HEAD.finditer(text))
    for head, end in zip(heads, [*(head.start() for head in heads[1:]), len(text)], strict=True):
        yield head[1], text.count("\n", 0, head.end()) + 1, text[head.end() : end]


@functools.cache
def of_any_gpu() -> dict[str, list[tuple[Path, int, str]]]:
    found = {}
    for path in TEXTS:
        for name, line, text in sections(path):
            found.setdefault(name, []).append((path, line, text))
    return found


def told(name: str, **numbers) -> str:
    """The first section of this name, of a claim or of paper/, of which all numbers are known: neither
    None nor empty. Empty if there is none."""
    empty = [key for key, each in numbers.items() if isinstance(each, str | list | tuple | dict) and not each]
    known = {key: each for key, each in numbers.items() if each is not None and key not in empty}
    for path, line, text in of_any_gpu().get(name, ()):
        with contextlib.suppress(Lacking):
            return " ".join(render(path, None, text.replace("\n", " "), line, **known).split())
    return ""


def refusing_undefined(function: Callable) -> Callable:
    """The filter; it raises UndefinedError for a number that is lacking, also for one in a list."""

    def filter_of_known(*values):
        for value in values:
            for number in value if isinstance(value, list) else [value]:
                if jinja2.is_undefined(number):
                    str(number)  # StrictUndefined raises, and says which
        return function(*values)

    return filter_of_known


BLOCKS = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
SPACE = jinja2.Environment(undefined=jinja2.StrictUndefined, extensions=["jinja2.ext.do"], **BLOCKS)
SPACE.filters |= {name: refusing_undefined(function) for name, function in FILTERS.items()}
SPACE.globals["holds"] = holds
# How extremes() prints a number. No number has such a name, or this would stand where it is lacking.
SPACE.globals |= {"as_share": words.short_share, "as_apart": words.apart, "as_ulp": words.ulps}
