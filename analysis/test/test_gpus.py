"""Further GPUs beside the first: verdicts, causes, predictions, shares of a copy, what is said of them."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import typst

from analysis.__main__ import main
from analysis.core.files import read_csv
from analysis.core.loading import load
from analysis.model.clock import AGAIN, PRICES
from analysis.model.kernels import Kernel
from analysis.report.gpus import verdicts
from analysis.report.gpus.drawing import title_of
from analysis.report.gpus.foretold import CHANGED, Foretold, foretold
from analysis.report.gpus.verdicts import COLUMNS, OPEN, WITNESSES, cause_of
from analysis.report.printed.contents import contents
from analysis.test.claims import recorded_counts, recorded_times
from analysis.test.made_up import document, timed_rows, write
from analysis.test.test_supplement import heading_text

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
FIRST, FURTHER = "NVIDIA H200", "Another"
WITNESS = read_csv(WITNESSES, COLUMNS).set_index("claim").loc["single_pass"]


def record(
    results: Path, claim: str, times: dict, gpu: str = FIRST, machine: str = "nvidia-h200", gpus: int = 1
):
    made = document(claim, timed_rows(times), gpu=gpu)
    made["context"]["machine"]["gpus"] = gpus
    write(results, machine, made)


def compared(folders) -> list[dict]:
    results, figures = folders
    assert main([f"--results={results}", f"--figures={figures}"]) == 0
    assert main(["--gpus", f"--results={results}", f"--figures={figures}"]) == 0
    return json.loads((figures / "gpus.json").read_text())["gpus"]


def test_with_one_gpu_there_is_nothing_beside_it(folders):
    write(folders[0], "simt", document("work", recorded_counts("work")))
    record(folders[0], "work", recorded_times("work"))
    assert compared(folders) == []
    assert contents(*folders)["further_gpus"] == []


@pytest.mark.full
def test_verdicts_stand_side_by_side(folders):
    for claim in ("work", "block_sums"):
        write(folders[0], "simt", document(claim, recorded_counts(claim)))
        record(folders[0], claim, recorded_times(claim))
    times = recorded_times("work")
    slower = {
        name: time * (3 if "brent_kung" in name or "blelloch" in name else 1) for name, time in times.items()
    }
    record(folders[0], "work", slower, FURTHER, "another")
    record(folders[0], "block_sums", recorded_times("block_sums"), FURTHER, "another")
    (found,) = compared(folders)
    assert (found["folder"], found["names"], found["model"]) == ("another", [FIRST, FURTHER], None)
    assert found["verdicts"]["claims"] == 2
    changed = [*found["verdicts"]["differing"], *found["verdicts"]["elsewhere"]]
    assert changed == ["work"] and found["verdicts"]["causes"] == {"work": OPEN}
    speeds = found["verdicts"]["speeds"]
    assert len(set(speeds["block_sums"])) == 1 and len(set(speeds["work"])) == 2
    assert not list(folders[1].glob("gpus.*.svg")), "without prices nothing is predicted"
    data = contents(*folders)
    assert [each["folder"] for each in data["further_gpus"]] == ["another"]
    assert all(len(each["documents"]) == 1 for each in data["claims"]), "a page a claim, of the first GPU"
    assert data["how_many_gpus"] == "Two"


def test_a_further_gpu_that_goes_takes_its_figure_along(folders):
    write(folders[0], "simt", document("work", recorded_counts("work")))
    record(folders[0], "work", recorded_times("work"))
    folders[1].mkdir(exist_ok=True)
    (folders[1] / "gpus.another.svg").write_text("old")
    assert compared(folders) == []
    assert not (folders[1] / "gpus.another.svg").exists()


def cause(folders, own: float, limit: float, claim: str = "single_pass", gpus: int = 1) -> str:
    """By how often as long a witness and its limit take on a further GPU."""
    record(folders[0], claim, {WITNESS.case: 10.0, WITNESS.limit_case: 10.0})
    times = {WITNESS.case: 10.0 * own, WITNESS.limit_case: 10.0 * limit}
    record(folders[0], claim, times, FURTHER, "another", gpus)
    return cause_of(claim, *load(folders[0], claim))


def test_a_cause_needs_its_witness(folders):
    said = "bytes cost more: a copy takes 1.40 times as long, CUB's look-back of int64 1.20 times"
    assert cause(folders, 1.2, 1.4) == said
    assert cause(folders, 1.4, 1.2).startswith("a copy takes 1.20 times as long"), "no bytes that cost more"
    assert cause(folders, 1.4, 1.4) == OPEN
    assert cause(folders, 0.8, 0.9) == OPEN
    assert cause(folders, 1.2, 1.4, claim="work") == OPEN
    assert cause(folders, 1.4, 1.4, gpus=2).startswith("the machine of the NVIDIA H200 had 1 GPU and")


def test_a_case_that_one_has_not_timed_is_no_witness(folders):
    record(folders[0], "single_pass", {WITNESS.case: 10.0, WITNESS.limit_case: 10.0})
    record(folders[0], "single_pass", {WITNESS.case: 12.0}, FURTHER, "another")
    assert cause_of("single_pass", *load(folders[0], "single_pass")) == OPEN


def kernels(predicted: tuple[float, ...], measured: tuple[float, ...]) -> list[Kernel]:
    return [
        Kernel("a", f"case {k}", 1 << 26, us, prediction, (f"code {k}",))
        for k, (prediction, us) in enumerate(zip(predicted, measured, strict=True))
    ]


MADE = Foretold(
    first=kernels(predicted=(110.0, 100.0, 100.0), measured=(100.0, 100.0, 100.0)),
    further=kernels(predicted=(110.0, 100.0, 140.0), measured=(100.0, 100.0, 140.0)),
)


def test_a_prediction_is_judged_beside_the_plain_guess():
    found = MADE.errors()
    assert MADE.changed.tolist() == [False, False, True]
    assert found["predicted"]["mean"] == pytest.approx(0.1 / 3)
    assert found["same_time"]["mean"] == pytest.approx((0.4 / 1.4) / 3)
    assert found["scaled"]["mean"] == pytest.approx(0.0)
    assert found["predicted_changed"]["cases"] == found["same_time_changed"]["cases"] == 1
    assert found["predicted_changed"]["mean"] == 0
    assert "predicted_changed" not in replace(MADE, further=MADE.first).errors()


def test_a_title_says_which_is_closer():
    assert title_of({1: 0.5, 2: 0.9}, {2: 0.95}) == "A scan comes closer to the speed of a copy: 95%"
    assert title_of({2: 0.95}, {2: 0.9}) == "A scan comes no closer to the speed of a copy: 90%"
    assert title_of({1: 0.5}, {2: 0.9}) == "A scan's share of a copy"


# --- What is committed


@pytest.fixture(scope="module")
def committed() -> dict:
    (found,) = json.loads((ROOT / "figures/gpus.json").read_text())["gpus"]
    return found


@pytest.mark.full
def test_every_kernel_that_both_have_timed_is_judged(committed):
    found = foretold(RESULTS, committed["folder"])
    assert [each.where() for each in found.first] == [each.where() for each in found.further]
    assert committed["model"]["errors"]["predicted"]["cases"] == len(found.first) > 200
    assert foretold(RESULTS, "none") is None


# What the report says in words, and what must hold for it.
SAID = {
    "the clock is as good on another GPU": lambda d: (
        d["model"]["errors"]["predicted"]["mean"] < d["model"]["errors"]["first"]["mean"] + 0.02
        and d["model"]["errors"]["predicted"]["within_20"] > 0.9
    ),
    "where the time differs the prediction is nearer than the plain guess": lambda d: (
        d["model"]["errors"]["predicted_changed"]["mean"]
        < d["model"]["errors"]["same_time_changed"]["mean"] / 2
    ),
    "a time with the predicted change is off by less than the prediction": lambda d: (
        d["model"]["errors"]["scaled"]["mean"] < d["model"]["errors"]["predicted"]["mean"]
    ),
    "most prices are the same, a byte costs more": lambda d: (
        d["model"]["alike"]["same"] > d["model"]["alike"]["prices"] / 2 and d["model"]["byte"]["read"] > 1.3
    ),
    "each verdict that differs has a cause": lambda d: (
        d["verdicts"]["differing"]
        and all(d["verdicts"]["causes"][each] != OPEN for each in d["verdicts"]["differing"])
    ),
    "long scans come closer to a copy": lambda d: all(
        further > first for n, (first, further) in d["shares"]["by_length"].items() if int(n) >= 1 << 24
    ),
    "no count differs without a cause": lambda d: d["counters"]["unexplained"] == "0",
    "both run the same machine code": lambda d: d["model"]["code_is_same"],
}


@pytest.mark.parametrize("sentence", SAID)
def test_what_the_report_says_holds(committed, sentence):
    assert SAID[sentence](committed)


def test_the_readme_says_what_holds_on_it(committed):
    said = " ".join((ROOT / "README.md").read_text().split())
    own, name = committed["model"]["in_words"], committed["names"][-1]
    assert f"is off by {own['predicted']['mean']} on average over {own['kernels']} kernels there" in said
    found = committed["verdicts"]
    assert f"{name} {found['same']} of {found['claims']} verdicts are the same" in said
    assert f"more than {CHANGED:.0%} they are off by {own['same_time_changed']['mean']}" in said


def test_its_figures_are_committed(committed):
    folder = committed["folder"]
    assert (ROOT / f"figures/gpus.{folder}.svg").exists()
    for claim in ("work", "single_pass"):
        assert (ROOT / f"figures/{claim}.{folder}.json").exists()


def test_folders_are_those_of_the_times():
    assert verdicts.folder_of({"machines": {"timed": None}}) == ""


COPIED, SLOWER = ("work", "shuffle", "copy_speed", "compaction", "recursion"), 1.25
TABLES = ("wavefronts", "metrics", "clock")


def altered(folders) -> None:
    """The first GPU's recordings of some claims, and a copy of them of a GPU whose kernels take longer."""
    for machine in ("simt", "nvidia-h200"):
        (folders[0] / machine).mkdir()
        for path in (ROOT / "results" / machine).iterdir():
            if path.name.split(".")[0] in (*COPIED, *TABLES):
                (folders[0] / machine / path.name).write_bytes(path.read_bytes())
    (folders[0] / "nvidia-copy").mkdir()
    for table in (PRICES, AGAIN):
        shutil.copy(folders[0] / "nvidia-h200" / table, folders[0] / "nvidia-copy" / table)
    for path in (folders[0] / "nvidia-h200").glob("*.jsonl"):
        context, *cases = map(json.loads, path.read_text().splitlines())
        context["machine"]["name"] = "NVIDIA Copy"
        for case in cases:
            if "times_us" in case:
                case["times_us"] = [SLOWER * time for time in case["times_us"]]
        text = "".join(json.dumps(each) + "\n" for each in (context, *cases))
        (folders[0] / "nvidia-copy" / path.name).write_text(text)


