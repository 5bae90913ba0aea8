"""The paper: its own numbers, its pages, and whether its sentences hold for what is recorded."""

import copy
import json
import re
from pathlib import Path

import pytest
import typst

from analysis.__main__ import main
from analysis.core.causes import CAUSES
from analysis.core.errors import EvidenceError
from analysis.core.loading import load
from analysis.report.paper import document as paper_document
from analysis.report.printed import typesetting
from analysis.report.printed.contents import contents
from analysis.test.claims import recorded_counts
from analysis.test.made_up import document as claim_document
from analysis.test.made_up import write

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "paper/paper.typ"
SECTIONS = sorted((ROOT / "paper/paper").glob("*.typ"))
pytestmark = pytest.mark.xdist_group("paper")


@pytest.fixture(scope="module")
def numbers() -> dict:
    return json.loads((ROOT / "figures/paper.json").read_text())


def query(data: dict, selector: str) -> list[dict]:
    return json.loads(typst.query(SOURCE, selector, root="/", sys_inputs={"report": json.dumps(data)}))


def test_the_committed_numbers_are_those_of_the_results(numbers):
    recorded = paper_document.Recorded(ROOT / "results", ROOT / "figures")
    assert paper_document.numbers_of(recorded) == numbers


def test_the_same_bytes_every_time(committed, typeset):
    assert typesetting.typeset(SOURCE, committed) == typeset["paper"]


def test_a_new_claim_is_in_the_table_of_verdicts(committed):
    data = copy.deepcopy(committed)
    demo = copy.deepcopy(data["claims"][0])
    demo["claim"]["id"] = "demo"
    data["claims"].append(demo)
    assert [each["text"] for each in query(data, "raw") if each["text"] == "demo"] == ["demo"]


def test_without_recordings_the_paper_has_the_verdicts_alone(folders):
    results, figures = folders
    write(results, "simt", claim_document("work", recorded_counts("work")))
    assert main(["work", f"--results={results}", f"--figures={figures}"]) == 0
    paper_document.write(results, figures)
    assert json.loads((figures / "paper.json").read_text()) == {}
    data = contents(results, figures)
    assert typesetting.typeset(SOURCE, data).startswith(b"%PDF")
    assert [each["text"] for each in query(data, "raw")] == ["work"]


def test_every_figure_and_table_is_referred_to(committed):
    text = "".join(path.read_text() for path in SECTIONS)
    labels = {each["label"] for each in query(committed, "figure") if "label" in each}
    assert len(labels) >= 20
    unnamed = [each for each in query(committed, "figure") if "label" not in each]
    assert unnamed == []
    assert [label for label in labels if f"@{label.strip('<>')}" not in text] == []


def test_no_measured_number_is_typed():
    """Numbers with a unit or "times" are measured; allowed are those of other papers, and bounds."""
    allowed = {"13.3%", "15%", "20%"}
    pattern = re.compile(r"(?<![\w.@#])\d+(?:\.\d+)?(?:%| ?(?:µs|ns|GB/s|times)\b)")
    prose = {
        "opening",
        "machine",
        "charges",
        "blocks",
        "banks",
        "lanes",
        "vectors",
        "fast",
        "gpus",
        "closing",
    }
    for path in SECTIONS:
        if path.stem in prose:
            typed = [each for each in pattern.findall(path.read_text()) if each not in allowed]
            assert typed == [], path.name


def test_the_cells_add_up(numbers):
    """Cases and cells in the choice of metrics and out of it, cells by quantity, and differences by cause."""
    agreement = numbers["trust"]["agreement"]
    uses = agreement["uses"]
    parts = [uses["whole"], uses["bulk"], uses["none"]]
    assert [sum(column) for column in zip(*parts, strict=True)] == uses["all"]
    tally, forms = document("agreement")["gpus"][0]["tally"], document("agreement")["forms"]["tally"]
    _, chosen, chosen_equal, held, held_equal = uses["all"]
    assert (chosen + held, chosen_equal + held_equal) == (tally["cells"], tally["equal"])
    columns = [row[1:] for row in agreement["rows"]]
    cells = [tally[name] for name in ("cells", "equal", "by_order")] + [forms["cells"], forms["equal"]]
    assert [sum(column) for column in zip(*columns, strict=True)] == cells
    assert sum(agreement["forms"]["causes"].values()) == forms["explained"] + forms["unexplained"]


