"""Mutation testing: what a mutation is, the script on a made-up kernel, and the committed table."""

import csv
import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kernels.test.mutants import mutations
from kernels.test.mutants import run as mutants

ROOT = Path(__file__).resolve().parents[3]

pytestmark = pytest.mark.xdist_group("mutants")  # one process runs all of them, in this order

# --- Mutations ----------------------------------------------------------------------------------------

SOURCE = """\
#include <cuda_runtime.h>  // a < b
#define LESS(a, b) \\
    a < b
template <class T, int N = (1 < 2)>
__global__ void kernel(const T* in, std::vector<std::pair<int, T>> rest) {
    static_assert(N <= 4, "N < 5; __syncthreads();");
    /* i < n; __syncthreads(); */
    if (x << 1 < y && f<int>(x) <= 1'000) __syncthreads();
    __syncwarp(mask);
    __syncthreads();
    if constexpr (sizeof(T) <= 8) __threadfence_block();
    const auto less = [](int a, int b) { return a < b; };
    fence_proxy_async();
    fence_mbarrier_init();
    __threadfence();
}
struct Range {
    static constexpr bool SMALL = sizeof(int) < 8;
    __device__ Range(int n) : whole(4 <= n) {}
    __host__ __device__ static constexpr bool in(int n) { return n < 4; }
    bool host(int n) { return n < 4; }
};
inline void launch(int n) { for (int i = 0; i < n; ++i) run(i < 1); }
"""


def test_mutations_are_those_of_device_code():
    found = mutations.find("kernels/made_up.cuh", SOURCE)
    assert [(m.line, m.kind, m.mutant, m.is_constant) for m in found] == [
        (8, "comparison", "if (x << 1 <= y && f<int>(x) <= 1'000) __syncthreads();", False),
        (8, "comparison", "if (x << 1 < y && f<int>(x) < 1'000) __syncthreads();", False),
        (8, "barrier", "if (x << 1 < y && f<int>(x) <= 1'000)", False),
        (9, "syncwarp", "", False),
        (10, "barrier", "", False),
        (11, "comparison", "if constexpr (sizeof(T) < 8) __threadfence_block();", True),
        (11, "fence", "if constexpr (sizeof(T) <= 8)", False),
        (12, "comparison", "const auto less = [](int a, int b) { return a <= b; };", False),
        (13, "proxy_fence", "", False),
        (14, "proxy_fence", "", False),
        (15, "fence", "", False),
        (19, "comparison", "__device__ Range(int n) : whole(4 < n) {}", False),
        (20, "comparison", "__host__ __device__ static constexpr bool in(int n) { return n <= 4; }", True),
    ]
    assert all(m.source == SOURCE.splitlines()[m.line - 1].strip() for m in found)


def test_a_mutant_differs_in_one_place_and_lines_stay():
    found = mutations.find("kernels/made_up.cuh", SOURCE)
    for mutation in found:
        changed = [
            (before, after)
            for before, after in zip(
                SOURCE.splitlines(), mutations.with_one(SOURCE, mutation).splitlines(), strict=True
            )
            if before != after
        ]
        assert len(changed) == 1 and changed[0][0].strip() == mutation.source
    everything = mutations.with_all(SOURCE, mutations.numbered(found))
    header, first_line, rest = everything.split("\n", 2)
    assert "mutants.h" in header and first_line == "#line 1" and rest.count("\n") == SOURCE.count("\n")
    assert rest.count("mutants::chosen(") == sum(m.kind != "comparison" for m in found)
    assert "if constexpr (sizeof(T) <= 8) {" in everything, "a constant expression stays as it is"


def test_alike_lines_are_counted():
    text = "__device__ void f() {\n    __syncthreads();\n    __syncthreads();\n}\n"
    assert [m.nth for m in mutations.find("f", text)] == [1, 2]
    moved = mutations.find("f", "// one more line\n" + text)
    assert [m.key for m in moved] == [m.key for m in mutations.find("f", text)]


# --- The script ---------------------------------------------------------------------------------------

