"""README.md: the text of paper/readme.md with the numbers of the figures folder."""

from pathlib import Path

from analysis.core import words
from analysis.core.claims import is_headline
from analysis.core.prose import Lacking, render
from analysis.core.writing import write_text
from analysis.report.printed import bench
from analysis.report.printed.contents import further_gpus
from analysis.report.sections import NO_ORDER, agreement_of, sections

NOTES = "Lecture notes"  # begins the source of their claims
README, SOURCE = Path("README.md"), Path("paper/readme.md")


def rewrite(results: Path, figures: Path, readme: Path = README, source: Path = SOURCE) -> None:
    """Leaves the file alone if a number is lacking."""
    listed = [section for section in sections(figures) if section.claim["order"] < NO_ORDER]
    headlines = [each for each in listed if is_headline(each.claim["id"])]
    shown = [each.claim | each.documents[0]["verdict"] for each in headlines]
    more = {
        "claims": listed,
        "of_notes": [each for each in shown if each["source"].startswith(NOTES)],
        "later": [each for each in shown if not each["source"].startswith(NOTES)],
        "further": list(map(further, further_gpus(figures))),
    }
    if suites := bench.suites(results):
        more |= {"indigo": suites["found"]["Indigo"], "scor": suites["found"]["ScoR"]}
    for gpu in agreement_of(figures)[:1]:
        more |= {"gpu": gpu["machine"]["name"], "counters": gpu["tally"]}
    try:
        after = render(source, figures, **more)
    except Lacking as error:
        said = f"{readme} stays as it is: {error}; make all counts and draws every claim"
        print(f"skip      {said}", flush=True)
        return
    write_text(readme, after)


def further(gpu: dict) -> dict:
    """Verdicts of a further GPU, and how well its times were predicted: no `model` if they were not."""
    model = gpu["model"] or {"in_words": None}
    return gpu["verdicts"] | {"name": words.with_article(gpu["names"][-1]), "model": model["in_words"]}
