"""From results to files: reproducible bytes, tolerance of missing evidence, and no partial files."""

import json
import re
import shutil

import pytest

from analysis.__main__ import main
from analysis.core import claims, evidence, loading, plotting
from analysis.core.errors import EvidenceError
from analysis.core.verdict import NO_CLAIM, NOT_MEASURED
from analysis.report import render
from analysis.test.claims import CLAIMS, RESULTS, recorded_counts, recorded_times
from analysis.test.made_up import counted_row, document, timed_rows, write
from experiments.block.work import analysis as work
from experiments.test.rest import some

SOME = some(CLAIMS, ("noise", "padding", "work"))
DEMO = """
from analysis.core import plotting
from analysis.core.verdict import NO_CLAIM, judge

def verdict(evidence): return judge(True, NO_CLAIM, "It does.")
def figure(evidence): return plotting.new_figure(2, 1)[0]
def numbers(evidence): return {"ops": evidence.counted.count("ops", algorithm="a")}
def text(evidence): return [f"{numbers(evidence)['ops']} operations."]
"""


def record(results, claim, counts=True, times=True, gpu="NVIDIA H200", machine="nvidia-h200"):
    """The recorded counts and tables of steps, and the recorded times as a GPU's of this name."""
    if counts and not (RESULTS / f"simt/{claim}.jsonl").exists():
        pytest.skip("a draft that is not counted")
    if counts:
        write(results, "simt", document(claim, recorded_counts(claim)))
        for table in (RESULTS / "simt").glob(f"{claim}.*.csv.gz"):
            shutil.copy(table, results / "simt")
    if times and (RESULTS / f"nvidia-h200/{claim}.jsonl").exists():
        write(results, machine, document(claim, timed_rows(recorded_times(claim)), gpu=gpu))


def draw(folders, *claims) -> int:
    results, figures = folders
    return main([*claims, f"--results={results}", f"--figures={figures}"])


def contents(figures) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in figures.iterdir()}


def use_analysis(folder, monkeypatch, claim: str, source: str) -> None:
    """Use `source` as the analysis of a claim, in a project of its own."""
    place = folder / "experiments/made_up" / claim
    place.mkdir(parents=True, exist_ok=True)
    (place / "analysis.py").write_text(source)
    monkeypatch.setattr(claims, "EXPERIMENTS", folder / "experiments")
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(__import__("sys").modules, f"experiments.made_up.{claim}.analysis", raising=False)


@pytest.mark.parametrize("claim", SOME)
def test_the_same_results_give_the_same_bytes(claim, folders):
    results, figures = folders
    record(results, claim)
    assert draw(folders, claim) == 0
    before = contents(figures)
    assert {f"{claim}.svg", f"{claim}.json"} <= set(before)
    shutil.rmtree(figures)
    assert draw(folders, claim) == 0
    assert contents(figures) == before


@pytest.mark.full
def test_a_users_matplotlib_settings_do_not_reach_the_figures(folders, monkeypatch):
    import matplotlib

    record(folders[0], "work")
    draw(folders, "work")
    before = contents(folders[1])
    with matplotlib.rc_context(
        {"lines.linewidth": 9, "font.size": 20, "savefig.dpi": 10, "svg.fonttype": "none"}
    ):
        draw(folders, "work")
    assert contents(folders[1]) == before


@pytest.mark.parametrize("claim", SOME)
def test_missing_times_are_said_and_drawn_around(claim, folders, monkeypatch):
    """Everything is laid out and drawn; what the files are like does not depend on the evidence."""
    monkeypatch.setattr(render.plotting, "save", lambda figure, path: render.plotting.freeze_layout(figure))
    record(folders[0], claim, times=False)
    assert draw(folders, claim) == 0
    made = json.loads((folders[1] / f"{claim}.json").read_text())
    verdict = made["verdict"]
    assert verdict["speed"] in (NOT_MEASURED, NO_CLAIM)
    assert made["machines"]["timed"] is None
    assert re.fullmatch(r".*\w.*\.", verdict["finding"])
    assert made["figures"]


@pytest.mark.full
def test_a_second_gpu_adds_files_and_changes_none(folders):
    record(folders[0], "work")
    draw(folders, "work")
    before = contents(folders[1])
    record(folders[0], "work", counts=False, gpu="GPU", machine="gpu")
    draw(folders, "work")
    after = contents(folders[1])
    assert set(after) - set(before) == {"work.gpu.json"}
    assert {name: after[name] for name in before} == before
    assert set(contents(plotting.not_shown(folders[1]))) == {"work.gpu.svg"}


@pytest.mark.full
def test_a_gpu_that_is_gone_leaves_no_files(folders):
    record(folders[0], "work")
    draw(folders, "work")
    before = contents(folders[1])
    record(folders[0], "work", counts=False, gpu="GPU", machine="gpu")
    draw(folders, "work")
    shutil.rmtree(folders[0] / "gpu")
    draw(folders, "work")
    assert contents(folders[1]) == before
    assert contents(plotting.not_shown(folders[1])) == {}


