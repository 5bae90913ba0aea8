"""What this machine measured: judged and drawn apart, set beside what is recorded, never mixed with it."""

import json
import shutil

import pytest

from analysis.__main__ import main
from analysis.core import files
from analysis.core.evidence import Evidence
from analysis.core.loading import read
from analysis.report import local
from analysis.report.printed import typesetting
from analysis.test.claims import recorded_counts, recorded_times
from analysis.test.made_up import document, timed_rows, write
from analysis.test.test_render import contents, draw, record
from experiments.block.work import analysis as work

CLAIMS = ("work", "padding")
pytestmark = pytest.mark.usefixtures("without_layout")


def times(claim: str, factor: float = 1.0) -> list[dict]:
    return [row | {"real_time": row["real_time"] * factor} for row in timed_rows(recorded_times(claim))]


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


def here(folders) -> dict:
    """What the report of this machine prints."""
    return local.contents(folders[0], folders[1].parent / "build")


def of_gpu(folders) -> dict | None:
    return here(folders)["times"]


@pytest.mark.full
def test_they_change_no_committed_figure(drawn):
    before = contents(drawn[1])
    made = measure_here(drawn, "work", times("work", 3.0))
    assert draw(drawn, *CLAIMS) == 0
    assert contents(drawn[1]) == before
    assert files.claims_in(drawn[0]) == sorted(CLAIMS)
    assert made["machines"]["timed"]["file"] == "local/work.jsonl"


@pytest.mark.full
def test_their_figures_say_whose_they_are(drawn):
    measure_here(drawn, "work", times("work"))
    timed = read(drawn[0] / "local/work.jsonl")
    counted = read(drawn[0] / "simt/work.jsonl")
    foot = work.figure(Evidence(timed.claim, counted, timed)).texts[0].get_text()
    assert foot.endswith("Times: this machine's NVIDIA H200.")


@pytest.mark.full
def test_cases_that_differ_do_not_agree(drawn):
    rows = times("work")
    name = rows[0]["name"]
    measure_here(drawn, "work", [row | {"real_time": 9e9} if row["name"] == name else row for row in rows])
    found = of_gpu(drawn)
    cases = len({row["name"] for row in rows})
    assert (found["cases"], found["agree"]) == (str(cases), str(cases - 1))
    (row,) = found["rows"]
    assert row["claim"] == "work" and row["median"] == pytest.approx(1)


@pytest.mark.full
def test_another_verdict_is_named(drawn):
    before = measure_here(drawn, "work", times("work"))
    assert (of_gpu(drawn)["same"], of_gpu(drawn)["other"]) == ("1", "")
    rows = [row | {"real_time": 1e-3} if "hillis" in row["name"] else row for row in times("work")]
    made = measure_here(drawn, "work", rows)
    assert made["recorded"]["verdict"] == before["verdict"]
    assert before["verdict"]["speed"] != made["verdict"]["speed"]
    assert (of_gpu(drawn)["same"], of_gpu(drawn)["other"]) == ("0", "`work`")


@pytest.mark.full
def test_they_are_set_beside_the_same_gpu_or_else_the_first(drawn):
    record(drawn[0], "work", counts=False, gpu="GPU", machine="gpu")
    for gpu, recorded in (("GPU", "GPU"), ("Another", "NVIDIA H200")):
        assert measure_here(drawn, "work", times("work"), gpu=gpu)["recorded"]["gpu"] == recorded


@pytest.mark.full
def test_without_a_recording_they_stand_alone(drawn):
    shutil.rmtree(drawn[0] / "nvidia-h200")
    assert measure_here(drawn, "work", times("work"))["recorded"] is None
    assert of_gpu(drawn)["recorded"] == ""


@pytest.mark.full
def test_the_report_shows_them_only_if_they_were_measured_here(drawn):
    assert of_gpu(drawn) is None
    assert typesetting.typeset(local.SOURCE, here(drawn))
    for claim in CLAIMS:
        measure_here(drawn, claim, times(claim, 1.05))
    found = of_gpu(drawn)
    assert found["agree"] == found["cases"]
    assert all(row["median"] == pytest.approx(1.05) for row in found["rows"])
    build = drawn[1].parent / "build"
    assert main(["--here", f"--results={drawn[0]}", f"--build={build}"]) == 0
    assert (build / "local/report.pdf").read_bytes().startswith(b"%PDF")
    for claim in CLAIMS:
        (drawn[0] / f"local/{claim}.jsonl").unlink()
    assert of_gpu(drawn) is None, "what another GPU left in build/local is not shown"


@pytest.mark.full
def test_seconds_of_counting_stand_beside_the_recorded_ones(drawn):
    build = drawn[1].parent / "build"
    assert here(drawn)["counting"] is None
    (build / "times").mkdir(parents=True)
    (build / "times/work.json").write_text('{"seconds": 2.5}')
    assert here(drawn)["counting"]["rows"] == [["work", 2.5, None], ["all", 2.5, None]]
    (drawn[0] / "simt/seconds.csv").write_text("claim,seconds,machine\nwork,1.5,a laptop\n")
    found = here(drawn)["counting"]
    assert found["rows"] == [["work", 2.5, 1.5], ["all", 2.5, 1.5]]
    assert found["machine"] == "a laptop"


def test_counts_are_needed(folders):
    write(folders[0], "local", document("work", times("work"), gpu="GPU"))
    assert main(["--local", "work", f"--results={folders[0]}"]) == 1
    write(folders[0], "simt", document("work", recorded_counts("work")))
    build = folders[1].parent / "build"
    assert main(["--local", "work", f"--results={folders[0]}", f"--build={build}"]) == 0
