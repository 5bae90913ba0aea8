"""Write build/page.html: one file without references to others, from the templates in paper/page."""

import json
import re
import traceback
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from analysis.core.errors import EvidenceError
from analysis.core.files import SIMT, read_json
from analysis.core.loading import read
from analysis.core.prose import SPACE, Numbers, Untrue, told
from analysis.core.recorded import SUFFIX
from analysis.core.verdict import COUNTS, SPEEDS, speed_in_words
from analysis.core.writing import digest, plain, write_text
from analysis.report.page import clock, fast, findings, kernels, listings, recorded, replay, traces
from analysis.report.sections import sections

NAME, SOURCES = "page.html", Path("paper/page")
MOST_BYTES = 3_000_000
STORY = {"work", "padding", "divergence"}  # claims that the steps are told by


def write(results: Path, figures: Path, build: Path, sources: Path = SOURCES) -> None:
    page, text = build / NAME, sealed(render(results, figures, sources))
    if (size := len(text.encode())) > MOST_BYTES:
        over = f"{size:,} bytes are more than {MOST_BYTES:,}"
        raise EvidenceError(f"{page}: {over}; embed fewer figures or traces")
    write_text(page, text)


def sealed(text: str) -> str:
    """The page with its digest, by which a test says whether the page in the tree is what the tree makes."""
    return text.replace("<head>", f'<head>\n<meta name="digest" content="{digest(text.encode())}">', 1)


def render(results: Path, figures: Path, sources: Path = SOURCES) -> str:
    page = SPACE.overlay(loader=jinja2.FileSystemLoader(sources), autoescape=True)
    page.filters = SPACE.filters | {"data": embedded, "prose": prose}
    shown = sections(figures)
    data = data_of(results, figures, shown)
    points = {(each["claim"], each["case"]): each for each in data["kernels"]["points"]}
    told_by = {claim for claim, _ in points} if has_all(data) else set()
    try:
        return page.get_template("page.html").render(
            n=Numbers(figures),
            kernel=lambda claim, case: points[claim, case],
            tells_story=told_by >= STORY,
            machine=data["kernels"]["machine"],
            data=data,
            findings=findings.findings(figures, shown),
            staircase=findings.staircase(figures),
            stills=findings.stills(figures, shown),
            sections=shown,
            listings=listings.listings(),
            speed_in_words=speed_in_words,
            explained=told("answers"),
            counts=COUNTS,
            speeds=SPEEDS,
            maps=recorded.MAPS,
            style=(sources / "style.css").read_text(encoding="utf-8"),
            script=lambda name: (sources / "scripts" / f"{name}.js").read_text(encoding="utf-8"),
        )
    except Untrue as error:
        raise EvidenceError(f"{place_of(error, sources)}: the numbers no longer bear what follows") from error
    except (KeyError, jinja2.UndefinedError) as error:
        raise EvidenceError(f"{place_of(error, sources)}: not counted or not timed: {error}") from error


def has_all(data: dict) -> bool:
    """Whether everything was recorded that the story tells besides claims."""
    return bool(data["kernels"]["unseen"] and data["banks"] and data["clock"])


def place_of(error: Exception, sources: Path) -> str:
    """The line of the template that it comes from."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if str(sources) in each.filename]
    return f"{frames[-1].filename}, line {frames[-1].lineno}"


def data_of(results: Path, figures: Path, shown: list) -> dict:
    """The data of each part of the page, by its name."""
    traced = traces.traces_of(results)
    examples = results / SIMT / f"worked_examples{SUFFIX}"
    log = read_json(figures / "log.json", {})
    rounds = {"rounds": log.get("rounds", []), "outcomes": log.get("meanings", {})}
    return {
        "banks": traces.for_banks(traced),
        "lanes": traces.for_lanes(traced),
        "clock": clock.clock_of(results),
        "replay": replay.examples_of(read(examples)) if examples.exists() else [],
        "kernels": kernels.kernels_of(results, figures),
        "padding": recorded.counted_conflicts(results),
        "judge": recorded.judged(shown),
        "fast": fast.ideas_of(results) | {"log": rounds},
        "agreement": recorded.agreement(figures),
    }


def embedded(data) -> Markup:
    """As JSON inside a script element."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=plain)
    return Markup(text.replace("<", "\\u003c"))


def prose(text: str) -> Markup:
    """A sentence of the report: what is between backquotes is code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))