def test_figures_say_where_their_times_come_from(folders):
    record(folders[0], "work")
    (recorded,) = loading.load(folders[0], "work")
    assert work.figure(recorded).texts[0].get_text().endswith("Times: NVIDIA H200.")
    assert plotting.where_timed(evidence.Evidence({}, None, None)) == "not measured"


def test_without_an_analysis_there_is_one_clear_line(folders, capsys):
    write(folders[0], "simt", document("unknown_claim", [counted_row("scan/a/n:2", ops=1)]))
    assert draw(folders) == 1
    assert capsys.readouterr().err.startswith("analysis: experiments/unknown_claim/analysis.py: missing")


def test_an_analysis_without_its_parts_is_one_clear_line(folders, tmp_path, monkeypatch, capsys):
    write(folders[0], "simt", document("demo", [counted_row("scan/a/n:2", ops=1)]))
    use_analysis(tmp_path, monkeypatch, "demo", "CAPTION = ''")
    assert draw(folders, "demo") == 1
    assert "does not define verdict, figure" in capsys.readouterr().err


def test_a_new_claim_is_drawn_without_an_edit_elsewhere(folders, tmp_path, monkeypatch):
    write(folders[0], "simt", document("demo", [counted_row("scan/a/n:2", {"ops": 1}, ops=1)]))
    use_analysis(tmp_path, monkeypatch, "demo", DEMO)
    assert draw(folders) == 0
    made = json.loads((folders[1] / "demo.json").read_text())
    assert made["text"] == ["1 operations."]
    assert made["agreement"] == {"stated": 1, "equal": 1, "explained": 0, "hardware": None}


@pytest.mark.parametrize("part", ["def verdict", "def text", "def figure"])
def test_a_failing_analysis_leaves_the_old_files_alone(part, folders, tmp_path, monkeypatch):
    write(folders[0], "simt", document("demo", [counted_row("scan/a/n:2", ops=1)]))
    use_analysis(tmp_path, monkeypatch, "demo", DEMO)
    draw(folders, "demo")
    before = contents(folders[1])
    line = next(line for line in DEMO.splitlines() if line.startswith(part))
    broken = DEMO.replace(line, line.split("return")[0] + "raise RuntimeError")
    use_analysis(tmp_path, monkeypatch, "demo", broken)
    assert draw(folders, "demo") == 1
    assert contents(folders[1]) == before


FAULTS = {
    "while it runs": (
        "return [f\"{numbers(evidence)['ops']} operations.\"]",
        "return numbers(evidence)['no'] ",
        ":8: KeyError: 'no'",
    ),
    "a misspelled quantity": ('count("ops"', 'count("opps"', ":7: TypeError: unsupported"),
    "no Python": ("def text", "def def text", ":8: SyntaxError: "),
    "while it is imported": ("def verdict", "1 / 0\ndef verdict", ":5: ZeroDivisionError: "),
    "a number that JSON lacks": ('return {"ops"', 'return {"nan": float("nan"), "ops"', "ValueError: "),
    "several lines": (
        'return judge(True, NO_CLAIM, "It does.")',
        'raise ValueError("a\\nb")',
        ":5: ValueError: a b",
    ),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_in_an_analysis_is_one_line(kind, folders, tmp_path, monkeypatch, capsys):
    right, wrong, expected = FAULTS[kind]
    write(folders[0], "simt", document("demo", [counted_row("scan/a/n:2", ops=1)]))
    source = DEMO.replace('algorithm="a")', 'algorithm="a") + 0')
    assert right in source
    use_analysis(tmp_path, monkeypatch, "demo", source.replace(right, wrong))
    assert draw(folders, "demo") == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("analysis: ") and expected in line and "mend it" in line
    assert "--traceback" in line and ("no case has that quantity" in line) is (
        kind == "a misspelled quantity"
    )
    assert list(folders[1].iterdir()) == []
    with pytest.raises(EvidenceError) as error:
        draw(folders, "demo", "--traceback")
    assert error.value.__cause__ is not None


def test_a_verdict_can_be_printed(folders, tmp_path, monkeypatch, capsys):
    write(folders[0], "simt", document("demo", [counted_row("scan/a/n:2", {"ops": 1}, ops=1)]))
    use_analysis(tmp_path, monkeypatch, "demo", DEMO)
    assert draw(folders, "demo", "--verdict") == 0
    assert capsys.readouterr().out.splitlines() == [
        "draw      demo (1 of 1)",
        "verdict   count: confirmed; speed: no claim",
        "finding   It does.",
        "times     none",
        f"figure    {folders[1] / 'demo.svg'}",
    ]
