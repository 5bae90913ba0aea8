"""A foreign project uses the headers through CMake, by either way, in a folder of its own, and runs."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from experiments.test.project import ROOT


def run(*command, cwd, **environment):
    answer = subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


@pytest.mark.full
@pytest.mark.parametrize("way", ["find_package", "FetchContent"])
def test_a_foreign_project(way, tmp_path):
    options = [f"-DTRIAL_SOURCE={ROOT}"]
    if way == "find_package":
        run("cmake", "-S", ROOT / "kernels", "-B", tmp_path / "headers", cwd=tmp_path)
        run("cmake", "--install", tmp_path / "headers", "--prefix", tmp_path / "prefix", cwd=tmp_path)
        options = [f"-DCMAKE_PREFIX_PATH={tmp_path / 'prefix'}"]
    compiler = run(ROOT / ".setup/cuda.sh", cwd=ROOT).strip()
    options += [
        f"-DCMAKE_CUDA_COMPILER={compiler}",
        "-DCMAKE_CUDA_FLAGS=-lineinfo",
        "-DCMAKE_CUDA_ARCHITECTURES=90",
        "-G",
        "Ninja",
    ]
    run("cmake", "-S", ROOT / "simt/test/foreign", "-B", tmp_path / "built", *options, cwd=tmp_path)
    if way == "FetchContent":
        return  # what it compiles is the same
    run("cmake", "--build", tmp_path / "built", cwd=tmp_path)
    said = run(ROOT / "kernels/test/run.sh", tmp_path / "built/foreign", cwd=ROOT)
    assert "no error, wrong: 0, by iterators: 0" in said


@pytest.mark.full
def test_clang_compiles_it_too(tmp_path):
    clang = next(filter(None, (shutil.which(f"clang-{version}") for version in range(30, 21, -1))), None)
    if clang is None:
        pytest.skip("no clang 22 or newer: apt-get install clang-22")
    toolkit = Path(run(ROOT / ".setup/cuda.sh", cwd=ROOT).strip()).resolve().parents[1]
    options = ["-x", "cuda", f"--cuda-path={toolkit}", "--cuda-gpu-arch=sm_90", "-gline-tables-only"]
    options += ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-cuda-version", f"-I{ROOT}"]
    for name in ("main", "other"):
        source = ROOT / f"simt/test/foreign/{name}.cu"
        run(
            clang,
            *options,
            f"-isystem{toolkit / 'include/cccl'}",
            "-c",
            source,
            "-o",
            f"{name}.o",
            cwd=tmp_path,
        )
    run("g++", "main.o", "other.o", f"-L{ROOT / 'build'}", "-lcudart", "-o", "foreign", cwd=tmp_path)
    said = run(ROOT / "kernels/test/run.sh", tmp_path / "foreign", cwd=ROOT)
    assert "no error, wrong: 0, by iterators: 0" in said
