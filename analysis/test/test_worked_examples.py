"""The sources' worked examples as recorded: each step, and where the printed values differ."""

import re
from pathlib import Path

import pytest

from analysis.core import plotting
from analysis.core.errors import EvidenceError
from analysis.core.evidence import Evidence
from analysis.core.loading import read
from analysis.test.claims import recorded_counts
from analysis.test.made_up import counted_row, document, evidence, write, write_table
from experiments.block.worked_examples import analysis as worked_examples
from experiments.block.worked_examples import examples, grids
from experiments.block.worked_examples.errata import errata

ROOT = Path(__file__).resolve().parents[2]
CLAIM = "worked_examples"
COUNTED = ROOT / f"results/simt/{CLAIM}.jsonl"


@pytest.fixture(scope="module")
def counted():
    return read(COUNTED)


def values(counted, example: str) -> dict[str, list[int]]:
    steps = examples.steps_of(counted, example)
    return {name: [int(value) for value in step.values.values()] for name, step in steps.items()}


# Derived by hand: shared memory after each step.
STEPS = {
    "six": {
        "input": [1, 2, 5, 7, 9, 6],
        "1": [1, 3, 7, 12, 16, 15],
        "2": [1, 3, 8, 15, 23, 27],
        "4": [1, 3, 8, 15, 24, 30],
    },
    "inclusive": {
        "input": [1, 2, 3, 4, 5, 6, 7, 8],
        "1": [1, 3, 5, 7, 9, 11, 13, 15],
        "2": [1, 3, 6, 10, 14, 18, 22, 26],
        "4": [1, 3, 6, 10, 15, 21, 28, 36],
    },
    "exclusive": {
        "input": [1, 2, 3, 4, 5, 6, 7, 8],
        "up1": [1, 3, 3, 7, 5, 11, 7, 15],
        "up2": [1, 3, 3, 10, 5, 11, 7, 26],
        "up4": [1, 3, 3, 10, 5, 11, 7, 36],
        "root": [1, 3, 3, 10, 5, 11, 7, 0],
        "down4": [1, 3, 3, 0, 5, 11, 7, 10],
        "down2": [1, 0, 3, 3, 5, 10, 7, 21],
        "down1": [0, 1, 3, 6, 10, 15, 21, 28],
    },
    "mask": {
        "input": [1, 0, 0, 1, 1, 1, 0, 0],
        "up1": [1, 1, 0, 1, 1, 2, 0, 0],
        "up2": [1, 1, 0, 2, 1, 2, 0, 2],
        "up4": [1, 1, 0, 2, 1, 2, 0, 4],
        "root": [1, 1, 0, 2, 1, 2, 0, 0],
        "down4": [1, 1, 0, 0, 1, 2, 0, 2],
        "down2": [1, 0, 0, 1, 1, 2, 0, 4],
        "down1": [0, 1, 1, 1, 2, 3, 4, 4],
    },
    "steps": {
        "input": [3, 1, 7, 0, 4, 1, 6, 3],
        "1": [3, 4, 8, 7, 4, 5, 7, 9],
        "2": [3, 4, 11, 11, 12, 12, 11, 14],
        "4": [3, 4, 11, 11, 15, 16, 22, 25],
    },
    "tree": {
        "input": [3, 1, 7, 0, 4, 1, 6, 3],
        "up1": [3, 4, 7, 7, 4, 5, 6, 9],
        "up2": [3, 4, 7, 11, 4, 5, 6, 14],
        "up4": [3, 4, 7, 11, 4, 5, 6, 25],
        "root": [3, 4, 7, 11, 4, 5, 6, 0],
        "down4": [3, 4, 7, 0, 4, 5, 6, 11],
        "down2": [3, 0, 7, 4, 4, 11, 6, 16],
        "down1": [0, 3, 4, 11, 11, 15, 16, 22],
    },
}


@pytest.mark.parametrize("example", STEPS)
def test_the_steps_are_those_worked_by_hand(example, counted):
    assert values(counted, example) == STEPS[example]


def test_the_steps_of_sixteen(counted):
    """Element i is 2^i, so the bits of a value identify its summands."""
    steps = examples.steps_of(counted, "sixteen")
    assert list(steps) == ["input", "up1", "up2", "up4", "up8", "down4", "down2", "down1"]
    up = [grids.bits_in_words(value) for value in steps["up8"].values.values()]
    assert up[:8] == ["0", "0–1", "2", "0–3", "4", "4–5", "6", "0–7"]
    assert up[8:] == ["8", "8–9", "10", "8–11", "12", "12–13", "14", "0–15"]
    assert steps["down4"].written == {11} and steps["down2"].written == {5, 9, 13}
    last = [grids.bits_in_words(value) for value in steps["down1"].values.values()]
    assert last == ["0", *(f"0–{element}" for element in range(1, 16))]


