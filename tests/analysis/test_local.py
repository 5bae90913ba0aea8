"""The times of this machine: judged and drawn apart, set beside the recorded ones, never mixed with them."""

import json
import shutil

import pytest
import typst

from analysis import work
from analysis.__main__ import main
from analysis.common import evidence, paper
from analysis.common.evidence import Evidence, read
from tests.analysis.claims import COUNTS, TIMES
from tests.analysis.made_up import document, timed_rows, write
from tests.analysis.test_paper import SOURCE
from tests.analysis.test_render import contents, draw, record

CLAIMS = ("work", "padding")


def times(claim: str, factor: float = 1.0) -> list[dict]:
    return [row | {"real_time": row["real_time"] * factor} for row in timed_rows(TIMES[claim]())]


@pytest.fixture
def drawn(folders):
    """Two claims recorded on an H200, and drawn."""
    for claim in CLAIMS:
        record(folders[0], claim)
    assert draw(folders, *CLAIMS) == 0
    return folders


def measure_here(folders, claim: str, rows: list[dict], gpu: str = "NVIDIA H200") -> dict:
    """Write and draw times of this machine. Returns their document."""
    results, figures = folders
    write(results, "local", document(claim, rows, gpu=gpu))
    build = figures.parent / "build"
    assert main(["--local", claim, f"--results={results}", f"--build={build}"]) == 0
    return json.loads((build / f"local/{claim}.json").read_text())


def of_paper(folders) -> dict | None:
    return paper.contents(*folders, folders[1].parent / "build")["local"]


def test_they_change_no_committed_figure(drawn):
    before = contents(drawn[1])
    made = measure_here(drawn, "work", times("work", 3.0))
    assert draw(drawn, *CLAIMS) == 0
    assert contents(drawn[1]) == before
    assert evidence.claims_in(drawn[0]) == sorted(CLAIMS)
    assert made["machines"]["timed"]["file"] == "local/work.json"


def test_their_figures_say_whose_they_are(drawn):
    measure_here(drawn, "work", times("work"))
    timed = read(drawn[0] / "local/work.json")
    foot = work.figure(Evidence(timed.claim, None, timed)).texts[0].get_text()
    assert foot.endswith("Times: this machine's NVIDIA H200.")


def test_cases_that_differ_do_not_agree(drawn):
    rows = times("work")
    name = rows[0]["name"]
    measure_here(drawn, "work", [row | {"real_time": 9e9} if row["name"] == name else row for row in rows])
    found = of_paper(drawn)
    cases = len({row["name"] for row in rows})
    assert (found["cases"], found["agree"]) == (str(cases), str(cases - 1))
    (row,) = found["table"]["rows"]
    assert row[0] == "work" and row[-3] == "1.00"


def test_another_verdict_is_named(drawn):
    before = measure_here(drawn, "work", times("work"))
    assert (of_paper(drawn)["same"], of_paper(drawn)["other"]) == ("1", "")
    rows = [row | {"real_time": 1e-3} if "hillis" in row["name"] else row for row in times("work")]
    made = measure_here(drawn, "work", rows)
    assert made["recorded"]["verdict"] == before["verdict"]
    assert before["verdict"]["speed"] != made["verdict"]["speed"]
    assert (of_paper(drawn)["same"], of_paper(drawn)["other"]) == ("0", "`work`")


def test_they_are_set_beside_the_same_gpu_or_else_the_first(drawn):
    record(drawn[0], "work", counts=False, gpu="GPU", machine="gpu")
    for gpu, recorded in (("GPU", "GPU"), ("Another", "NVIDIA H200")):
        assert measure_here(drawn, "work", times("work"), gpu=gpu)["recorded"]["gpu"] == recorded


def test_without_a_recording_they_stand_alone(drawn):
    shutil.rmtree(drawn[0] / "nvidia-h200")
    assert measure_here(drawn, "work", times("work"))["recorded"] is None
    assert of_paper(drawn)["recorded"] == ""


def test_the_report_has_a_section_only_with_them(drawn):
    assert of_paper(drawn) is None
    assert "Times of this machine" not in headings(drawn)
    for claim in CLAIMS:
        measure_here(drawn, claim, times(claim, 1.05))
    assert "Times of this machine" in headings(drawn)
    found = of_paper(drawn)
    assert found["agree"] == found["cases"]
    assert {row[-3] for row in found["table"]["rows"]} == {"1.05"}
    paper.typeset(SOURCE, drawn[1].parent / "paper.pdf", *drawn, drawn[1].parent / "build")
    for claim in CLAIMS:
        (drawn[0] / f"local/{claim}.json").unlink()
    assert of_paper(drawn) is None, "what another GPU left in build/local is not shown"


def headings(folders) -> str:
    data = json.dumps(paper.contents(*folders, folders[1].parent / "build"))
    return typst.query(SOURCE, "heading.where(level: 1)", root="/", sys_inputs={"report": data})


def test_counts_are_needed(folders):
    write(folders[0], "local", document("work", times("work"), gpu="GPU"))
    assert main(["--local", "work", f"--results={folders[0]}"]) == 1
    write(folders[0], "simt", document("work", COUNTS["work"]()))
    build = folders[1].parent / "build"
    assert main(["--local", "work", f"--results={folders[0]}", f"--build={build}"]) == 0
