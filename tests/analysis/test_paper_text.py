"""The paper: its own numbers, its pages, and whether its sentences hold for what is recorded."""

import copy
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import typst

from analysis import common
from analysis.__main__ import main
from analysis.agreement.causes import CAUSES
from analysis.agreement.cells import BY_ORDER
from analysis.common import paper, report, words
from analysis.common.contents import contents
from analysis.common.loading import load
from analysis.common.targets import MISSED, Target
from analysis.paper import document
from analysis.paper.fast import missed_by
from tests.analysis.claims import COUNTS
from tests.analysis.made_up import document as claim_document
from tests.analysis.made_up import write

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "paper/paper.typ"
SECTIONS = sorted((ROOT / "paper/paper").glob("*.typ"))
PAGES, BYTES = 12, 1_500_000
pytestmark = pytest.mark.xdist_group("paper")


@pytest.fixture(scope="module")
def committed() -> dict:
    return contents(ROOT / "results", ROOT / "figures")


@pytest.fixture(scope="module")
def numbers() -> dict:
    return json.loads((ROOT / "figures/paper.json").read_text())


def query(data: dict, selector: str) -> list[dict]:
    return json.loads(typst.query(SOURCE, selector, root="/", sys_inputs={"report": json.dumps(data)}))


def test_the_committed_numbers_are_those_of_the_results(numbers):
    recorded = document.Recorded(ROOT / "results", ROOT / "figures", {})
    assert document.numbers_of(recorded) == numbers


def test_the_same_bytes_every_time(committed):
    pdf = paper.typeset(SOURCE, committed)
    assert paper.typeset(SOURCE, committed) == pdf
    assert len(pdf) <= BYTES


def test_at_most_twelve_pages_for_the_claims_that_a_gpu_has_recorded(monkeypatch):
    """A new claim, which has only been counted, may make the table of verdicts longer."""
    every = report.sections(ROOT / "figures")
    recorded = [each for each in every if each.documents[0]["machines"]["timed"]]
    monkeypatch.setattr(common.contents, "sections", lambda figures: recorded)
    (last,) = query(contents(ROOT / "results", ROOT / "figures"), "<last-page>")
    assert last["value"] <= PAGES


def test_a_new_claim_is_in_the_table_of_verdicts(committed):
    data = copy.deepcopy(committed)
    demo = copy.deepcopy(data["claims"][0])
    demo["claim"]["id"] = "demo"
    data["claims"].append(demo)
    assert [each["text"] for each in query(data, "raw") if each["text"] == "demo"] == ["demo"]


def test_without_recordings_the_paper_has_the_verdicts_alone(folders):
    results, figures = folders
    write(results, "simt", claim_document("work", COUNTS["work"]()))
    assert main(["work", f"--results={results}", f"--figures={figures}"]) == 0
    document.write(results, figures)
    assert json.loads((figures / "paper.json").read_text()) == {}
    data = contents(results, figures)
    assert paper.typeset(SOURCE, data).startswith(b"%PDF")
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
    prose = {"opening", "machine", "charges", "blocks", "banks", "lanes", "vectors", "fast", "closing"}
    for path in SECTIONS:
        if path.stem in prose:
            typed = [each for each in pattern.findall(path.read_text()) if each not in allowed]
            assert typed == [], path.name


def test_the_cells_add_up(committed, numbers):
    """Cases and cells in the choice of metrics and out of it, cells by quantity, and differences by cause."""
    agreement = numbers["trust"]["agreement"]
    uses = {name: [number(each) for each in row] for name, row in agreement["uses"].items()}
    parts = [uses["whole"], uses["bulk"], uses["none"]]
    assert [sum(column) for column in zip(*parts, strict=True)] == uses["all"]
    tally, forms = (
        {name: number(value) for name, value in each["tally"].items()}
        for each in (committed["hardware"][0], committed["forms"])
    )
    _, chosen, chosen_equal, held, held_equal = uses["all"]
    assert (chosen + held, chosen_equal + held_equal) == (tally["cells"], tally["equal"])
    columns = [[number(cell) for cell in row[1:]] for row in agreement["rows"]]
    cells = [tally[name] for name in ("cells", "equal", "by_order")] + [forms["cells"], forms["equal"]]
    assert [sum(column) for column in zip(*columns, strict=True)] == cells
    for by_cause, of in ((agreement["causes"], tally), (agreement["forms"]["causes"], forms)):
        found = sum(number(value) for name, value in by_cause.items() if name != BY_ORDER)
        assert found == of["explained"] + of["unexplained"]