def test_results(counted):
    assert examples.result_of(counted, "six") == [1, 3, 8, 15, 24, 30, 30]  # including the total
    assert examples.result_of(counted, "kept") == [1, 3, 5, 2]
    assert examples.result_of(counted, "tree") == [0, 3, 4, 11, 11, 15, 16, 22, 25]
    assert examples.result_of(counted, "prefixes") == [i * (i + 1) // 2 for i in range(20)]
    for example in ("prefixes", "sum"):
        assert counted.count("result_last", example=example) == 2048 * 2049 // 2


def test_what_is_marked(counted):
    marks = {example: examples.marks_of(counted, example) for example in worked_examples.PANELS}
    assert marks["six"] == marks["inclusive"] == marks["exclusive"] == marks["tree"] == {}
    assert marks["mask"] == {("down1", None): "4"}
    assert {place[1]: printed for place, printed in marks["steps"].items() if place[0] == "1"} == {
        2: "7",
        6: "6",
    }
    assert [place[0] for place in marks["steps"]] == ["1"] * 2 + ["2"] * 6 + ["4"] * 5
    assert examples.marks_of(counted, "sixteen") == {
        ("up8", 1): "",
        ("up8", 3): "",
        ("down4", None): "8",
        ("down1", 14): "",
    }


def test_the_drawing_shows_values_and_marks(counted):
    with plotting.house_style():
        drawn = worked_examples.figure(Evidence(counted.claim, counted, None))
    panel = drawn.axes[worked_examples.PANELS.index("steps")]
    red = [box for box in panel.patches if box.get_linewidth() > 0]
    said = [each.get_text() for each in panel.texts]
    assert len(panel.patches) == 4 * 8 and len(red) == 13
    assert said[:8] == ["3", "1", "7", "0", "4", "1", "6", "3"]
    assert len(said) == 4 * 8 + 13  # values, and differing values that the source prints
    names = [tick.get_text() for tick in drawn.axes[worked_examples.PANELS.index("mask")].get_yticklabels()]
    assert names[-1] == "down 1, not 4"
    assert grids.label("up2", {}) == "up 2" and grids.label("root", {}) == "root"


def rows_of(evidence: Evidence) -> dict[str, list[str]]:
    found = errata(evidence, worked_examples.SOURCES)
    return {row[1]: row for row in found}


def test_the_table_of_errors_is_computed(counted):
    rows = rows_of(Evidence(counted.claim, counted, None))
    assert len(rows) == 14
    said = " ".join(" ".join(row) for row in rows.values())
    for part in (
        "13 of 24 numbers are wrong; after stride 1 it is [3 4 8 7 4 5 7 9].",
        "Read as the up-sweep of a tree, 7 are.",
        "29 for sixteen elements. 26, which is 2 n − 2 − log n",
        "0, 1, 3, 7 and 15 do",
        "stops at 1,024 × 1,024 = 1,048,576 elements",
        "shows 12 and 6 active at strides 2 and 4",
        "the sum is 2,098,176",
        "From threads 1, 2 and 4 on",
    ):
        assert part in said
    named = {path for row in rows.values() for path in re.findall(r"`([^`]+)`", row[3])}
    assert named == {"simt/test/machine/sources.cu"}
    assert all((ROOT / path).exists() for path in named)


def test_an_error_that_is_none_leaves_the_table(folders):
    def prints_operations(**changes) -> bool:
        rows = [
            row | (changes if "sixteen" in row["name"] else {}) for row in recorded_counts("worked_examples")
        ]
        return any(
            "operations, which is" in said for said in rows_of(evidence(folders[0], CLAIM, rows, None))
        )

    assert prints_operations()
    assert not prints_operations(rule_ops_0=26)
    assert not prints_operations(rule_ops_0=None)


SHARED = "case,launch,step,array,word,value\n"


def test_a_record_of_other_steps_is_one_clear_line(folders):
    name = "scan/blelloch/source:padrao/example:tree/n:8"
    path = write(folders[0], "simt", document(CLAIM, [counted_row(name, ops=1, printed=0)]))
    write_table(path, "shared", f"{SHARED}{name},0,0,memory,1,1065353216\n")
    with pytest.raises(EvidenceError, match="tree has 1 steps, not 8"):
        examples.steps_of(read(path), "tree")
