"""make new FROM=path.cu KERNEL=name: a kernel of a CUDA file becomes an experiment."""

import subprocess
import sys

import pytest

from tests.runs.conftest import project  # noqa: F401
from tests.runs.project import ROOT

FROM = f"FROM={ROOT}/docs/try/prescan.cu"
OTHER = f"FROM={ROOT}/tests/try/programs/launches.cu"


def test_a_kernel_becomes_two_files_that_compile(project):  # noqa: F811
    project.make("new", "NAME=walk", FROM, "KERNEL=prescan")
    text = (project.folder / "experiments/walk.cu").read_text()
    shape = "1, n / 2, (n + n / 32) * sizeof(float)"
    launch = f"launch_with_shared_memory(prescan, {shape}, v.stream, v.out, v.in, n);"
    assert launch in text and "int main()" not in text and "@" not in text.replace("&", "")
    include = ["-isystem", "simt/include", "-Isimt/stand_in", "-I."]
    command = ["g++", "-std=c++17", "-fsyntax-only", "-w", *include, '-DEXPERIMENT="walk"', "-xc++"]
    subprocess.run([*command, "experiments/walk.cu"], cwd=project.folder, check=True)
    subprocess.run([sys.executable, "-c", "import analysis.walk"], cwd=project.folder, check=True)


@pytest.mark.parametrize(
    "arguments, why",
    [
        ([FROM, "KERNEL=scan"], "no kernel scan; its kernels are: prescan"),
        (["FROM=no/such.cu", "KERNEL=scan"], "no/such.cu: no such file"),
        ([OTHER, "KERNEL=set"], "set is a template: name its arguments"),
        ([FROM], "name the kernel"),
    ],
    ids=["another", "missing", "template", "unnamed"],
)
def test_what_cannot_be_taken(project, arguments, why):  # noqa: F811
    assert why in project.make_fails("new", "NAME=other", *arguments)
    assert not (project.folder / "experiments/other.cu").exists()
