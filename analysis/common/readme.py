"""Rewrite the README's findings and verdicts, each between two markers, from the figures folder."""

from pathlib import Path

from analysis.common import words
from analysis.common.contents import further_gpus
from analysis.common.errors import EvidenceError
from analysis.common.files import read_json
from analysis.common.report import Section, agreement_of, sections
from analysis.common.tables import markdown
from analysis.common.verdict import EXPLAINED, speed_in_words
from analysis.common.writing import write_text

HEADLINES = ("work", "depth", "divergence", "padding", "block_sums", "single_pass")
WIDTH = 400  # of the picture beside the findings, in pixels


def rewrite(readme: Path, figures: Path) -> None:
    before = readme.read_text(encoding="utf-8")
    after = replace(before, "findings", findings(figures), readme)
    after = replace(
        after,
        "verdicts",
        verdicts(sections(figures), agreement_of(figures), figures.name, further_gpus(figures)),
        readme,
    )
    if after != before:
        write_text(readme, after)


def replace(text: str, part: str, new: str, readme: Path) -> str:
    """`text` with `new` between the part's markers."""
    start, end = f"<!-- {part} -->", f"<!-- /{part} -->"
    if text.count(start) != 1 or text.count(end) != 1 or text.index(start) > text.index(end):
        raise EvidenceError(f"{readme}: needs one {start} and after it one {end}; put them back")
    head, rest = text.split(start)
    _, tail = rest.split(end)
    return f"{head}{start}\n{new}\n{end}{tail}"


def findings(figures: Path) -> str:
    """The staircase, where it was drawn, and the findings, each with the claim that it is about."""
    staircase, found = (
        read_json(path) if (path := figures / f"{name}.json").exists() else {}
        for name in ("staircase", "findings")
    )
    parts = []
    if figure := staircase.get("figure"):
        alternative = figure["caption"].split(". ")[0]
        source = f"{figures.name}/{figure['name']}.svg"
        parts.append(f'<img align="right" width="{WIDTH}" src="{source}" alt="{alternative}">')
    said = [
        f"{each['title']}.** {each['sentence']} (`{each['claim']}`)" for each in found.get("findings", [])
    ]
    parts += [f"{number}. **{each}" for number, each in enumerate(said, 1)]
    return "\n\n".join(part for part in parts if part)


def verdicts(claims: list[Section], gpus: list[dict], figures: str, further: list[dict]) -> str:
    """A line for each headline, how well counts and counters agree, and what holds on further GPUs."""
    known = {section.claim["id"]: section for section in claims}
    rows = [line(known[claim]) for claim in HEADLINES if claim in known]
    listed = [section for section in claims if section.listed]
    top = f"{len(rows)} of {words.plural(len(listed), 'claim')}. {timed_on(listed)} {EXPLAINED}"
    return "\n\n".join(
        [
            top,
            markdown(["claim", "count", "speed"], rows),
            *[counters(gpu, figures) for gpu in gpus[:1]],
            *map(on_another, further),
        ]
    )


def line(section: Section) -> list[str]:
    verdict = section.documents[0]["verdict"]
    speed = speed_in_words(verdict).replace(verdict["speed"], f"**{verdict['speed']}**", 1)
    return [f"`{section.claim['id']}`: {section.claim['claim']}", f"**{verdict['count']}**", speed]


def counters(gpu: dict, figures: str) -> str:
    """How many counts equal the GPU's."""
    tally = {key: words.integer(value) for key, value in gpu["tally"].items()}
    if gpu["tally"]["equal"] == gpu["tally"]["cells"]:
        return (
            f"All {tally['cells']} counts equal the {gpu['machine']['name']}'s hardware counters: "
            f"[{figures}/agreement.csv]({figures}/agreement.csv)."
        )
    return (
        f"Of {tally['cells']} counts {tally['equal']} equal the {gpu['machine']['name']}'s hardware "
        f"counters, {tally['explained']} differ for a proven cause, and {tally['unexplained']} are "
        f"unexplained: [{figures}/agreement.csv]({figures}/agreement.csv)."
    )


def on_another(gpu: dict) -> str:
    """Verdicts and times of a further GPU."""
    found, name, model = gpu["verdicts"], gpu["names"][-1], gpu["model"]
    said = [f"On {words.with_article(name)} {found['same']} of {found['claims']} verdicts are the same."]
    if model:
        own = model["in_words"]
        when = "before they were measured" if model["before"] else "from its prices"
        said.append(
            f"The times of {own['kernels']} kernels there, predicted {when}, are off by "
            f"{own['predicted']['mean']} on average; {own['predicted']['within_20']} lie within 20%."
        )
        guess = f"The {gpu['names'][0]}'s times in their place would be off by {own['same_time']['mean']}"
        if "predicted_changed" in own:
            guess += (
                f"; for the {own['changed']} kernels whose time differs by more than {own['limit']} by "
                f"{own['same_time_changed']['mean']}, the prediction by {own['predicted_changed']['mean']}"
            )
        said.append(f"{guess}.")
    return " ".join(said)


def timed_on(shown: list[Section]) -> str:
    timed = [section.documents[0]["machines"]["timed"] for section in shown]
    names = sorted({each["machine"]["name"] for each in timed if each})
    return f"Times: {words.listing(names)}." if names else "No times have been recorded."