def test_every_cause_is_said_in_half_a_sentence():
    source = (ROOT / "paper/paper/machine.typ").read_text()
    assert [cause.name for cause in CAUSES if f'"{cause.name}": [' not in source] == []


TURNED = {  # a number of the paper, what it is turned into, and the sentence that then holds no longer
    ("blocks", "hillis_steele", "plain_2048"): (0.98, "opening.typ"),
    ("banks", "fastest_2048"): ("i + i/32", "banks.typ"),
    ("divergence", "rows", 0, -1): (0.90, "lanes.typ"),
    ("vectors", "spine", "rows", 0, -1): (0.99, "vectors.typ"),
    ("fast", "reduce", "lost"): (2, "fast.typ"),
    ("noted", "distinct", "ring"): (3, "closing.typ"),
}


@pytest.mark.parametrize("place", TURNED, ids=lambda place: "-".join(map(str, place)))
def test_a_sentence_that_its_numbers_no_longer_bear_is_named(place, committed, numbers, tmp_path):
    value, source = TURNED[place]
    turned = copy.deepcopy(numbers)
    *path, last = place
    inner = turned
    for part in path:
        inner = inner[part]
    inner[last] = value
    for file in (ROOT / "figures").glob("*.json"):
        (tmp_path / file.name).write_text(json.dumps(turned) if file.stem == "paper" else file.read_text())
    with pytest.raises(
        EvidenceError, match=rf"paper/paper/{source}, line \d+: the numbers no longer bear .*holds"
    ):
        typesetting.typeset(SOURCE, committed | {"figures": str(tmp_path)})


def document(name: str) -> dict:
    return json.loads((ROOT / f"figures/{name}.json").read_text())


def test_a_number_has_one_home(numbers):
    """What two documents print of one measurement is equal."""
    shares = document("copy_speed")["numbers"]["shares"]
    table = {row[0]: row[3] for row in numbers["fast"]["by_type"]}
    assert {kind: shares[kind]["share"] for kind in table} == pytest.approx(table)
    assert all(shares[kind]["n"] == 1 << 28 for kind in table)
    spine = numbers["vectors"]["spine"]
    assert f"{spine['long']:.2f}" in {f"{row[-1]:.2f}" for row in spine["rows"]}
    assert [row[0] for row in numbers["vectors"]["schemes"]][-1] == "this work"


def test_padded_trees_are_limited_as_the_caption_says():
    model = json.loads((ROOT / "figures/model.json").read_text())
    said = {
        64: "starts",
        128: "starts pipe",
        256: "issue pipe",
        512: "issue pipe",
        1024: "issue",
        2048: "issue",
    }
    cases = {each["case"]: each["limiter"] for each in model["cases"] if each["claim"] == "shuffle"}
    for tree in ("blelloch", "brent_kung", "sklansky"):
        for tile, limiter in said.items():
            assert cases[f"scan/{tree}/index:padded/tile:{tile}"] in limiter.split()


def test_where_the_tree_wins_is_what_should_be_taught():
    timed = load(ROOT / "results", "shuffle")[0].timed

    def over(index: str, tile: int) -> float:
        """Brent and Kung's time relative to Hillis and Steele's without padding, which is its faster form."""
        of = {"operation": "scan", "tile": tile, "cache": "cold"}
        tree = timed.time(algorithm="brent_kung", index=index, **of).value
        return tree / timed.time(algorithm="hillis_steele", index="plain", **of).value

    assert all(0.95 < over("plain", tile) < 1.05 for tile in (64, 1024))
    assert all(over("plain", tile) > 1.1 for tile in (128, 256, 512, 2048))
    assert all(over("padded", tile) < 1 for tile in (128, 256, 512, 1024, 2048))


def test_the_model_says_of_divergence_what_the_paper_does():
    model = json.loads((ROOT / "figures/model.json").read_text())
    padded = [each for each in model["effects"] if each["claim"] == "divergence"]
    assert [each["cause"] for each in padded] == ["issue", "waiting"], "counts explain one alone"
    limits = [each["limiter"] for each in model["cases"] if each["claim"] == "divergence"]
    assert limits.count("pipe") == len(limits) / 2, "the pipe limits half"
