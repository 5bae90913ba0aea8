"""Counts of other architectures: the table that make generations writes, and what is printed of it."""

import json
import re
from pathlib import Path

import pandas
import pytest
import typst

from analysis.core import claims
from analysis.core.causes import OF_COMPILER
from analysis.core.loading import load
from analysis.report import generations
from analysis.report.generations import COMPARED, INSTRUCTIONS
from analysis.report.printed.generations import contents
from analysis.report.sections import NO_ORDER
from analysis.test.claims import recorded_counts
from analysis.test.made_up import counted_row, document, write

ROOT = Path(__file__).resolve().parents[2]
TABLE = pandas.read_csv(ROOT / "results/simt/generations.csv")
OTHERS = [f"sm_{number}" for number in (75, 80, 86, 89, 100, 120)]
pytestmark = pytest.mark.xdist_group("paper")

LAUNCH = "{case},0,{kernel},{blocks},{threads},32,0,1,1"
NAME = "scan/hillis_steele/index:plain/tile:64/n:64"


@pytest.fixture
def other(folders):
    """A folder for the counts of sm_75, and what puts counts there: rows, and the launch of each."""
    folder = folders[0].parent / "build/generations/sm_75"
    folder.mkdir(parents=True)
    return folder


def count(folder: Path, claim: str, rows: list[dict], blocks: int = 1) -> None:
    """Counts and launches of a claim, in a folder of counts."""
    write(folder.parent, folder.name, document(claim, rows))
    header = "case,launch,kernel,blocks,threads,registers,shared_bytes,sectors_read,sectors_written"
    of_case = {"kernel": "scan_tiles", "blocks": blocks, "threads": 64}
    lines = [header, *(LAUNCH.format(case=row["name"], **of_case) for row in rows)]
    (folder / f"{claim}.launches.csv").write_text("\n".join(lines) + "\n")


def row_of(folders, other, once: dict, now: dict, **how) -> dict:
    """The row of a claim with one case: on sm_90, and on sm_75."""
    count(folders[0] / "simt", "work", [counted_row(NAME, **once)])
    count(other, "work", [counted_row(NAME, **now)], **how)
    return generations.row("work", other, folders[0])


def test_a_row_has_the_cells_and_what_differs(folders, other):
    once = {"ops": 30, "warp_instructions": 100, "branches": 0, "barriers": 4}
    now = {"ops": 30, "warp_instructions": 75, "branches": 9, "barriers": 4}
    found = row_of(folders, other, once, now)
    assert found["cases"] == 1 and found["relaunched"] == 0
    assert (found["cells"], found["equal"]) == (4, 2)
    assert found["quantities"] == "warp_instructions:0/1 branches:0/1 ops:1/1 barriers:1/1"
    assert (found["largest"], found["of"]) == (0.25, "warp_instructions"), "from 0 there is no ratio"
    assert (found["fewest"], found["most"]) == (0.75, 0.75)


def test_what_is_launched_otherwise_is_not_compared(folders, other):
    found = row_of(folders, other, {"ops": 30}, {"ops": 31}, blocks=2)
    assert (found["cases"], found["relaunched"], found["cells"], found["quantities"]) == (1, 1, 0, "")


def test_what_depends_on_the_order_of_blocks_is_not_compared(folders, other):
    once = {"ops": 30, "barriers": 2, "varies_ops": 1}
    assert row_of(folders, other, once, {"ops": 31, "barriers": 2})["quantities"] == "barriers:1/1"


CAUSES = {
    "merged": (
        {"shared_load_requests": 10, "shared_loads_of_8_bytes": 2},
        {"shared_load_requests": 12, "shared_loads_of_8_bytes": 0},
    ),
    "moved": (
        {"ops": 64, "warp_ops": 8, "barriers": 2, "active_warps": 4},
        {"ops": 64, "warp_ops": 8, "barriers": 2, "active_warps": 6},
    ),
    "hoisted": ({"ops": 60, "warp_ops": 2, "barriers": 2}, {"ops": 64, "warp_ops": 2, "barriers": 2}),
}


@pytest.mark.parametrize("cause", [cause.name for cause in OF_COMPILER])
@pytest.mark.parametrize("reverse", [False, True])
def test_a_cause_is_told_whichever_of_the_two_has_it(cause, reverse, folders, other):
    once, now = CAUSES[cause][::-1] if reverse else CAUSES[cause]
    assert row_of(folders, other, once, now)["causes"] == f"{cause}:1"