KERNEL = """\
#pragma once
template <class T>
__device__ T sum(const T* x, int n) {
    T sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i];
    return sum;
}
__device__ inline int next(int own) {
    __shared__ int tile[64];
    tile[threadIdx.x] = own;
    __syncthreads();
    return tile[(threadIdx.x + 1) % 64];
}
__device__ inline int at_most_five(int i) { return i < 5 ? i : 5; }
__device__ inline bool never_called(int i) { return i < 7; }
__device__ inline int up(volatile int n) {
    while (n < 2) n = 2;
    return n;
}
template <class T>
__device__ int width() {
    constexpr bool IS_WIDE = 4 <= sizeof(T);
    static_assert(IS_WIDE, "4 bytes");
    if constexpr (sizeof(T) <= 4) return 4;
    return 16;
}
"""
# Answers as a GoogleTest program does.
TEST = """\
#include <cstdio>
#include <cstring>
#include "kernels/made_up.cuh"
__device__ const int x[] = {0, 2, 3};
__global__ void run(char test, bool* ok) {
    if (test == 'S') *ok = sum(x, 2) == 2;
    if (test == 'U') *ok = up(1) == 2;
    if (test == 'O') *ok = at_most_five(5) == 5 && width<int>() == 4;
    if (test != 'B') return;
    const int found = next(threadIdx.x);
    if (threadIdx.x == 0) *ok = found == 1;
}
int main(int, char** argv) {
    const bool list = std::strcmp(argv[1], "--gtest_list_tests") == 0;
    if (list) return std::puts("Made.\\n  Sum\\n  Barrier\\n  Up\\n  Other") < 0;
    const char name = std::strrchr(argv[1], '.')[1];
    bool* ok = nullptr;
    bool is_ok = false;
    cudaMalloc(&ok, 1);
    cudaMemset(ok, 0, 1);
    run<<<1, name == 'B' ? 64 : 1>>>(name, ok);
    cudaMemcpy(&is_ok, ok, 1, cudaMemcpyDeviceToHost);
    if (!is_ok) std::printf("[ RUN      ]\\n%s:7: Failure\\nwrong\\n  value\\n\\n", __FILE__);
    return is_ok ? 0 : 1;
}
"""
CMAKE = """\
cmake_minimum_required(VERSION 3.22)
project(made_up LANGUAGES CXX)
set(CMAKE_CUDA_RUNTIME_LIBRARY None)
enable_language(CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_STANDARD 17)
add_compile_options(-lineinfo)
enable_testing()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
add_executable(test_kernels_made_up kernels/test/made_up.cu)
target_include_directories(test_kernels_made_up PRIVATE ${CMAKE_SOURCE_DIR})
target_link_libraries(test_kernels_made_up PRIVATE CUDA::cudart)
set(run_test ${CMAKE_SOURCE_DIR}/kernels/test/run.sh)
add_test(kernels/made_up ${run_test} ${CMAKE_BINARY_DIR}/tests/test_kernels_made_up)
add_test(NAME kernels/made_up/sm_86 COMMAND not_built)
"""


