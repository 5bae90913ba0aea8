"""Rewrite the README's verdict table and figures, between two markers, from the figures folder."""

from pathlib import Path

from analysis.common import words
from analysis.common.errors import EvidenceError
from analysis.common.report import Section, agreement_of, sections
from analysis.common.tables import markdown
from analysis.common.verdict import EXPLAINED, speed_in_words
from analysis.common.writing import write_text

START, END = "<!-- verdicts -->", "<!-- /verdicts -->"
FIGURES = 2


def rewrite(readme: Path, figures: Path) -> None:
    before = readme.read_text(encoding="utf-8")
    after = replace(before, body(sections(figures), agreement_of(figures), figures.name), readme)
    if after != before:
        write_text(readme, after)


def replace(text: str, new: str, readme: Path) -> str:
    """`text` with `new` between the markers."""
    if text.count(START) != 1 or text.count(END) != 1 or text.index(START) > text.index(END):
        raise EvidenceError(f"{readme}: needs one {START} and after it one {END}; put them back")
    head, rest = text.split(START)
    _, tail = rest.split(END)
    return f"{head}{START}\n{new}\n{END}{tail}"


def body(claims: list[Section], gpus: list[dict], figures: str) -> str:
    """The table of verdicts, the first claims' figures, and the agreement of counts with GPU counters.

    Claims without an order are left out.
    """
    shown = [section for section in claims if section.listed]
    table = markdown(["claim", "count", "speed", "finding"], [line(each) for each in shown])
    pictures = [picture(section.documents[0], figures) for section in shown[:FIGURES]]
    top = f"{timed_on(shown)} {EXPLAINED}"
    return "\n\n".join([top, table, *pictures, *[counters(gpu, figures) for gpu in gpus[:1]]])


def line(section: Section) -> list[str]:
    verdict = section.documents[0]["verdict"]
    speed = speed_in_words(verdict).replace(verdict["speed"], f"**{verdict['speed']}**", 1)
    claim = f"`{section.claim['id']}`: {section.claim['claim']}"
    return [claim, f"**{verdict['count']}**", speed, verdict["finding"]]


def counters(gpu: dict, figures: str) -> str:
    """The figure, and a sentence with the number of equal cells."""
    tally = {key: words.integer(value) for key, value in gpu["tally"].items()}
    said = (
        f"Counts against hardware counters of the {gpu['machine']['name']}: {tally['equal']} of "
        f"{tally['cells']} are equal, {tally['explained']} differ for a proven cause, {tally['unexplained']} "
        f"are unexplained. All are listed in [{figures}/agreement.csv]({figures}/agreement.csv). "
        "Right: traffic between the GPU and its memory."
    )
    return f"![Counts against counters]({figures}/{gpu['figure']['name']}.svg)\n\n*{said}*"


def timed_on(shown: list[Section]) -> str:
    timed = [section.documents[0]["machines"]["timed"] for section in shown]
    names = sorted({each["machine"]["name"] for each in timed if each})
    if not names:
        return "Counted on the SIMT machine; no times have been recorded."
    return f"Counted on the SIMT machine; times recorded on: {', '.join(names)}."


def picture(document: dict, figures: str) -> str:
    figure = document["figures"][0]
    return f"![{document['claim']['title']}]({figures}/{figure['name']}.svg)\n\n*{figure['caption']}*"