def test_other_differences_have_no_cause(folders, other):
    once, now = ({"shared_load_requests": each, "shared_loads_of_8_bytes": 0} for each in (10, 12))
    assert row_of(folders, other, once, now)["causes"] == ""


def test_a_verdict_that_changes_is_told_with_its_reason(folders, other):
    counts = recorded_counts("work")
    count(folders[0] / "simt", "work", counts)
    count(other, "work", [row | {"ops": row["ops"] + 1} for row in counts])
    found = generations.row("work", other, folders[0])
    assert (found["count"], found["count_sm_90"]) == ("refuted", "confirmed")
    assert "operations" in found["why"] or "ops" in found["why"]
    assert load(folders[0], "work")[0].counted.count("ops", **first_of(counts)) == counts[0]["ops"]


def first_of(counts: list[dict]) -> dict:
    operation, algorithm, *levels = counts[0]["name"].split("/")
    pairs = dict(level.split(":") for level in levels)
    factors = {name: int(level) if level.isdigit() else level for name, level in pairs.items()}
    return {"operation": operation, "algorithm": algorithm} | factors


def test_what_is_not_counted_says_why(folders, other):
    (other / "work.why").write_text("work: 3 cases\nwork: wrong result, nothing was measured: a, 3 for 4\n\n")
    said = "work: wrong result, nothing was measured: a, 3 for 4"
    about = {"claim": "work", "architecture": "sm_75"}
    assert generations.row("work", other, folders[0]) == about | {"why": said}
    assert generations.row("depth", other, folders[0])["why"] == "not counted"
    (other / "work.why").write_text("FAILED: work.cu.o\n/home/me/work/work.cu:9:2: error: no such thing\n")
    assert generations.row("work", other, folders[0])["why"] == "work.cu:9:2: error: no such thing"


def test_the_table_has_why_nothing_was_counted(folders, other):
    for claim in generations.in_order():
        (other / f"{claim}.why").write_text("nvcc: error\n")
    generations.write(folders[0], other.parents[1])
    made = pandas.read_csv(folders[0] / "simt/generations.csv")
    assert made["why"].unique().tolist() == ["nvcc: error"]


def test_what_is_not_counted_anew_keeps_its_row(folders, other):
    first, second, *_ = generations.in_order()
    for claim in generations.in_order():
        (other / f"{claim}.why").write_text("nvcc: error\n")
    generations.write(folders[0], other.parents[1])
    (other / f"{first}.why").unlink()
    (other / f"{second}.why").write_text("nvcc: another error\n")
    generations.write(folders[0], other.parents[1])
    found = pandas.read_csv(folders[0] / "simt/generations.csv").set_index("claim")["why"]
    assert found[first] == "nvcc: error" and found[second] == "nvcc: another error"


def test_the_committed_table_has_every_claim_and_architecture():
    listed = [name for name in claims.names() if claims.stated(name)["order"] < NO_ORDER]
    known = re.findall(r'^ *\{(\d+), "', (ROOT / "simt/loader/architecture.cpp").read_text(), re.MULTILINE)
    assert [f"sm_{number}" for number in known if number != "90"] == OTHERS
    rows = list(TABLE[["claim", "architecture"]].itertuples(index=False, name=None))
    assert len(rows) == len(set(rows))
    assert set(rows) == {(claim, architecture) for claim in listed for architecture in OTHERS}


def test_the_committed_table_adds_up():
    for row in TABLE.dropna(subset="cells").itertuples():
        listed = [re.fullmatch(r"(\w+):(\d+)/(\d+)", each) for each in str(row.quantities).split()]
        assert {each[1] for each in listed} <= {*COMPARED}
        assert sum(int(each[2]) for each in listed) == row.equal
        assert sum(int(each[3]) for each in listed) == row.cells


def test_the_committed_table_is_of_these_verdicts():
    """Of other kernels or rules it is stale: run make generations."""
    for claim, found in TABLE.groupby("claim"):
        document = json.loads((ROOT / f"figures/{claim}.json").read_text())
        assert {*found["count_sm_90"].dropna()} <= {document["verdict"]["count"]}
        assert {*found["cases"].dropna()} <= {document["machines"]["counted"]["cases"]}


