"""figures/staircase.* and figures/findings.json: `python -m analysis --overview`."""

from pathlib import Path

from analysis.core import plotting
from analysis.core.prose import Lacking, render, sections, told
from analysis.core.writing import write_json
from analysis.report.overview import staircase

SOURCE = Path("paper/findings.md")


def write(results: Path, figures: Path) -> None:
    """The staircase from the results, the findings from the claims' documents. Nothing timed: no figure."""
    flights, timed = staircase.climbed(results)
    document = {"flights": flights}
    if flights:
        where = timed.machine["name"]
        with plotting.house_style():
            plotting.save(staircase.draw(flights, where), figures / staircase.NAME)
        caption = told("staircase: caption", flights=[name.lower() for name in flights])
        figure = {"name": staircase.NAME, "caption": caption, "wide": False}
        document |= {"machine": where, "figure": figure}
    else:
        (figures / f"{staircase.NAME}.svg").unlink(missing_ok=True)
    write_json(figures / f"{staircase.NAME}.json", document)
    write_json(figures / "findings.json", {"findings": found_in(figures)})


def found_in(figures: Path, source: Path = SOURCE) -> list[dict]:
    """Title, sentence and claim of each finding that there are numbers for."""
    made = []
    for head, line, text in sections(source):
        claim, title = head.split(": ", 1)
        try:
            title = render(source, figures, title, line - 1)
            sentences = render(source, figures, text, line)
        except Lacking:
            continue
        made.append({"title": title, "sentence": " ".join(sentences.split()), "claim": claim})
    return made
