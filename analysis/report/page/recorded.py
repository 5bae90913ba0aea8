"""What other documents hold and the page lets its reader try: verdicts by threshold, counted conflicts, and
counts that a GPU's counter or a closed form contradicts."""

from pathlib import Path

from analysis.core.files import SIMT, read_csv
from analysis.core.loading import read
from analysis.core.recorded import SUFFIX
from analysis.core.verdict import speed_in_words
from analysis.report.claim_document import THRESHOLDS
from analysis.report.sections import Section, agreement_of, forms_of
from experiments.block.padding import analysis as padding

MAPS = {
    "plain": "plain: i",
    "padded": "padded: i + i/32",
    "padded16": "padded: i + i/16",
    "swizzled": "swizzled: i XOR row",
    "two_level": "two-level: i + i/32 + i/1024",
}


def judged(sections: list[Section]) -> dict:
    """The claims that are about speed: their verdicts by threshold, in words; the first is the analysis'."""
    documents = [section.documents[0] for section in sections]
    claims = []
    for each in (each for each in documents if each.get("thresholds")):
        about = {"id": each["claim"]["id"], "title": each["claim"]["title"]}
        claims.append(about | {"speed": speed_in_words(each["verdict"])} | each["thresholds"])
    return {"thresholds": list(THRESHOLDS), "claims": claims}


def counted_conflicts(results: Path) -> list[dict]:
    """Of Blelloch's scan of one tile, to check those that the page computes."""
    path = results / SIMT / f"padding{SUFFIX}"
    if not path.exists():
        return []
    counted = read(path)
    return [
        {"index": index, "bytes": size, "tile": tile, "conflicts": int(value)}
        for index in MAPS
        for size in padding.sizes(counted)
        for tile, value in padding.conflicts(counted, index, size).items()
    ]


COLUMNS = ("claim", "case", "quantity", "against", "counted", "other", "difference", "cause")


def agreement(figures: Path) -> dict:
    """The cells that differ, of the closed forms and of the first GPU, the sentences of their causes, and the
    tallies of all cells."""
    path, gpus = figures / "agreement.differ.csv", agreement_of(figures)
    if not path.exists() or not gpus:
        empty = {"columns": COLUMNS, "rows": [], "causes": [], "tally": {}, "forms": {}}
        return empty | {"machine": "", "other_code": []}
    cells = read_csv(path, ("gpu", *COLUMNS))
    stated, first = forms_of(figures), cells[cells["gpu"].isna() | (cells["gpu"] == gpus[0]["folder"])]
    return {
        "columns": COLUMNS,
        "rows": first[list(COLUMNS)].to_numpy().tolist(),
        "causes": gpus[0]["causes"] + stated["causes"],
        "tally": gpus[0]["tally"],
        "forms": stated["tally"],
        "machine": gpus[0]["machine"]["name"],
        "other_code": gpus[0]["other_code"],
    }
