"""Targets of an experiment, compared with recorded times: met, missed, not measured, and invalid files."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import targets  # noqa: E402

from analysis.common import recorded  # noqa: E402
from tests.analysis.made_up import case  # noqa: E402

HEAD = "work,ours,against,at_least,aim\n"
ROW = "a scan: of the copy,scan/ours/n:8,copy/n:8,0.9,0.95\n"
BETTER = "a scan: over the better other,scan/ours/n:8,scan/a/n:8 | scan/b/n:8,1.5,\n"


def recording(folder: Path, times: dict[str, list[float]]) -> Path:
    cases = [case(name, times_us=values) for name, values in times.items()]
    machine = {"kind": "gpu", "name": "GPU"}
    folder.mkdir(exist_ok=True)
    made = recorded.recording("demo", "rule", machine, cases, provenance={})
    (folder / "demo.jsonl").write_text(recorded.text_of(made))
    return folder


def judge(tmp_path: Path, rows: str, times: dict[str, list[float]]):
    written(tmp_path, HEAD + rows)
    return targets.judge(recording(tmp_path / "gpu", times), tmp_path)


def written(folder: Path, text: str) -> Path:
    path = folder / "made_up/demo/targets.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("copy", "outcome", "met"), [(8.0, "missed", False), (9.0, "met", True), (9.6, "aim reached", True)]
)
def test_a_ratio_of_medians(tmp_path, copy, outcome, met):
    lines, all_met = judge(tmp_path, ROW, {"scan/ours/n:8": [10, 10, 99], "copy/n:8": [copy]})
    assert lines[-1].endswith(f"{copy / 10:.3f}  {outcome}")
    assert all_met is met


def test_the_fastest_of_the_others_counts(tmp_path):
    times = {"scan/ours/n:8": [10], "scan/a/n:8": [30], "scan/b/n:8": [14]}
    lines, met = judge(tmp_path, BETTER, times)
    assert lines[-1].endswith("1.400  missed")
    assert not met


def test_what_was_not_measured_is_not_met(tmp_path):
    lines, met = judge(tmp_path, ROW + BETTER, {"scan/ours/n:8": [10], "copy/n:8": [10]})
    assert lines[-2].endswith("aim reached")
    assert lines[-1].endswith("not measured")
    assert not met


@pytest.mark.parametrize(
    ("text", "said"),
    [("a,b\n1,2\n", "its columns are not"), (HEAD + "x,a,b,fast,\n", "'x': a ratio is not a number")],
)
def test_a_bad_file_is_one_clear_line(tmp_path, text, said):
    path = written(tmp_path, text)
    with pytest.raises(targets.EvidenceError, match=said) as error:
        targets.read_targets("demo", tmp_path)
    assert str(error.value).startswith(f"{path}: ") and "\n" not in str(error.value)


def test_a_star_stands_for_every_level(tmp_path):
    row = "x,scan/ours/cache:*/n:*,scan/a/cache:*/n:* | scan/b/cache:*/n:*,1.0,\n"
    times = {f"scan/{each}/cache:{cache}/n:{n}": [10.0] for each in "ab" for cache in "cw" for n in (1, 2)}
    times |= {f"scan/ours/cache:{cache}/n:{n}": [8.0] for cache in "cw" for n in (1, 2)}
    assert judge(tmp_path, row, times)[0][-1].endswith("1.250  met")
    times["scan/b/cache:w/n:2"] = [4.0]
    assert judge(tmp_path, row, times)[0][-1].endswith("0.500  missed")
    del times["scan/a/cache:c/n:1"]
    assert judge(tmp_path, row, times)[0][-1].endswith("not measured")


def test_nothing_recorded(tmp_path):
    command = [sys.executable, ROOT / "scripts/targets.py", f"--results={tmp_path}"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (2, "targets: nothing recorded that has targets\n")


def test_the_targets_of_this_project_can_be_read():
    for path in (ROOT / "experiments").glob("*/*/targets.csv"):
        assert len(targets.read_targets(path.parent.name)) > 0
