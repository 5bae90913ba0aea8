""".setup/cuda.sh: which CUDA compiler is used, and when it is installed. Mocks: nvcc, pip, nvidia-smi."""

import shutil
import subprocess
from pathlib import Path

import pytest

from experiments.test.project import ROOT

PINNED = "13.0.88"
NVCC = "#!/bin/sh\necho 'Cuda compilation tools, release 1, V{}'\n"
TOOLS = ["bash", "dirname", "sed", "cmp", "rm", "cp", "mv", "ln", "mkdir", "cat", "grep", "chmod", "touch"]
TOOLS += ["cksum"]
NO_NCCL = "#!/bin/sh\nexit 1\n"  # instead of g++, which looks for nccl.h
# pip download .. --dest CACHE .. --requirement LOCK; logs the lock file.
# pip install .. --find-links CACHE .. --requirement LOCK --target FOLDER: installs what that would.
PIP = """#!/bin/bash
set -e
while [ $# -gt 0 ]; do
    case $1 in
    download | install) verb=$1 ;;
    --dest | --find-links) cache=$2 ;;
    --target) target=$2 ;;
    --requirement) lock=$2 ;;
    esac
    shift
done
if [ "$verb" = download ]; then
    echo "$lock" >> pip.log
    echo "  Downloading nvidia_cuda_nvcc-13.0.88-py3-none-any.whl (37.4 MB)"
    touch "$cache/$(cksum < "$lock")"
    exit
fi
if ! [ -e "$cache/$(cksum < "$lock")" ]; then echo "no such wheel" >&2; exit 1; fi
mkdir -p "$target/nvidia/half-written"
if [ "$lock" = "$FAILS_FOR" ]; then echo "no network" >&2; exit 1; fi
if [ "$lock" = .setup/cuda.txt ]; then
    mkdir -p "$target/nvidia/cu13/bin" "$target/nvidia/cu13/lib"
    echo > "$target/nvidia/cu13/bin/nvcc"
fi
"""


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def machine(tmp_path) -> Path:
    """A project in a folder with a space, and a PATH without nvcc, on a machine without a toolkit."""
    folder = tmp_path / "a project"
    for path in ROOT.glob(".setup/*"):
        if path.name.startswith(("cuda", "nccl", "wheels")):
            (folder / ".setup").mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder / ".setup")
    write(folder / ".venv/bin/python", PIP)
    write(folder / "tools/g++", NO_NCCL)
    write(folder / "tools/nvidia-smi", "#!/bin/sh\nexit 9\n")
    for name in TOOLS:
        (folder / "tools" / name).symlink_to(shutil.which(name))
    return folder


def compiler(machine: Path, **environment: str) -> tuple[int, str, str]:
    settings = {
        "PATH": str(machine / "tools"),
        "CUDA_HOME": str(machine / "toolkit"),
        "XDG_CACHE_HOME": str(machine / "a cache"),
        "FAILS_FOR": "",
    }
    done = subprocess.run(
        [machine / ".setup/cuda.sh"], env=settings | environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout.strip(), done.stderr


def fetched(machine: Path) -> list[str]:
    """The lock files whose packages pip has downloaded."""
    log = machine / "pip.log"
    return [Path(line).stem for line in log.read_text().splitlines()] if log.exists() else []


def test_the_version_is_that_of_the_recordings():
    assert f"nvidia-cuda-nvcc=={PINNED}" in (ROOT / ".setup/cuda.in").read_text().splitlines()
    recorded = (ROOT / "results/nvidia-h200/work.jsonl").read_text()
    assert f'"compiler": "nvcc {PINNED},' in recorded


def test_the_pinned_one_is_installed_once(machine):
    own = str(machine / ".venv/cuda/nvidia/cu13/bin/nvcc")
    status, nvcc, said = compiler(machine)
    assert (status, nvcc) == (0, own)
    installing, fetching = said.splitlines()
    assert installing.startswith("set-up    installing the CUDA compiler")
    assert fetching == "set-up    fetching nvidia_cuda_nvcc-13.0.88 (37.4 MB)"
    assert (machine / ".venv/cuda/nvidia/cu13/lib64/libcudart.so").is_symlink()
    assert compiler(machine) == (0, own, "")
    assert fetched(machine) == ["cuda"]


def test_what_was_fetched_once_is_installed_without_a_network(machine):
    compiler(machine)
    shutil.rmtree(machine / ".venv/cuda")  # as in another clone
    status, nvcc, said = compiler(machine)
    assert (status, nvcc) == (0, str(machine / ".venv/cuda/nvidia/cu13/bin/nvcc"))
    assert len(said.splitlines()) == 1
    assert fetched(machine) == ["cuda"]


@pytest.mark.parametrize("place", ["tools/nvcc", "toolkit/bin/nvcc"])
def test_a_toolkit_of_that_version_is_used(machine, place):
    found = write(machine / place, NVCC.format(PINNED))
    assert compiler(machine) == (0, str(found), "")
    assert fetched(machine) == []


def test_a_toolkit_of_another_version_is_used_only_if_it_is_named(machine):
    other = write(machine / "tools/nvcc", NVCC.format("12.9.86"))
    assert compiler(machine)[1].endswith(".venv/cuda/nvidia/cu13/bin/nvcc")
    for name in (str(other), "nvcc"):
        assert compiler(machine, NVCC=name) == (0, str(other), "")


def test_a_compiler_that_is_not_there_is_one_line(machine):
    assert compiler(machine, NVCC="/no/nvcc") == (1, "", "set-up    NVCC=/no/nvcc is no program\n")


def test_what_pip_left_half_done_is_not_used(machine):
    status, nvcc, said = compiler(machine, FAILS_FOR=".setup/cuda.txt")
    assert (status, nvcc) == (1, "")
    assert said.splitlines()[-1] == "set-up    pip failed; once it works, run make again"
    assert not (machine / ".venv/cuda").exists()
    assert compiler(machine)[0] == 0
    assert not (machine / ".venv/cuda/nvidia/half-written/half-written").exists()
    assert not (machine / ".venv/cuda.new").exists()


def test_another_lock_file_is_installed_anew(machine):
    compiler(machine)
    with (machine / ".setup/cuda.txt").open("a") as lock:
        lock.write("# another version\n")
    compiler(machine)
    assert fetched(machine) == ["cuda", "cuda"]


@pytest.mark.parametrize(("gpus", "expected"), [(1, []), (2, ["nccl"])])
def test_nccl_is_fetched_for_several_gpus(machine, gpus, expected):
    write(machine / "tools/nvcc", NVCC.format(PINNED))
    lines = "".join(f"echo 'GPU {gpu}: NVIDIA H200 (UUID: GPU-{gpu})'\n" for gpu in range(gpus))
    write(machine / "tools/nvidia-smi", f"#!/bin/sh\n{lines}")
    assert compiler(machine)[0] == 0
    assert fetched(machine) == expected
    write(machine / "include/nccl.h", "")  # beside a compiler in tools/
    assert compiler(machine)[0] == 0
    assert fetched(machine) == expected


def test_the_systems_nccl_will_do(machine):
    write(machine / "tools/nvcc", NVCC.format(PINNED))
    write(machine / "tools/nvidia-smi", "#!/bin/sh\necho GPU 0: a\necho GPU 1: b\n")
    write(machine / "tools/g++", "#!/bin/sh\nexit 0\n")
    assert compiler(machine)[0] == 0
    assert fetched(machine) == []
