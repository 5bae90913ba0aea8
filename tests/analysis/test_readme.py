"""The README: its verdicts come from the figures folder, and its example is a complete, working claim."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from analysis.__main__ import main
from analysis.common import readme
from analysis.common.errors import EvidenceError
from tests.analysis.claims import COUNTS, TIMES
from tests.analysis.made_up import changed, counted_row, document, timed_rows, write
from tests.analysis.made_up_counters import counters, counters_document, write_counters
from tests.analysis.test_render import DEMO, use_analysis

ROOT = Path(__file__).resolve().parents[2]
README = f"before\n{readme.START}\nstale words\n{readme.END}\nafter\n"
EXAMPLE = re.compile(r"<!-- example (\S+) -->\n```\w+\n(.*?)```\n<!-- /example -->", re.DOTALL)


def examples() -> dict[str, str]:
    return dict(EXAMPLE.findall((ROOT / "README.md").read_text()))


def drawn(folders, *claims):
    for claim in claims:
        write(folders[0], "simt", document(claim, COUNTS[claim](), order=10))
        write(folders[0], "nvidia-h200", document(claim, timed_rows(TIMES[claim]()), gpu="NVIDIA H200"))
    main([*claims, f"--results={folders[0]}", f"--figures={folders[1]}"])


def rewritten(folders, tmp_path) -> str:
    path = tmp_path / "README.md"
    path.write_text(README)
    readme.rewrite(path, folders[1])
    return path.read_text()


def test_verdicts_go_between_the_markers(folders, tmp_path):
    drawn(folders, "work", "padding", "divergence")
    text = rewritten(folders, tmp_path)
    assert text.startswith(f"before\n{readme.START}\n") and text.endswith(f"\n{readme.END}\nafter\n")
    assert "stale words" not in text
    assert "| claim | count | speed | finding |" in text
    assert "| `work`: claim of work | **confirmed** | **yes** | In a tile of" in text
    assert "closed forms" not in text, "a test enforces that they equal the count: it is no column"
    assert re.findall(r"\(figures/(\w+)\.svg\)", text) == ["divergence", "padding"]
    assert "NVIDIA H200" in text
    readme.rewrite(tmp_path / "README.md", folders[1])
    assert (tmp_path / "README.md").read_text() == text


def test_a_place_is_named(folders, tmp_path):
    write(folders[0], "simt", document("work", COUNTS["work"]()))
    times = timed_rows(changed(TIMES["work"](), blelloch__plain=300))
    write(folders[0], "nvidia-h200", document("work", times, gpu="NVIDIA H200"))
    main(["work", f"--results={folders[0]}", f"--figures={folders[1]}"])
    assert "| **only where**: Brent-Kung in every tile |" in rewritten(folders, tmp_path)


def test_counters_get_a_figure_and_no_column(folders, tmp_path):
    drawn(folders, "work")
    assert "counters" not in rewritten(folders, tmp_path)
    rows = [counters(row) for row in COUNTS["work"]()]
    rows[0]["ops"] += 1
    write_counters(folders[0], counters_document("work", rows))
    main(["work", f"--results={folders[0]}", f"--figures={folders[1]}"])
    main(["--agreement", f"--results={folders[0]}", f"--figures={folders[1]}"])
    text = rewritten(folders, tmp_path)
    assert "| claim | count | speed | finding |" in text
    assert "(figures/agreement.svg)" in text and "(figures/agreement.csv)" in text
    assert "119 of 120 are equal, 0 differ for a proven cause, 1 are unexplained" in text


def test_a_draft_stays_out_of_the_readme(folders, tmp_path, monkeypatch):
    drawn(folders, "work")
    before = rewritten(folders, tmp_path)
    analyses = tmp_path / "analysis"
    shutil.copytree(ROOT / "analysis", analyses)
    use_analysis(analyses, monkeypatch, "demo", DEMO)
    for order, listed in ((1000, False), (50, True)):
        write(folders[0], "simt", document("demo", [counted_row("scan/a/n:2", ops=1)], order=order))
        main(["demo", f"--results={folders[0]}", f"--figures={folders[1]}"])
        after = rewritten(folders, tmp_path)
        assert ("`demo`" in after) is listed
        assert (after == before) is not listed


@pytest.mark.parametrize("text", ["", readme.START, readme.END, readme.END + readme.START, README + README])
def test_markers_must_be_there_once(text):
    with pytest.raises(EvidenceError, match="README.md: needs one"):
        readme.replace(text, "new", Path("README.md"))


def test_the_committed_readme_has_the_markers():
    text = (ROOT / "README.md").read_text()
    assert readme.replace(text, "", Path("README.md")) != text


def test_the_examples_analysis_draws_and_judges(folders, tmp_path, monkeypatch):
    rows = [counted_row(f"scan/{name}/n:65536", barriers=1) for name in ("hillis_steele", "blelloch")]
    write(folders[0], "simt", document("barriers", rows, order=1000))
    use_analysis(tmp_path / "analysis", monkeypatch, "barriers", examples()["analysis/barriers.py"])
    assert main(["barriers", f"--results={folders[0]}", f"--figures={folders[1]}"]) == 0
    assert '"count": "refuted"' in (folders[1] / "barriers.json").read_text()


def test_the_example_passes_lint(tmp_path):
    tools = ROOT / ".venv/bin"
    for name, text in examples().items():
        path = tmp_path / name
        path.parent.mkdir()
        path.write_text(text)
        shutil.copy(ROOT / ".clang-format", tmp_path)
        if path.suffix == ".cu":
            commands = [[tools / "clang-format", "--dry-run", "--Werror", path]]
        else:
            settings = ["--config", ROOT / "pyproject.toml"]
            commands = [
                [tools / "ruff", "check", *settings, path],
                [tools / "ruff", "format", "--check", *settings, path],
            ]
        for command in commands:
            answer = subprocess.run(command, capture_output=True, text=True)
            assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")
def test_the_examples_experiment_compiles(tmp_path):
    path = tmp_path / "barriers.cu"
    path.write_text(examples()["experiments/barriers.cu"])
    options = ["-std=c++17", "-fsyntax-only", "-x", "c++", f"-I{ROOT}", f"-I{ROOT}/simt/include"]
    options += ['-DEXPERIMENT="barriers"']  # as the build does
    answer = subprocess.run(["g++", *options, str(path)], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