def printed(name: str, committed: dict, table: pandas.DataFrame, folder: Path) -> str:
    """The paragraphs of paper or supplement with this table in place of the committed one, in one line."""
    (folder / "simt").mkdir(parents=True)
    table.to_csv(folder / "simt/generations.csv", index=False)
    data = json.dumps(committed | {"generations": contents(folder)})
    found = typst.query(ROOT / f"paper/{name}.typ", "par", root="/", sys_inputs={"report": data})
    return " ".join(" ".join(text_of(each["body"]) for each in json.loads(found)).split())


def text_of(body: dict) -> str:
    if "children" in body:
        return "".join(map(text_of, body["children"]))
    inner = body.get("child") or body.get("body")
    return text_of(inner) if inner else body.get("text", " " if body["func"] == "space" else "")


def cells(table: pandas.DataFrame, of_code: bool) -> tuple[int, int]:
    """Equal cells and cells, of instructions and branches or of all else."""
    listed = " ".join(table["quantities"].dropna()).split()
    each = [re.fullmatch(r"(\w+):(\d+)/(\d+)", part).groups() for part in listed]
    own = [(int(equal), int(every)) for name, equal, every in each if (name in INSTRUCTIONS) == of_code]
    return sum(equal for equal, _ in own), sum(every for _, every in own)


@pytest.mark.parametrize("name", ["paper", "supplement"])
def test_every_number_is_of_the_table(name, committed, tmp_path):
    said = printed(name, committed, TABLE, tmp_path)
    (equal, every), code = cells(TABLE, of_code=False), cells(TABLE, of_code=True)
    changed = TABLE.dropna(subset="count").query("count != count_sm_90")
    judged = len(TABLE.dropna(subset="count"))
    instructions = f"{TABLE['fewest'].min():.2f} to {TABLE['most'].max():.2f} times"
    numbers = [
        f"{equal / every:.1%} of the counts",
        f"Of {judged} verdicts on counts {len(changed)} would change",
    ]
    if name == "supplement":
        numbers = [f"{one:,} of {other:,} cells have sm_90’s count" for one, other in ((equal, every), code)]
        numbers += [f"Of the other {every - equal:,} cells that differ", f"{judged} times in all"]
        numbers += [f"{TABLE['relaunched'].sum():.0f} of {TABLE['cases'].sum():,.0f} cases"]
    assert [each for each in [instructions, *numbers] if each not in said] == []
    assert "unchecked" in said


@pytest.mark.parametrize("name", ["paper", "supplement"])
def test_other_numbers_are_printed_of_another_table(name, committed, tmp_path):
    """Made up: nothing differs but a verdict, and one claim is not counted."""
    table = TABLE.assign(
        quantities="warp_instructions:1/4 ops:3/3", causes=None, fewest=0.5, most=2.0, relaunched=0, cases=9
    )
    table = table.assign(count="confirmed", count_sm_90="confirmed", why=None)
    first = table.index[table["claim"] == "padding"][1]
    table.loc[first, ["count", "why"]] = ["refuted", "It has `35` conflicts."]
    table.loc[table.index[-1], ["quantities", "cells", "count", "why"]] = [
        None,
        None,
        None,
        "nvcc: no such thing",
    ]
    said = printed(name, committed, table, tmp_path)
    rows = len(table)
    assert "0.50 to 2.00 times" in said
    if name == "paper":
        assert "100.0% of the counts" in said
        assert f"Of {rows - 1} verdicts on counts 1 would change." in said
    else:
        assert f"{3 * (rows - 1):,} of {3 * (rows - 1):,} cells have sm_90’s count" in said
        assert f"{rows - 1} of {4 * (rows - 1):,} cells have sm_90’s count" in said
        assert "would be refuted instead of confirmed on sm_80: It has" in said
        assert "Not counted on sm_120" in said and "nvcc: no such thing." in said


@pytest.mark.parametrize("name", ["paper", "supplement"])
def test_without_a_change_none_is_told(name, committed, tmp_path):
    table = TABLE.assign(count="confirmed", count_sm_90="confirmed", why=None)
    assert "No verdict on a count would change." in printed(name, committed, table, tmp_path)


def test_without_the_table_nothing_is_said(folders):
    assert contents(folders[0]) is None