@pytest.mark.full
def test_a_copied_and_altered_recording_is_a_section_of_the_paper(folders, undrawn):
    """With its section the paper says how far the clock is off there; without it there is none."""
    altered(folders)
    places = [f"--results={folders[0]}", f"--figures={folders[1]}"]
    assert main(["--model", *places]) == main([*COPIED, *places]) == main(["--gpus", *places]) == 0
    (other,) = json.loads((folders[1] / "gpus.json").read_text())["gpus"]
    said = other["model"]["in_words"]
    assert other["names"] == ["NVIDIA H200", "NVIDIA Copy"]
    assert float(said["predicted"]["mean"].rstrip("%")) > float(said["first"]["mean"].rstrip("%")) + 5
    assert float(said["same_time"]["mean"].rstrip("%")) == pytest.approx(100 - 100 / SLOWER, abs=1)
    assert other["verdicts"]["same"] == len(COPIED)

    data = contents(ROOT / "results", ROOT / "figures")
    titles = {
        found: [
            heading_text(each["body"]) for each in headings_of(data | {"further_gpus": found and [other]})
        ]
        for found in ((), ("one",))
    }
    assert "A second GPU" in titles[("one",)] and "A second GPU" not in titles[()]


def headings_of(data: dict) -> list[dict]:
    inputs = {"report": json.dumps(data)}
    return json.loads(typst.query(ROOT / "paper/paper.typ", "heading", root="/", sys_inputs=inputs))