def test_every_cause_is_said_in_half_a_sentence():
    source = (ROOT / "paper/paper/machine.typ").read_text()
    assert [cause.name for cause in CAUSES if f'"{cause.name}": [' not in source] == []


def number(text: str) -> float:
    return 0 if text == words.NOTHING else float(text.replace(",", "").replace("−", "-"))


def tile_rows(numbers: dict) -> dict[str, list[float]]:
    """By scan: operations, barriers; wavefronts, instructions and time, plain, then padded."""
    return {row[0]: [number(cell) for cell in row[1:]] for row in numbers["blocks"]["rows"]}


def differing(numbers: dict, quantity: str) -> float:
    rows = {row[0]: row for row in numbers["trust"]["agreement"]["rows"]}
    return number(rows[quantity][1]) - number(rows[quantity][2])


def paradox(numbers: dict) -> list[list[float]]:
    return [[number(cell) for cell in row] for row in numbers["banks"]["paradox"]]


def ratios(numbers: dict) -> dict[str, list[str]]:
    return {row[0]: row[1:] for row in numbers["divergence"]["rows"]}


# What the paper says in words, and what must hold for it. Where a recording turns one of these, the sentence
# in paper/paper/*.typ must be written anew.
SAID: dict[str, Callable[[dict], bool]] = {
    "operations do not predict the time, charges do": lambda d: (
        abs(number(d["blocks"]["correlation"]["ops"]))
        < 0.3
        < 0.7
        < number(d["blocks"]["correlation"]["charge"])
    ),
    "plain trees take as long as Hillis-Steele, for a quarter of the operations": lambda d: all(
        0.9 < tile_rows(d)[tree][4] / tile_rows(d)["Hillis-Steele"][4] < 1.1
        and tile_rows(d)[tree][0] < 0.3 * tile_rows(d)["Hillis-Steele"][0]
        for tree in ("Brent-Kung", "Blelloch")
    ),
    "padding moves the trees from banks to issue": lambda d: all(
        tile_rows(d)[tree][2] > tile_rows(d)[tree][3] / 4
        and tile_rows(d)[tree][5] < tile_rows(d)[tree][6] / 4
        for tree in ("Brent-Kung", "Blelloch")
    ),
    "no tree is faster than plain Sklansky": lambda d: all(
        tile_rows(d)["Sklansky"][4] < min(tile_rows(d)[tree][4], tile_rows(d)[tree][7])
        for tree in ("Brent-Kung", "Blelloch")
    ),
    "raking with eight elements, padded, runs at the speed of a copy in tiles from 512 on": lambda d: all(
        row[1] == "raking, 8 each, padded" and number(row[2]) < 1.05
        for row in d["blocks"]["fastest_by_tile"][-3:]
    ),
    "eight elements halve the instructions": lambda d: (
        tile_rows(d)["raking, 8 each"][6] < tile_rows(d)["Kogge-Stone"][6] / 2
    ),
    "the time lies above the longer bar": lambda d: number(d["blocks"]["excess"].split()[0]) > 1,
    "a tree issues fewer instructions than Hillis-Steele and takes more wavefronts": lambda d: (
        tile_rows(d)["Brent-Kung"][3] < tile_rows(d)["Hillis-Steele"][3]
        and tile_rows(d)["Brent-Kung"][2] > tile_rows(d)["Hillis-Steele"][2]
    ),
    "Hillis-Steele is furthest above its longer bar": lambda d: (
        d["blocks"]["excess_at"] == "Hillis-Steele, plain"
    ),
    "Hillis-Steele equals Blelloch in plain tiles of 1,024, and wins in those of 2,048": lambda d: (
        number(d["blocks"]["hillis_steele"]["plain_1024"].split()[0]) < 1.1
        and d["blocks"]["hillis_steele"]["plain_2048"].endswith("faster")
    ),
    "with the better index map for each a tree wins": lambda d: (
        "slower" not in d["blocks"]["trees_at_best"]["pace"]
        and tile_rows(d)["Brent-Kung"][7] < min(tile_rows(d)["Hillis-Steele"][column] for column in (4, 7))
    ),
    "i + i/16 leaves no conflict of 8-byte elements up to 256, and some from 512 on": lambda d: all(
        (number(row[10]) == 0) is (number(row[0]) <= 256) for row in d["banks"]["sizes"]
    ),
    "XOR is slower in tiles of 128 to 512, and at 2,048 the fastest": lambda d: (
        all(number(row[7]) < number(row[5]) for row in d["banks"]["sizes"][1:4])
        and d["banks"]["fastest_2048"] == "XOR"
    ),
    "no cell of the choice of metrics differs": lambda d: all(
        chosen == equal for _, chosen, equal, _, _ in d["trust"]["agreement"]["uses"].values()
    ),
    "nothing but thread instructions differs from the GPU's counters": lambda d: all(
        differing(d, name) == 0
        for name, *_ in d["trust"]["agreement"]["rows"]
        if name != "thread instructions"
    ),
    "barriers and launches are always equal": lambda d: (
        differing(d, "barriers, launches") == 0
        and dict((row[0], row[1]) for row in d["trust"]["agreement"]["rows"])["barriers, launches"]
        == d["trust"]["agreement"]["always"]
    ),
    "block scans repeat best": lambda d: number(d["trust"]["noise"]["nine_of_ten"].strip("%")) < 0.5,
    "no conflict is left of 4-byte elements up to 1,024": lambda d: all(
        row[2] == "0" for row in d["banks"]["sizes"][:-1]
    ),
    "8-byte elements keep conflicts at every size": lambda d: all(
        number(row[9]) > 0 for row in d["banks"]["sizes"]
    ),
    "a second level costs instructions and time up to 1,024": lambda d: all(
        row[5] > row[2] and row[6] > row[3] for row in paradox(d)[:2]
    ),
    "at 2,048 it executes fewer instructions and is slower": lambda d: (
        paradox(d)[2][5] < paradox(d)[2][2] and paradox(d)[2][6] > paradox(d)[2][3]
    ),
    "contiguous threads keep fewer warps active and are not faster": lambda d: all(
        number(row[0]) < 0.4 and number(row[-1]) >= 1 for row in ratios(d).values()
    ),
    "in the padded reduction they issue fewer instructions": lambda d: (
        number(ratios(d)["reduction, padded"][2]) < 1
    ),
    "in the padded scan of Brent and Kung they issue more": lambda d: (
        number(ratios(d)["Brent-Kung, padded"][2]) > 1
    ),
    "reduce-then-scan moves less, issues more and is slower": lambda d: (
        d["vectors"]["instructions"]["reduce_then_scan"] > d["vectors"]["instructions"]["three_phase"]
        and number(d["vectors"]["at"]["reduce_then_scan"]) > number(d["vectors"]["at"]["three_phase"])
    ),
    "the exclusive look-back is faster": lambda d: (
        number(d["vectors"]["look_back_us"][1]) < number(d["vectors"]["look_back_us"][0])
    ),
    "the host's spine is slower at every length": lambda d: all(
        number(row[-1]) > 1 for row in d["vectors"]["spine"]["rows"]
    ),
    "odd words are the idea worth most": lambda d: (
        max(d["fast"]["ideas"]["worst"], key=lambda key: number(d["fast"]["ideas"]["worst"][key])) == "words"
    ),
    "no scan and no reduction loses by more than the noise": lambda d: (
        d["fast"]["scan"]["lost"] == d["fast"]["reduce"]["lost"] == "none"
    ),
    "in tiles of 64 two levels of padding are as fast as one": lambda d: (
        d["banks"]["sizes"][0][5] == d["banks"]["sizes"][0][6]
    ),
    "look-back is the first to take about twice a copy's time": lambda d: (
        number(d["vectors"]["at"]["look_back"]) < 2.1
        and min(number(d["vectors"]["at"][each]) for each in ("three_phase", "reduce_then_scan")) > 3
    ),
    "all runs of CUB's float scan may differ": lambda d: d["noted"]["distinct"]["cub_device"] == "100",
    "all runs of our fast scan are equal": lambda d: d["noted"]["distinct"]["ring"] == "1",
}


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_paper_says_holds(numbers, sentence):
    assert SAID[sentence](numbers)


@pytest.mark.parametrize(
    ("ratio", "at_least", "said"),
    [(0.93, 0.95, "0.93 for 0.95"), (1.698, 1.7, "1.698 for 1.700"), (0.9521, 0.9524, "0.9521 for 0.9524")],
)
def test_a_missed_target_differs_from_what_was_reached(ratio, at_least, said):
    target = Target("scan 2^28 int8, sum: of the copy", "", (), at_least, None)
    assert missed_by((target, ratio, MISSED)) == f"{said} (2²⁸ int8)"


def test_padded_trees_are_limited_as_the_caption_says():
    model = json.loads((ROOT / "figures/model.json").read_text())
    said = {
        64: "blocks",
        128: "blocks",
        256: "issue banks",
        512: "issue",
        1024: "issue",
        2048: "issue latency",
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
    assert [each["cause"] for each in padded] == ["issue", ""], "of the padded forms one is explained"
    limits = [each["limiter"] for each in model["cases"] if each["claim"] == "divergence"]
    assert limits.count("banks") == len(limits) / 2, "the pipe limits half"
