"""From results to files: reproducible bytes, tolerance of missing evidence, and no partial files."""

import json
import shutil

import pytest

import analysis
from analysis import work
from analysis.__main__ import main
from analysis.common import evidence, plotting, render
from analysis.common.errors import EvidenceError
from analysis.common.verdict import NOT_MEASURED
from tests.analysis.claims import CLAIMS, COUNTS, TIMES
from tests.analysis.made_up import counted_row, document, timed_rows, write

DEMO = """
from analysis.common import plotting
from analysis.common.verdict import HOLDS, Verdict

RULE = "It always does."
def verdict(evidence): return Verdict(HOLDS, "It does.")
def figure(evidence): return plotting.new_figure(2, 1)[0]
def numbers(evidence): return {"ops": evidence.counted.count("ops", algorithm="a")}
def text(numbers): return [f"{numbers['ops']} operations."]
"""


def record(results, claim, counts=True, times=True, gpu="NVIDIA H200", machine="nvidia-h200"):
    if counts:
        write(results, "simt", document(claim, COUNTS[claim]()))
    if times:
        write(results, machine, document(claim, timed_rows(TIMES[claim]()), gpu=gpu))


def draw(folders, *claims) -> int:
    results, figures = folders
    return main([*claims, f"--results={results}", f"--figures={figures}"])


def contents(figures) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in figures.iterdir()}


def use_analysis(folder, monkeypatch, claim: str, source: str) -> None:
    """Use `source` as analysis/<claim>.py."""
    folder.mkdir(exist_ok=True)
    (folder / f"{claim}.py").write_text(source)
    monkeypatch.setattr(render, "ANALYSES", folder)
    monkeypatch.setattr(analysis, "__path__", [str(folder), *analysis.__path__])
    monkeypatch.delitem(__import__("sys").modules, f"analysis.{claim}", raising=False)


@pytest.mark.parametrize("claim", CLAIMS)
def test_the_same_results_give_the_same_bytes(claim, folders):
    results, figures = folders
    record(results, claim)
    assert draw(folders, claim) == 0
    before = contents(figures)
    assert {f"{claim}.svg", f"{claim}.pdf", f"{claim}.json"} <= set(before)
    shutil.rmtree(figures)
    assert draw(folders, claim) == 0
    assert contents(figures) == before


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


@pytest.mark.parametrize("claim", CLAIMS)
@pytest.mark.parametrize(("counts", "times"), [(True, False), (False, True)])
def test_missing_evidence_is_said_and_drawn_around(claim, counts, times, folders, monkeypatch):
    """Everything is laid out and drawn; what the files are like does not depend on the evidence."""
    monkeypatch.setattr(render.plotting, "save", lambda figure, path: render.plotting.freeze_layout(figure))
    record(folders[0], claim, counts, times)
    assert draw(folders, claim) == 0
    made = json.loads((folders[1] / f"{claim}.json").read_text())
    # Some verdicts depend on times only, some on counts only.
    by_counts = ("worked_examples", "active_lanes")
    by_times = ("block_sums", "noise", "launches", "two_per_thread", "rounding", "compaction", "allocation")
    by_times += ("copy_speed", "read_speed", "scan_ideas", "multi_gpu")
    enough = by_counts if counts else by_times
    if claim not in enough:
        assert made["verdict"]["status"] == NOT_MEASURED
    assert (made["machines"]["timed"] is None) is not times
    assert made["text"] and made["tables"]


def test_a_second_gpu_adds_files_and_changes_none(folders):
    record(folders[0], "work")
    draw(folders, "work")
    before = contents(folders[1])
    record(folders[0], "work", counts=False, gpu="GPU", machine="gpu")
    draw(folders, "work")
    after = contents(folders[1])
    assert set(after) - set(before) == {"work.gpu.svg", "work.gpu.pdf", "work.gpu.json"}
    assert {name: after[name] for name in before} == before


def test_a_gpu_that_is_gone_leaves_no_files(folders):
    record(folders[0], "work")
    draw(folders, "work")
    before = contents(folders[1])
    record(folders[0], "work", counts=False, gpu="GPU", machine="gpu")
    draw(folders, "work")
    shutil.rmtree(folders[0] / "gpu")
    draw(folders, "work")
    assert contents(folders[1]) == before


