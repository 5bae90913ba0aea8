"""make all in a copy of the project: interrupted, completed, repeated, extended, in this order."""

import json
import shutil
import signal
from collections.abc import Iterable

import pypdfium2
import pytest

from analysis.core import recorded
from experiments.test.project import CLAIMS, FEW, SOURCES, Project

pytestmark = [
    pytest.mark.xdist_group("make"),  # one process runs all of them, in this order
    pytest.mark.full,
]
PAPERS = ("build/paper.pdf", "build/supplement.pdf")
PAGE = "build/page.html"
HERE = "build/local/report.pdf"
NEW = next(name for name in ("demo", *(f"demo_{i}" for i in range(99))) if name not in CLAIMS)
FOLDER = f"experiments/block/{NEW}"

OF_BUILDING = [
    ("^build .* 2 of", 0.2, signal.SIGKILL),
    ("^build .* 5 of", 0.2, signal.SIGINT),
]
OF_COUNTING = [
    ("^count ", 0.2, signal.SIGINT),
    ("^count ", 0.2, signal.SIGKILL),
    ("^draw +model", 1, signal.SIGKILL),
]
OF_THE_REST = [
    (f"^draw +{FEW[0]} ", 0.2, signal.SIGKILL),
    (f"^draw +{FEW[0]} ", 0.2, signal.SIGINT),
    ("^write .*README", 0.3, signal.SIGKILL),
    ("^write .*paper", 0.3, signal.SIGINT),
]
OTHERS = [claim for claim in CLAIMS if claim not in FEW]
OVER_CLAIMS = [f"draw {name}" for name in ("agreement", "further", "model", "overview", "the", "what")]


def stages(output: str) -> list[str]:
    """The stages that make ran after the build, sorted, as some run side by side: "count work", ..."""
    return sorted(
        " ".join(line.split()[:2])
        for line in output.splitlines()
        if line.startswith(("count", "draw", "write"))
    )


def written(*names: str) -> list[str]:
    return [f"write {name}" for name in sorted(names)]


def assert_complete(project: Project, claims: Iterable[str] = CLAIMS) -> None:
    for claim in claims:
        assert recorded.read(project.folder / f"results/simt/{claim}.jsonl").cases
        assert json.loads((project.folder / f"figures/{claim}.json").read_text())["verdict"]
        assert (project.folder / f"figures/{claim}.svg").read_text().rstrip().endswith("</svg>")
    gpus = {path.parent.name for path in project.folder.glob("results/*/*.counters.jsonl")}
    agreement = json.loads((project.folder / "figures/agreement.json").read_text())
    assert {gpu["folder"] for gpu in agreement["gpus"]} == gpus
    assert (project.folder / "figures/agreement.csv").exists() is bool(gpus)
    log = json.loads((project.folder / "figures/log.json").read_text())
    assert bool(log["rounds"]) is (project.folder / "results/nvidia-h200/log.csv").exists()
    staircase, findings = (
        json.loads((project.folder / f"figures/{name}.json").read_text())
        for name in ("staircase", "findings")
    )
    assert (project.folder / "figures/staircase.svg").exists() is bool(staircase["flights"])
    assert "findings" in findings
    for name in (*PAPERS, HERE):
        assert (project.folder / name).read_bytes().startswith(b"%PDF")


def interrupt(project: Project, places: list[tuple]) -> None:
    for line, seconds, how in places:
        project.interrupt(line, seconds, how)
        for result in project.folder.glob("results/simt/*.jsonl"):
            assert "." in result.stem or recorded.read(result)


def test_interrupted_anywhere_it_ends_well(project):
    interrupt(project, OF_BUILDING)
    project.run(".setup/build.sh", "experiments", "traces", "simt-run")
    project.take_over("results/simt", OTHERS, "count.counting(claim, count.COUNTS)")
    interrupt(project, OF_COUNTING)
    project.run(".venv/bin/python", "-m", "analysis", "--model")  # on which every figure depends
    project.take_over("figures", OTHERS, "make.drawn(claim, make.RECORDED, 'figures')")
    interrupt(project, OF_THE_REST)
    assert "done      in" in project.make()
    assert_complete(project)


