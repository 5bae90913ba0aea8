"""Rewrite the README's verdict table and figures, between two markers, from the figures folder."""

from pathlib import Path

from analysis.common.errors import EvidenceError
from analysis.common.report import Section, sections
from analysis.common.tables import markdown
from analysis.common.writing import write_text

START, END = "<!-- verdicts -->", "<!-- /verdicts -->"
FIGURES = 2


def rewrite(readme: Path, figures: Path) -> None:
    before = readme.read_text(encoding="utf-8")
    after = replace(before, body(sections(figures), figures.name), readme)
    if after != before:
        write_text(readme, after)


def replace(text: str, new: str, readme: Path) -> str:
    """`text` with `new` between the markers."""
    if text.count(START) != 1 or text.count(END) != 1 or text.index(START) > text.index(END):
        raise EvidenceError(f"{readme}: needs one {START} and after it one {END}; put them back")
    head, rest = text.split(START)
    _, tail = rest.split(END)
    return f"{head}{START}\n{new}\n{END}{tail}"


def body(claims: list[Section], figures: str) -> str:
    """The table of verdicts and the first claims' figures. Claims without an order of their own stay out."""
    shown = [section for section in claims if section.listed]
    table = markdown(
        ["claim", "closed forms that equal the count", "verdict", "why"], [line(each) for each in shown]
    )
    pictures = [picture(section.documents[0], figures) for section in shown[:FIGURES]]
    return "\n\n".join([timed_on(shown), table, *pictures])


def line(section: Section) -> list[str]:
    document = section.documents[0]
    agreement, verdict = document["agreement"], document["verdict"]
    counted = f"{agreement['equal']} of {agreement['stated']}"
    return [
        f"`{section.claim['id']}`: {section.claim['claim']}",
        counted,
        f"**{verdict['status']}**",
        verdict["reason"],
    ]


def timed_on(shown: list[Section]) -> str:
    timed = [section.documents[0]["machines"]["timed"] for section in shown]
    names = sorted({each["machine"]["name"] for each in timed if each})
    if not names:
        return "Counted on the SIMT machine; no times have been recorded."
    return f"Counted on the SIMT machine; times recorded on: {', '.join(names)}."


def picture(document: dict, figures: str) -> str:
    figure = document["figures"][0]
    return f"![{document['claim']['title']}]({figures}/{figure['name']}.svg)\n\n*{figure['caption']}*"
