"""The README is its text with numbers from the figures folder, and every example in the docs works."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from analysis.core import claims, prose
from analysis.core.errors import EvidenceError
from analysis.report import readme

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("kernels", "experiments", "simt", "results", "analysis", "figures", "paper")
NAMES = ("README.md", "limits.md", "glossary.md")
PAGES = [ROOT / "README.md", ROOT / ".github/CONTRIBUTING.md"]
PAGES += sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.md") if path.name in NAMES)
EXAMPLE = re.compile(r"<!-- example (\S+) -->\n```\w+\n(.*?)```\n<!-- /example -->", re.DOTALL)


def examples() -> dict[str, str]:
    return dict(EXAMPLE.findall("".join(page.read_text() for page in PAGES)))


def test_the_readme_is_its_text_with_the_numbers_of_figures(tmp_path):
    path = tmp_path / "README.md"
    readme.rewrite(ROOT / "results", ROOT / "figures", path, ROOT / readme.SOURCE)
    assert path.read_text() == (ROOT / "README.md").read_text()


def test_without_every_number_the_readme_stays(tmp_path, capsys):
    path = tmp_path / "README.md"
    path.write_text("before")
    shutil.copy(ROOT / "figures/work.json", tmp_path)
    readme.rewrite(ROOT / "results", tmp_path, path, ROOT / readme.SOURCE)
    assert path.read_text() == "before"
    assert capsys.readouterr().out.startswith(f"skip      {path} stays as it is: ")


@pytest.fixture
def said(tmp_path):
    """Text with the numbers x = 2 and list = 0.5, 0.8 of the claim a."""
    (tmp_path / "a.json").write_text('{"numbers": {"x": 2, "list": [0.5, 0.8]}}')

    def render(text: str) -> str:
        (tmp_path / "text.md").write_text(text)
        return prose.render(tmp_path / "text.md", tmp_path)

    return render


def test_numbers_get_into_text(said):
    assert (
        said("{% do holds(n.a.x > 1) %}\n{{ n.a.x }} and {{ n.a.list | gains | times }}\n")
        == "2 and 1.25 to 2.0 times\n"
    )
    with pytest.raises(prose.Lacking, match="no attribute 'y'"):
        said("{{ n.a.y }}")
    with pytest.raises(prose.Lacking, match="no attribute 'b'"):
        said("{{ n.b.x }}")


def test_a_sentence_that_holds_no_longer_is_named(said):
    with pytest.raises(EvidenceError, match=r"text.md, line 3: .* {% do holds\(n.a.x > 2\) %}"):
        said("One.\n\n{% do holds(n.a.x > 2) %}\nTwo.\n")
    with pytest.raises(EvidenceError, match="text.md, line 2: Expected an expression"):
        said("One.\n{% if %}\n")


def test_every_template_of_any_gpu_is_used_and_every_used_one_is_there():
    """Analyses name the sections of the texts: told("work: text")."""
    paths = [*(ROOT / "analysis").rglob("*.py"), *(ROOT / "experiments").rglob("*.py")]
    sources = "".join(path.read_text() for path in paths if path.parent.name != "test")
    used = set(re.findall(r'told\(\s*"([^"]+)"', sources))
    of_claims = re.compile(rf"({'|'.join(claims.names())}): caption.*")
    by_name = re.compile(r"(errata|cause|outcome): .*")
    there = {name for name in prose.of_any_gpu() if not of_claims.fullmatch(name) and not by_name.match(name)}
    assert used == there


def test_the_first_template_is_taken_whose_numbers_are_known():
    assert prose.told("depth").startswith("The steps were not counted")
    assert prose.told("depth", tile=64, steps=[6, 12]) == (
        "In a tile of 64 Hillis-Steele and Sklansky take 6 steps, a tree 12."
    )
    assert prose.told("depth", tile=64, steps=[6, 12], ratios=[0.5]).endswith(
        "Sklansky is 2.0 times as fast as the faster tree."
    )
    assert prose.told("work: text") == prose.told("nothing of this name") == ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
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


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in examples() if name.endswith(".cu")])
def test_an_example_compiles(name, tmp_path):
    path = tmp_path / Path(name).name
    path.write_text(examples()[name])
    compiler = subprocess.run([ROOT / ".setup/cuda.sh"], capture_output=True, text=True, check=True)
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


def test_a_verdict_whose_number_is_lacking_is_not_told():
    assert prose.told("one pass", share="97%").endswith("runs at 97% of a copy (`copy_speed`).")
    assert prose.told("one pass", share=None) == ""
    assert not set(prose.SPACE.globals) & {"share", "apart", "ulp"}
