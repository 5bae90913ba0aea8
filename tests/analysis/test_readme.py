"""The README: findings and verdicts come from the figures folder, and every example in the docs works."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from analysis.__main__ import main
from analysis.common import readme
from analysis.common.errors import EvidenceError
from tests.analysis.claims import COUNTS, TIMES
from tests.analysis.made_up import changed, document, timed_rows, write
from tests.analysis.made_up_counters import counters, counters_document, write_counters

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
MARKED = "<!-- {0} -->\nstale words\n<!-- /{0} -->\n"
README = f"before\n{MARKED.format('findings')}between\n{MARKED.format('verdicts')}after\n"
EXAMPLE = re.compile(r"<!-- example (\S+) -->\n```\w+\n(.*?)```\n<!-- /example -->", re.DOTALL)


def examples() -> dict[str, str]:
    return dict(EXAMPLE.findall("".join(page.read_text() for page in PAGES)))


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


def test_verdicts_go_between_the_markers(folders, tmp_path, undrawn):
    drawn(folders, "work", "padding", "divergence", "recursion")
    text = rewritten(folders, tmp_path)
    assert text.startswith("before\n<!-- findings -->\n") and text.endswith("\n<!-- /verdicts -->\nafter\n")
    assert "stale words" not in text and "\nbetween\n" in text
    assert "| claim | count | speed |" in text
    assert "| `work`: claim of work | **confirmed** | **yes** |" in text
    assert "claim of recursion" not in text, "only the headlines"
    assert "3 of 4 claims. Times: NVIDIA H200. Count:" in text
    readme.rewrite(tmp_path / "README.md", folders[1])
    assert (tmp_path / "README.md").read_text() == text


def test_findings_stand_beside_the_staircase(folders, tmp_path):
    drawn(folders, "work", "shuffle")
    assert "<img" not in rewritten(folders, tmp_path)
    main(["--overview", f"--results={folders[0]}", f"--figures={folders[1]}"])
    text = rewritten(folders, tmp_path)
    assert 'src="figures/staircase.svg" alt="From the first scan' in text
    assert "\n\n1. **Operations" in text and "Blelloch's tree" in text and "(`work`)\n<!-- /findings" in text


def test_a_place_is_named(folders, tmp_path, undrawn):
    write(folders[0], "simt", document("work", COUNTS["work"]()))
    times = timed_rows(changed(TIMES["work"](), blelloch__plain=300))
    write(folders[0], "nvidia-h200", document("work", times, gpu="NVIDIA H200"))
    main(["work", f"--results={folders[0]}", f"--figures={folders[1]}"])
    assert "| **only where**: Brent-Kung in every tile |" in rewritten(folders, tmp_path)


def test_counters_get_a_sentence(folders, tmp_path, undrawn):
    drawn(folders, "work")
    assert "counters" not in rewritten(folders, tmp_path)
    rows = [counters(row) for row in COUNTS["work"]()]
    rows[0]["ops"] += 1
    write_counters(folders[0], counters_document("work", rows))
    main(["work", f"--results={folders[0]}", f"--figures={folders[1]}"])
    main(["--agreement", f"--results={folders[0]}", f"--figures={folders[1]}"])
    text = rewritten(folders, tmp_path)
    assert "(figures/agreement.csv)" in text
    assert "Of 120 counts 119 equal the NVIDIA H200's hardware counters, 0 differ for a proven cause" in text
    assert "and 1 are unexplained" in text


@pytest.mark.parametrize(
    "text", ["", "<!-- a -->", "<!-- /a -->", "<!-- /a --><!-- a -->", 2 * MARKED.format("a")]
)
def test_markers_must_be_there_once(text):
    with pytest.raises(EvidenceError, match="README.md: needs one"):
        readme.replace(text, "a", "new", Path("README.md"))


def test_the_committed_readme_has_the_markers_and_is_short():
    text = (ROOT / "README.md").read_text()
    empty = text
    for part in ("findings", "verdicts"):
        empty = readme.replace(empty, part, "", ROOT / "README.md")
    assert len(text.splitlines()) <= 150
    assert len(text.splitlines()) - len(empty.splitlines()) <= 30


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text())
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode != 0:
        pytest.skip("not a git checkout: what a fresh clone has is not known")
    there = {(ROOT / file).resolve() for file in tracked.stdout.splitlines()}
    there |= {folder for file in there for folder in file.parents}
    missing = [link for link in links if (page.parent / link).resolve() not in there]
    assert missing == [], "not in a fresh clone"


def test_the_example_passes_lint(tmp_path):
    for name, text in examples().items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        shutil.copy(ROOT / ".clang-format", tmp_path)
        command = [ROOT / ".venv/bin/clang-format", "--dry-run", "--Werror", path]
        answer = subprocess.run(command, capture_output=True, text=True)
        assert answer.returncode == 0, answer.stdout + answer.stderr


@pytest.mark.parametrize("name", [name for name in examples() if name.endswith(".cu")])
def test_an_example_compiles(name, tmp_path):
    path = tmp_path / Path(name).name
    path.write_text(examples()[name])
    compiler = subprocess.run([ROOT / "scripts/cuda.sh"], capture_output=True, text=True, check=True)
    options = [
        "-std=c++17",
        "-arch=sm_90",
        f"-I{ROOT}",
        f'-DEXPERIMENT="{path.stem}"',
        "-c",
        "-o",
        "/dev/null",
    ]
    answer = subprocess.run([compiler.stdout.strip(), *options, path], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr
