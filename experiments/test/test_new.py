"""make new: an example, a variant of another claim or a kernel of a CUDA file, as the files of a claim."""

import re
import shutil
import subprocess
import sys

import pytest

from experiments.test.conftest import project  # noqa: F401
from experiments.test.project import CLAIMS, ROOT

FROM = f"FROM={ROOT}/simt/try_cuda/examples/prescan.cu"
OTHER = f"FROM={ROOT}/simt/try_cuda/test/programs/language/launches.cu"
WAYS = {
    "new_example_with_a_name_of_forty_letters": [],
    "new_variant_with_a_name_of_forty_letters": ["LIKE=padding"],
    "new_kernel_with_a_name_of_forty_letters1": [FROM, "KERNEL=prescan"],
}
pytestmark = pytest.mark.xdist_group("new")  # one process runs all of them, in this order
DOCUMENT = "experiments/new/README.md"


def run(project, *command: str) -> None:  # noqa: F811
    done = subprocess.run(command, cwd=project.folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_document_shows_what_make_new_writes(project):  # noqa: F811
    path = project.folder / DOCUMENT
    shown = path.read_text()
    assert shown.count("<!-- new ") == 3
    run(project, sys.executable, "-m", "experiments.new.claim", "--document")
    assert path.read_text() == shown, "run python -m experiments.new.claim --document"


@pytest.mark.full
def test_a_kernel_becomes_an_experiment_that_compiles(project):  # noqa: F811
    project.make("new", "NAME=walk", FROM, "KERNEL=prescan")
    text = (project.folder / "experiments/block/walk/walk.cu").read_text()
    shape = "1, n / 2, (n + n / 32) * sizeof(float)"
    launch = f"launch_with_shared_memory(prescan, {shape}, v.stream, v.out, v.in, n);"
    assert launch in " ".join(text.split()).replace("( ", "(")
    assert "int main()" not in text and "@" not in text.replace("&", "")
    found = subprocess.run([ROOT / ".setup/cuda.sh"], capture_output=True, text=True, check=True)
    options = ["-std=c++17", "-arch=sm_90", "-I.", '-DEXPERIMENT="walk"']
    run(project, found.stdout.strip(), *options, "-c", "-o", "/dev/null", "experiments/block/walk/walk.cu")


UNTIDY = f"""
// {"A comment longer than a line may be: " * 5}
constexpr int ITEMS = 4;
__global__ void copy(const int *in, int *out, int n)
{{ int kept[ITEMS]; for (int i = 0; i < ITEMS; i++) kept[i] = in[threadIdx.x*ITEMS+i];
  for (int i = 0; i < ITEMS; i++) out[threadIdx.x*ITEMS+i] = kept[i]; }}
int main() {{ copy<<<1, n/ITEMS>>>(in, out, n); }}
"""


@pytest.mark.full
def test_new_files_pass_lint_and_the_tests_of_claims(project, tmp_path):  # noqa: F811
    (tmp_path / "untidy.cu").write_text(UNTIDY)
    ways = WAYS | {"untidy": [f"FROM={tmp_path}/untidy.cu", "KERNEL=copy"]}
    for name, arguments in ways.items():
        output = project.make("new", f"NAME={name}", *arguments)
        assert output.count("wrote ") == 3
    project.make("lint")
    files = ("analysis/test/test_verdicts.py", "analysis/test/test_render.py")
    run(project, sys.executable, "-m", "pytest", *files, "-k", " or ".join([*ways, "walk"]))


@pytest.mark.full
def test_a_listed_claim_passes_the_tests_of_what_is_committed(project):  # noqa: F811
    """Every claim that make new wrote gets a place in the report, and nothing else is edited."""
    for folder in ("results", "figures"):
        shutil.copytree(ROOT / folder, project.folder / folder, dirs_exist_ok=True)
    for place, (name, arguments) in enumerate((WAYS | {"walk": [FROM, "KERNEL=prescan"]}).items()):
        path = project.folder / f"experiments/block/{name}/{name}.cu"
        if not path.exists():  # the tests before wrote it, unless they are left out
            project.make("new", f"NAME={name}", *arguments)
        path.write_text(re.sub(r"\.order = 1000", f".order = {31 + place}", path.read_text()))
        project.make("claim", f"NAME={name}")
    names = ("committed", "verdicts", "render", "supplement", "paper_text", "readme")
    files = [f"analysis/test/test_{name}.py" for name in names]
    # Totals of the paper and the README count the new claims.
    run(
        project,
        sys.executable,
        "-m",
        "pytest",
        *files,
        "-k",
        "not committed_numbers and not numbers_of_figures",
    )


@pytest.mark.parametrize(
    "arguments, why",
    [
        ([FROM, "KERNEL=scan"], "no kernel scan; its kernels are: prescan"),
        (["FROM=no/such.cu", "KERNEL=scan"], "no/such.cu: no such file"),
        ([OTHER, "KERNEL=set"], "set is a template: name its arguments"),
        ([FROM], "name the kernel"),
        (["LIKE=no_such_claim"], "no claim 'no_such_claim'"),
    ],
    ids=["another", "missing", "template", "unnamed", "unlike"],
)
def test_what_cannot_be_taken(project, arguments, why):  # noqa: F811
    assert why in project.make_fails("new", "NAME=other", *arguments)
    assert not (project.folder / "experiments/block/other").exists()


@pytest.mark.full
def test_every_claim_can_be_varied(project):  # noqa: F811
    """Its files are copies under another name, in the project's format."""
    for claim in CLAIMS:
        project.make("new", f"NAME=like_{claim}", f"LIKE={claim}")
    project.make("lint")
