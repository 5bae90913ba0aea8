"""The annotated source as a page: launches, every line with its counts, and a block's requests one by one."""

import base64
import hashlib
import html
import json
from collections import Counter
from pathlib import Path
from string import Template

from .build import ROOT
from .observed import Finding, Launch, Line, Request, shown, source_lines
from .quantities import Quantity, conflicts, with_counts, worst_lines
from .report import groups, launch_row, summed

PARTS = Path(__file__).parent / "page"
STYLE_OF_THE_PAPER = ROOT / "paper" / "page" / "style.css"
MOST_REQUESTS = 20_000  # of the traced block


def cells(values: list[str], tag: str = "td") -> str:
    return "".join(f"<{tag}>{value}</{tag}>" for value in values)


def launches_table(launches: list[Launch], quantities: list[Quantity]) -> str:
    head = cells(["launch", "grid", "block", "shared", *[each.name for each in quantities], "kernel"], "th")
    rows = [
        cells([html.escape(cell) for cell in launch_row(group, quantities)]) for group in groups(launches)
    ]
    return f"<table><thead><tr>{head}</tr></thead>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def marked(file: str, findings: list[Finding]) -> dict[int, list[Finding]]:
    """By line: what was found there, or has its other access there."""
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


def mark(found: list[Finding]) -> str:
    """A sign in front of the line; what it stands for is read when it is pointed at, or opened."""
    if not found:
        return "<td></td>"
    kinds = html.escape(", ".join(dict.fromkeys(each.hazard.replace("_", " ") for each in found)))
    texts = html.escape("\n".join(map(str, found)))
    kind = "mark" if any(each.fails for each in found) else "mark mild"
    return f'<td class="{kind}"><abbr title="{texts}">{kinds}</abbr></td>'


def count(quantity: Quantity, counts: Counter, is_worst: bool) -> str:
    """A narrow page has no head of columns: there the cell says its name, or is left out."""
    text = quantity.text(counts)
    attribute = "" if text == "." else f' data-name="{quantity.name}"'
    return f"<td{attribute}>{f'<b>{text}</b>' if is_worst else text}</td>"


def source_table(
    file: str, launches: list[Launch], findings: list[Finding], quantities: list[Quantity]
) -> str:
    """The whole file; lines with counts carry them, and lines with findings a mark. Of a file that is not
    there, those lines."""
    marks = marked(file, findings)
    lines = summed(launches)
    worst = worst_lines(lines)
    most = max([conflicts(counts) for counts in lines.values()] + [1])
    rows = []
    texts = dict(enumerate(source_lines(file), 1))
    for number in sorted(texts.keys() | marks.keys() | {n for name, n in lines if name == file}):
        line, text = (file, number), texts.get(number, "")
        counts = lines.get(line)
        shown_cells = "<td></td>" * len(quantities)
        if counts is not None:
            shown_cells = "".join(count(each, counts, (line, each.name) in worst) for each in quantities)
        heat = conflicts(counts) / most if counts is not None else 0
        style = f' style="--heat:{heat:.2f}"' if heat else ""
        rows.append(
            f'<tr data-line="{html.escape(file)}:{number}"{style}><th>{number}</th>{shown_cells}'
            f"{mark(marks.get(number, []))}<td><code>{html.escape(text)}</code></td></tr>"
        )
    head = cells(
        ["line", *[f'<abbr title="{each.meaning}">{each.name}</abbr>' for each in quantities], "found", ""],
        "th",
    )
    return (
        f"<h3>{html.escape(shown(file))}</h3><div class='scroll'>"
        f"<table class='source'><thead><tr>{head}</tr></thead>"
        f"{''.join(rows)}</table></div>"
    )


def requests_of(requests: list[Request]) -> list[dict]:
    """As the page's script wants them, in the order of steps, warps and instructions."""
    ordered = sorted(requests, key=lambda request: (request.step, request.warp))
    return [
        {
            "step": request.step,
            "warp": request.warp,
            "kind": request.kind,
            "line": f"{request.line[0]}:{request.line[1]}",
            "size": request.size,
            "passes": request.passes,
            "lanes": request.lanes,
        }
        for request in ordered[:MOST_REQUESTS]
    ]


def files_of(launches: list[Launch], own: list[Path]) -> list[str]:
    """Every file with counted lines: the program's own as they were given, then what they include."""
    lines: set[Line] = {line for launch in launches for line in launch.lines}
    given = {str(path.resolve()): at for at, path in enumerate(own)}
    return sorted({file for file, _ in lines if file}, key=lambda file: (given.get(file, len(own)), file))


def policy(script: str) -> str:
    """The page loads nothing, and runs this script alone: not what a source or a name might smuggle in."""
    known = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{known}'"


def write_html(
    path: Path,
    files: list[Path],
    launches: list[Launch],
    findings: list[Finding],
    advice: str,
    partial: str,
    block: int,
) -> None:
    """One file that needs no network. The requests are of the launch that was traced."""
    script = "\n" + (PARTS / "page.js").read_text(encoding="utf-8")
    traced = next((launch for launch in launches if launch.requests), None)
    run = [launch for launch in launches if not launch.refused]
    quantities = with_counts(run)
    style = STYLE_OF_THE_PAPER.read_text(encoding="utf-8") if STYLE_OF_THE_PAPER.exists() else ""
    content = Template((PARTS / "page.html").read_text(encoding="utf-8")).substitute(
        title=html.escape(shown(str(files[0]))),
        style=style + (PARTS / "page.css").read_text(encoding="utf-8"),
        findings="".join(f'<p class="wrong" role="alert">{html.escape(str(each))}</p>' for each in findings),
        launches=launches_table(launches, quantities),
        sources="".join(source_table(file, run, findings, quantities) for file in files_of(run, files)),
        policy=policy(script),
        partial=f'<p class="wrong">{html.escape(partial)}</p>' if partial else "",
        advice=f"<pre>{html.escape(advice.strip())}</pre>" if advice else "",
        launch=traced.number if traced else "",
        block=block,
        requests=json.dumps(requests_of(traced.requests) if traced else [], separators=(",", ":")).replace(
            "<", "\\u003c"
        ),
        script=script,
    )
    path.write_text(content, encoding="utf-8")