@pytest.fixture(scope="module")
def made_up(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("made_up")
    files = {
        "kernels/made_up.cuh": KERNEL,
        "kernels/test/made_up.cu": TEST,
        "CMakeLists.txt": CMAKE,
        "kernels/test/mutants/mutants.h": (ROOT / "kernels/test/mutants/mutants.h").read_text(),
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    shutil.copy(ROOT / "kernels/test/run.sh", root / "kernels/test")
    (root / ".setup").mkdir()
    (root / ".setup/cuda.sh").write_text(f"#!/bin/bash\nexec '{ROOT}/.setup/cuda.sh'\n")
    (root / ".setup/cuda.sh").chmod(0o755)
    (root / "build").mkdir()
    (root / "build/simt-run").symlink_to(ROOT / "build/simt-run")
    return root


def run(root: Path, *options: str) -> tuple[int, str, dict[tuple, dict]]:
    """Run the script. Returns its exit status, its output, and the rows by line and mutant."""
    command = [sys.executable, "-m", "kernels.test.mutants.run", "--root", root, *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ)
    table = root / "results/simt/mutants.csv"
    rows = list(csv.DictReader(table.open(newline=""))) if table.exists() else []
    return done.returncode, done.stdout + done.stderr, {(int(r["line"]), r["mutant"]): r for r in rows}


def write_reasons(root: Path, *rows: dict) -> None:
    with (root / "kernels/test/mutants/equivalent.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, mutants.REASON_COLUMNS, extrasaction="ignore")
        table.writeheader()
        table.writerows(rows)


@pytest.mark.full
def test_killed_and_survived(made_up):
    status, output, rows = run(made_up)
    said = [(line, row["kind"], row["verdict"], row["by"]) for (line, _), row in rows.items()]
    wrong = "kernels/test/made_up.cu:7: wrong value"
    race = "made_up.cuh:12: data race on shared memory"
    hangs = "mutants.h:64: deadlock: no resident block can make progress"
    assert [(*row[:3], re.split(", byte|; the first", row[3])[0]) for row in said] == [
        (5, "comparison", "killed", f"kernels/made_up Made.Sum: {wrong}"),
        (11, "barrier", "killed", f"kernels/made_up Made.Barrier: {race}"),
        (14, "comparison", "survived", ""),
        (15, "comparison", "survived", "no test reaches it"),
        (17, "comparison", "killed", f"kernels/made_up Made.Up: {hangs}"),
        (22, "comparison", "killed", rows[22, "constexpr bool IS_WIDE = 4 < sizeof(T);"]["by"]),
        (24, "comparison", "killed", f"kernels/made_up Made.Other: {wrong}"),
    ], output
    assert "does not compile" in rows[22, "constexpr bool IS_WIDE = 4 < sizeof(T);"]["by"]
    assert str(made_up) not in (made_up / "results/simt/mutants.csv").read_text()
    assert status == 1
    assert "mutants: survived: kernels/made_up.cuh:14: comparison" in output
    assert "comparison: 6 mutants: 4 killed, 2 survived" in output, output


@pytest.mark.full
def test_reasons_and_what_is_not_run_again(made_up):
    _, _, rows = run(made_up)
    survived = [row | {"reason": "made up"} for row in rows.values() if row["verdict"] == "survived"]
    write_reasons(made_up, *survived)
    kernel = made_up / "kernels/made_up.cuh"
    kernel.write_text("// a comment\n" + KERNEL)
    status, output, rows = run(made_up)
    assert status == 0 and "0 to run" in output, output
    assert [line for line, _ in rows] == [6, 12, 15, 16, 18, 23, 25]
    assert {row["reason"] for row in rows.values() if row["verdict"] == "equivalent"} == {"made up"}

    killed = next(row for row in rows.values() if row["verdict"] == "killed")
    write_reasons(made_up, *survived, killed | {"reason": "wrong"})
    status, output, _ = run(made_up)
    assert status == 1 and "killed, but listed as equivalent: kernels/made_up.cuh:6" in output
    write_reasons(made_up, *survived, killed | {"nth": 2, "reason": "gone"})
    status, output, _ = run(made_up)
    assert status == 1 and "there is no such mutant" in output
    write_reasons(made_up, *survived)


@pytest.mark.full
def test_a_test_that_fails_anyway_and_one_that_does_not_compile(made_up):
    test = made_up / "kernels/test/made_up.cu"
    test.write_text(TEST.replace("sum(x, 2) == 2", "sum(x, 2) == 4"))
    _, output, _ = run(made_up, "--missing")
    assert "0 to run" in output, output  # all have a row, though of an older test
    status, output, rows = run(made_up, "kernels")
    assert "left out: kernels/made_up Made.Sum: kernels/test/made_up.cu:7: wrong value" in output
    assert status == 1 and [row["verdict"] for row in rows.values()].count("survived") == 1, output

    test.write_text("#error wrong\n" + TEST)
    status, output, again = run(made_up, "--again")
    assert status == 1 and "#error" in output and again == rows, output


# --- The committed table ------------------------------------------------------------------------------


@functools.cache
def of_the_kernels() -> set[tuple]:
    files = sorted(ROOT.glob("kernels/**/*.cuh"))
    return {
        m.key for file in files for m in mutations.find(file.relative_to(ROOT).as_posix(), file.read_text())
    }


def test_every_committed_mutant_is_killed_or_equivalent():
    rows = mutants.read_table(ROOT / "results/simt/mutants.csv", mutants.COLUMNS)
    assert rows
    for key, row in rows.items():
        assert row["verdict"] == "killed" and row["by"] or row["verdict"] == "equivalent" and row["reason"], (
            row
        )
        assert "/root" not in row["by"] and "address 0x" not in row["by"], row
        assert key in of_the_kernels(), f"no such mutant, run make mutants: {row}"


def test_reasons_are_of_equivalent_mutants():
    reasons = mutants.read_table(ROOT / "kernels/test/mutants/equivalent.csv", mutants.REASON_COLUMNS)
    rows = mutants.read_table(ROOT / "results/simt/mutants.csv", mutants.COLUMNS)
    assert all(row["reason"] for row in reasons.values())
    equivalent = {key: row["reason"] for key, row in rows.items() if row["verdict"] == "equivalent"}
    assert {key: row["reason"] for key, row in reasons.items() if key in rows} == equivalent
    assert reasons.keys() <= of_the_kernels()
