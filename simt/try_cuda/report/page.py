"""The annotated source as a page: launches, every line with its counts, and a block's requests one by one."""

import base64
import hashlib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import jinja2

from ..build import ROOT
from ..findings import Finding
from ..observed import Launch, Line, Request, shown, source_lines
from ..quantities import Quantity, conflicts, with_counts, worst_lines
from ..run import Outcome
from .terminal import launch_rows, summed

HERE = Path(__file__).parent
STYLE_OF_THE_PAPER = ROOT / "paper" / "page" / "style.css"
MOST_REQUESTS = 20_000  # of the traced block


@dataclass(frozen=True)
class SourceLine:
    """cells: name of the quantity, text, whether it is the worst; none of a line without counts. heat: bank
    conflicts, of those of the worst line."""

    file: str
    number: int
    text: str
    cells: list[tuple[str, str, bool]]
    heat: str
    marks: list[Finding]

    @property
    def kinds(self) -> list[str]:
        return list(dict.fromkeys(each.hazard.replace("_", " ") for each in self.marks))

    @property
    def fails(self) -> bool:
        return any(each.fails for each in self.marks)


def marked(file: str, findings: list[Finding]) -> dict[int, list[Finding]]:
    """By line: findings there, or with their other access there."""
    marks: dict[int, list[Finding]] = {}
    for each in findings:
        where, number = each.line
        name, _, other = each.other.rpartition(":")
        lines = {number} if where == file else set()
        if name == Path(file).name and other.isdigit():
            lines.add(int(other))
        for line in lines:
            marks.setdefault(line, []).append(each)
    return marks


def source(
    file: str, counted: dict[Line, Counter], findings: list[Finding], quantities: list[Quantity]
) -> list[SourceLine]:
    """The whole file; of a file that is not there, the lines with counts or findings."""
    marks, worst = marked(file, findings), worst_lines(counted)
    most = max([conflicts(counts) for counts in counted.values()] + [1])
    texts = dict(enumerate(source_lines(file), 1))
    lines = []
    for number in sorted(texts.keys() | marks.keys() | {n for name, n in counted if name == file}):
        line = (file, number)
        counts = counted.get(line)
        cells, heat = [], ""
        if counts is not None:
            cells = [(each.name, each.text(counts), (line, each.name) in worst) for each in quantities]
            heat = f"{conflicts(counts) / most:.2f}" if conflicts(counts) else ""
        lines.append(SourceLine(file, number, texts.get(number, ""), cells, heat, marks.get(number, [])))
    return lines


def requests_of(requests: list[Request]) -> list[dict]:
    """As the page's script wants them, in the order of steps, warps and instructions."""
    ordered = sorted(requests, key=lambda each: (each.step, each.warp))[:MOST_REQUESTS]
    return [vars(each) | {"line": "{}:{}".format(*each.line)} for each in ordered]


def files_of(launches: list[Launch], own: list[Path]) -> list[str]:
    """Every file with counted lines: the program's own as they were given, then what they include."""
    given = {str(path.resolve()): at for at, path in enumerate(own)}
    files = {file for launch in launches for file, _ in launch.lines if file}
    return sorted(files, key=lambda file: (given.get(file, len(own)), file))


def policy(script: str) -> str:
    """The page loads nothing, and runs this script alone: not what a source or a name might smuggle in."""
    known = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{known}'"


def rendered(folder: Path, name: str, **content: object) -> str:
    """A template with this content, which is text and no markup."""
    loader = jinja2.FileSystemLoader(folder)
    options = {"autoescape": True, "undefined": jinja2.StrictUndefined, "trim_blocks": True}
    return jinja2.Environment(loader=loader, **options).get_template(name).render(content)


def write_html(path: Path, outcome: Outcome, advice: str, partial: str, block: int) -> None:
    """One file that needs no network. The requests are of the launch that was traced."""
    script = "\n" + (HERE / "page.js").read_text(encoding="utf-8")
    style = (HERE / "page.css").read_text(encoding="utf-8")
    if STYLE_OF_THE_PAPER.exists():
        style = STYLE_OF_THE_PAPER.read_text(encoding="utf-8") + style
    run = [launch for launch in outcome.launches if not launch.refused]
    traced = next((launch for launch in outcome.launches if launch.requests), None)
    quantities, counted = with_counts(run), summed(run)
    content = rendered(
        HERE,
        "page.html",
        title=shown(str(outcome.files[0])),
        style=style,
        findings=outcome.findings,
        launches=launch_rows(outcome.launches, quantities),
        quantities=quantities,
        sources=[
            (shown(file), source(file, counted, outcome.findings, quantities))
            for file in files_of(run, outcome.files)
        ],
        policy=policy(script),
        partial=partial,
        advice=advice.strip(),
        waits=outcome.waits.strip(),
        launch=traced.number if traced else "",
        block=block,
        requests=requests_of(traced.requests) if traced else [],
        script=script,
    )
    path.write_text(content, encoding="utf-8")