def test_again_it_does_nothing(project):
    before = project.files()
    project.make_does_nothing()
    assert project.files() == before


def test_an_edited_experiment_reruns_alone(project):
    source = project.folder / SOURCES[FEW[0]]
    source.touch()
    assert stages(project.make("figures")) == [], "the program is compiled anew, and is the same"
    source.write_text(f"\n{source.read_text()}")  # other numbers of lines, which are in the program
    before = project.files()
    assert stages(project.make("figures")) == sorted([f"count {FEW[0]}", f"draw {FEW[0]}", *OVER_CLAIMS])
    assert project.files() == before, "counts or figures differ from run to run"


def test_a_damaged_result_leaves_every_figure(project):
    damaged = project.folder / f"results/nvidia-h200/{FEW[0]}.jsonl"
    content = damaged.read_text()
    damaged.write_text(content[: len(content) // 2])
    before = project.files()
    output = project.make_fails()
    complaints = [line for line in output.splitlines() if line.startswith("analysis: ")]
    assert complaints, output
    assert all(f"results/nvidia-h200/{FEW[0]}.jsonl: line " in line for line in complaints)
    assert project.files() == before
    damaged.write_text(content)


def test_interrupted_drawing_leaves_every_figure(project):
    for claim in FEW:
        with (project.folder / SOURCES[claim]).with_name("analysis.py").open("a") as file:
            file.write("# edited\n")
    before = project.files()
    project.interrupt(f"^draw +{FEW[1]} ", 0.5, signal.SIGINT)
    assert {name for name in project.files() if ".new." not in name} == set(before)
    made = written("README.md", *PAPERS[:1], HERE, PAGE)
    assert stages(project.make())[-len(made) :] == made
    assert project.files() == before, "tables, papers or the page differ from run to run"


def test_times_of_this_machine_are_in_its_own_report_alone(project):
    claim = FEW[0]
    before = project.files()
    here = project.folder / f"results/local/{claim}.jsonl"
    here.parent.mkdir()
    here.write_bytes(before[f"results/nvidia-h200/{claim}.jsonl"])
    output = project.make()
    assert stages(output) == [f"draw {claim}", *written(HERE)]
    assert f"measured here: {HERE}" in output
    assert (project.folder / f"build/local/{claim}.svg").exists()
    after = project.files()
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {f"results/local/{claim}.jsonl"}
    project.make_does_nothing()
    here.write_text("{")
    assert f"draw      {claim}: failed, see above" in project.make(), "the report is still made"
    assert not (project.folder / f"build/local/{claim}.json").exists()
    shutil.rmtree(here.parent)


def test_a_gpu_that_cannot_be_timed_does_not_stop_the_report(project):
    output = project.make("GPU_ARCH=90", "BUILD=true", "RECORD=false")
    assert "record    failed, see above" in output and HERE in output.splitlines()[-1]


def test_a_new_claim_takes_three_files(project):
    before = project.files()
    project.make("new", f"NAME={NEW}")
    ours = {f"{FOLDER}/{name}" for name in (f"{NEW}.cu", "analysis.py", "expected.csv")}
    assert set(project.files()) - set(before) == ours

    output = project.make()
    made = written("README.md", *PAPERS[:1], HERE, PAGE)
    assert stages(output) == sorted([f"count {NEW}", f"draw {NEW}", *OVER_CLAIMS, *made])
    after = project.files()
    changed = {name for name in before if before[name] != after[name]}
    # Totals over all closed forms.
    totals = {f"figures/{name}" for name in ("agreement.json", "agreement.csv", "paper.json")}
    assert changed <= totals
    assert f'data-claim="{NEW}"' in (project.folder / PAGE).read_text()
    assert json.loads(after[f"figures/{NEW}.json"])["verdict"]["count"] == "confirmed"
    with pypdfium2.PdfDocument(project.folder / "build/supplement.pdf") as supplement:
        assert NEW.replace("_", " ").capitalize() in {each.get_title() for each in supplement.get_toc()}


def test_a_bad_name_is_refused(project):
    before = project.files()
    for name in ("", "Upper", "two words", "../up", "1st", "a__b", NEW, "core", "model", "class", FEW[0]):
        output = project.make_fails("new", f"NAME={name}")
        assert output.splitlines()[0].startswith("make new: "), output
    for name in ("", "no_such_claim", "%", "two words"):
        output = project.make_fails("claim", f"NAME={name}")
        assert output.splitlines()[0] == f"make claim: no claim '{name}': NAME is one of " + " ".join(
            sorted([*CLAIMS, NEW])
        )
    assert project.files() == before


def test_one_claim_is_counted_drawn_and_judged(project):
    before = project.files()
    output = project.make("claim", f"NAME={NEW}")
    assert stages(output) == [f"count {NEW}", f"draw {NEW}"]
    assert "verdict   count: confirmed" in output and "finding   Sklansky does" in output
    assert f"figure    figures/{NEW}.svg" in output
    assert project.files() == before


def changed(project: Project, right: str, wrong: str) -> str:
    """What make prints for the new claim's experiment with this change; the change is undone."""
    source = project.folder / f"{FOLDER}/{NEW}.cu"
    text = source.read_text()
    assert right in text
    source.write_text(text.replace(right, wrong))
    process = project.start("claim", f"NAME={NEW}")
    output, _ = process.communicate()
    source.write_text(text)
    return output


def test_a_wrong_closed_form_is_announced_while_counting(project):
    output = changed(project, "ops_of_a_tile * tiles)", "ops_of_a_tile * tiles + 1)")
    said = [line for line in output.splitlines() if line.startswith(f"{NEW}: differs: scan/")]
    assert len(said) == 2  # one for each algorithm
    assert said[0].startswith(
        f"{NEW}: differs: scan/brent_kung/n:65536, ops: predicted 130,305, counted 130,304; "
    )
    assert f"{NEW}.cu" in said[0]
    assert "verdict   count: refuted" in output
    assert "finding   `scan/brent_kung/n:65536` counts 130,304 ops, not 130,305." in output


def test_faults_of_the_source_are_found_before_anything_is_counted(project):
    for right, wrong, expected in (
        (
            '.predict("ops"',
            '.predict("opps"',
            'scan/brent_kung/n:65536 predicts "opps", which is not counted; counted',
        ),
        (
            '{"scan", algorithm}',
            '{"scan/", algorithm}',
            "the case scan//brent_kung/n:65536 has 'scan/' for a word",
        ),
        ('{"scan", algorithm}', '{"scan", "x"}', "two cases are named scan/x/n:65536"),
    ):
        output = changed(project, right, wrong)
        (said,) = [line for line in output.splitlines() if line.startswith(f"{NEW}: ")]
        assert said.startswith(f"{NEW}: mend {NEW}.cu: ") and expected in said, output
        assert "draw" not in output


def test_a_wrong_kernel_leaves_no_result(project):
    demo = project.folder / f"{FOLDER}/{NEW}.cu"
    right = demo.read_text()
    demo.write_text(right.replace("Algorithm::inclusive", "!Algorithm::inclusive"))
    (project.folder / f"results/simt/{NEW}.jsonl").unlink()
    output = project.make_fails()
    assert "wrong result, nothing was measured: scan/" in output
    assert not list(project.folder.glob(f"results/simt/*{NEW}*.jsonl"))
    demo.write_text(right)


def test_an_experiment_without_analysis_is_an_error(project):
    (project.folder / f"{FOLDER}/analysis.py").unlink()
    output = project.make_fails()
    assert f"{FOLDER} has no analysis.py" in output
