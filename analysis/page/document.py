"""Write paper/page.html: one file without references to others, from the templates in paper/page."""

import json
import re
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from analysis.common.errors import EvidenceError
from analysis.common.files import SIMT
from analysis.common.loading import read
from analysis.common.recorded import SUFFIX
from analysis.common.report import sections
from analysis.common.verdict import COUNTS, EXPLAINED, SPEEDS, speed_in_words
from analysis.common.writing import plain, write_text
from analysis.page import (
    agreement,
    colours,
    fast,
    findings,
    judge,
    listings,
    padding,
    race,
    replay,
    still,
    traces,
)

SOURCES = Path("paper/page")
MOST_BYTES = 3_000_000


def write(results: Path, figures: Path, page: Path, sources: Path = SOURCES) -> None:
    text = render(results, figures, sources)
    size = len(text.encode())
    if size > MOST_BYTES:
        raise EvidenceError(
            f"{page}: {size:,} bytes are more than {MOST_BYTES:,}; embed fewer figures or traces"
        )
    write_text(page, text)


def render(results: Path, figures: Path, sources: Path = SOURCES) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(sources),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"data": embedded, "prose": prose, "integer": lambda number: f"{number:,}"}
    shown = sections(figures)
    data = data_of(results, figures, shown)
    return (
        environment.get_template("page.html").render(
            data=data,
            findings=findings.findings(figures, shown),
            staircase=findings.staircase(figures),
            stills=still.stills(figures, shown),
            sections=shown,
            listings=listings.listings(),
            speed_in_words=speed_in_words,
            explained=EXPLAINED,
            counts=COUNTS,
            speeds=SPEEDS,
            maps=colours.MAPS,
            style=(sources / "style.css").read_text(encoding="utf-8"),
            script=lambda name: (sources / "scripts" / f"{name}.js").read_text(encoding="utf-8"),
        )
        + "\n"
    )


def data_of(results: Path, figures: Path, shown: list) -> dict:
    """The data of each part of the page, by its name."""
    traced = traces.traces_of(results)
    examples = results / SIMT / f"worked_examples{SUFFIX}"
    return {
        "banks": traces.for_banks(traced),
        "lanes": traces.for_lanes(traced),
        "replay": replay.examples_of(read(examples)) if examples.exists() else [],
        "race": race.race_of(results, figures),
        "padding": padding.counted_conflicts(results),
        "judge": judge.judged(shown),
        "fast": fast.ideas_of(results) | {"log": fast.log_of(results)},
        "agreement": agreement.agreement(figures),
    }


def embedded(data) -> Markup:
    """As JSON inside a script element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain)
    return Markup(text.replace("<", "\\u003c"))


def prose(text: str) -> Markup:
    """A sentence of the report: what is between backquotes is code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))