def test_figures_say_where_their_times_come_from(folders):
    record(folders[0], "work")
    (recorded,) = evidence.load(folders[0], "work")
    assert work.figure(recorded).texts[0].get_text().endswith("Times: NVIDIA H200.")
    assert plotting.where_timed(evidence.Evidence({}, None, None)) == "not measured"


def test_without_an_analysis_there_is_one_clear_line(folders, capsys):
    write(folders[0], "simt", document("unknown_claim", [counted_row("scan/a/n:2", ops=1)]))
    assert draw(folders) == 1
    assert capsys.readouterr().err.startswith("analysis: analysis/unknown_claim.py: missing")


def test_an_analysis_without_its_parts_is_one_clear_line(folders, tmp_path, monkeypatch, capsys):
    write(folders[0], "simt", document("demo", [counted_row("scan/a/n:2", ops=1)]))
    use_analysis(tmp_path / "analysis", monkeypatch, "demo", "RULE = ''")
    assert draw(folders, "demo") == 1
    assert "does not define verdict, figure, numbers, text" in capsys.readouterr().err


def test_a_new_claim_is_drawn_without_an_edit_elsewhere(folders, tmp_path, monkeypatch):
    write(folders[0], "simt", document("demo", [counted_row("scan/a/n:2", {"ops": 1}, ops=1)]))
    use_analysis(tmp_path / "analysis", monkeypatch, "demo", DEMO)
    assert draw(folders) == 0
    made = json.loads((folders[1] / "demo.json").read_text())
    assert made["text"] == ["1 operations."]
    assert made["agreement"] == {"stated": 1, "equal": 1, "hardware": None}


@pytest.mark.parametrize("part", ["def verdict", "def text", "def figure"])
def test_a_failing_analysis_leaves_the_old_files_alone(part, folders, tmp_path, monkeypatch):
    write(folders[0], "simt", document("demo", [counted_row("scan/a/n:2", ops=1)]))
    use_analysis(tmp_path / "analysis", monkeypatch, "demo", DEMO)
    draw(folders, "demo")
    before = contents(folders[1])
    line = next(line for line in DEMO.splitlines() if line.startswith(part))
    broken = DEMO.replace(line, line.split("return")[0] + "raise RuntimeError")
    use_analysis(tmp_path / "analysis", monkeypatch, "demo", broken)
    assert draw(folders, "demo") == 1
    assert contents(folders[1]) == before


FAULTS = {
    "while it runs": (
        "return [f\"{numbers['ops']} operations.\"]",
        "return numbers['no'] ",
        ":9: KeyError: 'no'",
    ),
    "a misspelled quantity": ('count("ops"', 'count("opps"', ":8: TypeError: unsupported"),
    "no Python": ("def text", "def def text", ":9: SyntaxError: "),
    "while it is imported": ("RULE", "1 / 0\nRULE", ":5: ZeroDivisionError: "),
    "a number that JSON lacks": ('return {"ops"', 'return {"nan": float("nan"), "ops"', "ValueError: "),
    "several lines": (
        'return Verdict(HOLDS, "It does.")',
        'raise ValueError("a\\nb")',
        ":6: ValueError: a b",
    ),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_in_an_analysis_is_one_line(kind, folders, tmp_path, monkeypatch, capsys):
    right, wrong, expected = FAULTS[kind]
    write(folders[0], "simt", document("demo", [counted_row("scan/a/n:2", ops=1)]))
    source = DEMO.replace('algorithm="a")', 'algorithm="a") + 0')
    assert right in source
    use_analysis(tmp_path / "analysis", monkeypatch, "demo", source.replace(right, wrong))
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
    use_analysis(tmp_path / "analysis", monkeypatch, "demo", DEMO)
    assert draw(folders, "demo", "--verdict") == 0
    assert capsys.readouterr().out.splitlines() == [
        "verdict   holds: It does.",
        "predicted 1 of 1 closed forms equal the count",
        "times     none",
        f"figure    {folders[1] / 'demo.svg'}",
    ]
