"""Small programs, each of which uses a part of CUDA and states what it prints and counts."""

from collections import Counter
from pathlib import Path

import pytest

from experiments.test.rest import some
from simt.test import programs as of_machine
from simt.try_cuda.build import nvcc
from simt.try_cuda.observed import launch_of
from simt.try_cuda.quantities import QUANTITIES

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = sorted(FOLDER.glob("*/*.cu"))
# With those of test_faults.py and test_refused.py, ten.
TRIED = ("vector_add",)
OF_STEPS = {"active_warps"}  # no instruction's


@pytest.mark.parametrize("path", some(PROGRAMS, TRIED, lambda path: path.stem), ids=lambda path: path.stem)
def test_a_program_prints_and_counts_what_it_states(path, attempt, stated):
    header = stated(path, "Needs")
    if header and not any((folder / header).exists() for folder in header_folders()):
        pytest.skip(f"no {header} beside the compiler")
    others = [path.parent / name for name in (stated(path, "With") or "").split()]
    options = (stated(path, "Options") or "").split()
    arguments = (stated(path, "Arguments") or "").split()
    result = attempt(path, *others, *options, "--", *arguments, counted=True)
    assert result.status == 0, result.output + result.errors
    assert stated(path, "Prints") in result.output.splitlines()
    assert result.json["findings"] == []

    total = result.total()
    assert total["request_lanes"] <= 32 * total["lane_requests"]
    texts = {quantity.name: quantity.text(total) for quantity in QUANTITIES}
    texts |= {"launches": str(len(result.json["launches"]))}
    for part in filter(None, (stated(path, "Counts") or "").split(", ")):
        what, number = part.split()
        assert texts[what] == ("." if number == "0" else number), (what, texts)

    users = {str(path), *map(str, others)}
    for launch in result.json["launches"]:
        counts = [Counter(line["counts"]) for line in launch["lines"]]
        assert sum(counts, Counter()) == without_steps(launch["total"])
        assert {line["file"] for line in launch["lines"]} <= users | {""}


def without_steps(total: dict[str, int]) -> Counter:
    return Counter({what: number for what, number in total.items() if what not in OF_STEPS})


@pytest.mark.parametrize("name", some(of_machine.names("agreement"), ["histogram", "transposition"]))
def test_the_lines_of_a_program_add_up_to_its_launches(name):
    """And those programs count what a GPU counts: simt/test/test_agreement.py."""
    launches = [launch_of(1, row) for row in of_machine.run("agreement", name).launches]
    assert launches and all(any(file for file, _ in launch.lines) for launch in launches)
    for launch in launches:
        assert sum(launch.lines.values(), Counter()) == without_steps(launch.total)
        assert launch.total["request_lanes"] <= 32 * launch.total["lane_requests"]


def header_folders() -> list[Path]:
    toolkit = nvcc().resolve().parents[1]
    return [toolkit / "include", *toolkit.glob("targets/*/include")]


def test_a_program_can_be_ended_after_some_launches(attempt):
    result = attempt(FOLDER / "language/launches.cu", "--launches", 2, counted=True)
    assert result.status == 0
    assert len(result.json["launches"]) == 2 and result.json["stopped"] == "launches"
    assert "try: stopped after 2 launches, before its end (--launches)" in result.errors
    assert "7 8 9" not in result.output


@pytest.mark.full
def test_compiler_options_and_paths_with_spaces(attempt, tmp_path):
    folder = tmp_path / "a folder"
    (folder / "in clude").mkdir(parents=True)
    (folder / "in clude/value.h").write_text("constexpr int VALUE = 3 * FACTOR;\n")
    (folder / "print.cpp").write_text('#include <cstdio>\nvoid print(int x) { std::printf("%d\\n", x); }\n')
    source = folder / "main file.cu"
    source.write_text(OF_TWO_FILES)
    options = ["-I", folder / "in clude", "-DFACTOR=5", "-std=c++20", "-maxrregcount=32"]
    result = attempt(source, folder / "print.cpp", *options)
    assert (result.status, result.output.splitlines()[0]) == (0, "15"), result.errors
    (folder / "in clude/value.h").write_text("constexpr int VALUE = 4 * FACTOR;\n")  # is seen
    assert attempt(source, folder / "print.cpp", *options).output.splitlines()[0] == "20"


OF_TWO_FILES = """
#include <value.h>
#include <concepts>
void print(int x);
__global__ void set(int* x) { *x = VALUE; }
int main() {
    int* x;
    cudaMallocManaged(&x, sizeof(int));
    set<<<1, 1>>>(x);
    cudaDeviceSynchronize();
    print(*x);
}
"""
