"""Mutation testing: what a mutation is, the script on a made-up kernel, and the committed table."""

import csv
import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import mutants  # noqa: E402
import mutations  # noqa: E402

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
    assert everything.count("\n") == SOURCE.count("\n")
    assert everything.count("mutants_chosen(") == sum(m.kind != "comparison" for m in found)
    assert "if constexpr (sizeof(T) <= 8) {" in everything, "a constant expression stays as it is"


def test_alike_lines_are_counted():
    text = "__device__ void f() {\n    __syncthreads();\n    __syncthreads();\n}\n"
    assert [m.nth for m in mutations.find("f", text)] == [1, 2]
    moved = mutations.find("f", "// one more line\n" + text)
    assert [m.key for m in moved] == [m.key for m in mutations.find("f", text)]


# --- The script ---------------------------------------------------------------------------------------

KERNEL = """\
#pragma once
#include "machine.h"
template <class T>
__device__ int sum(const T* x, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += x[i];
    __syncthreads();
    return sum;
}
__device__ inline int at_most_five(int i) { return i < 5 ? i : 5; }
__device__ inline bool never_called(int i) { return i < 7; }
__device__ inline int rounded(int n) {
    while (n < 8) n += n < 4 ? 1 : 4;
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
MACHINE = """\
#pragma once
#define __device__
extern int barriers;
inline void __syncthreads() { ++barriers; }
"""
# Answers as a GoogleTest program does.
TEST = """\
#include <cstdio>
#include <cstring>
#include "kernels/made_up.cuh"
int barriers = 0;
const int x[] = {0, 2, 3};
bool Sum() { return sum(x, 2) == 2; }
bool Barrier() { return sum(x, 0) + barriers == 1; }
bool Other() { return at_most_five(5) == 5 && rounded(6) == 10 && width<int>() == 4; }
int main(int, char** argv) {
    const bool list = std::strcmp(argv[1], "--gtest_list_tests") == 0;
    if (list) return std::puts("Made.\\n  Sum\\n  Barrier\\n  Other") < 0;
    const char* name = std::strrchr(argv[1], '.') + 1;
    const bool ok = *name == 'S' ? Sum() : *name == 'B' ? Barrier() : Other();
    if (!ok) std::printf("[ RUN      ]\\n%s/tests/made_up.cu:7: Failure\\nwrong\\n  value\\n\\n", ROOT);
    return ok ? 0 : 1;
}
"""
NINJA = """\
rule compile
  command = ccache g++ -DROOT='"{root}"' -I{root} -std=c++17 -x c++ -MD -MT $out -MF $out.d -o $out -c $in
rule link
  command = : && g++ $in -o $out && :
build made_up.o: compile {root}/tests/kernels/made_up.cu
build tests/test_kernels_made_up: link made_up.o
build other.o: compile {root}/other.cpp
build other: link other.o
"""


@pytest.fixture(scope="module")
def made_up(tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("made_up")
    files = {
        "kernels/made_up.cuh": KERNEL,
        "machine.h": MACHINE,
        "tests/kernels/made_up.cu": TEST,
        "build/build.ninja": NINJA.format(root=root),
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    shutil.copytree(ROOT / "tests/mutants", root / "tests/mutants", ignore=lambda *_: ["equivalent.csv"])
    return root


def run(root: Path, *options: str) -> tuple[int, str, dict[tuple, dict]]:
    """Run the script. Returns its exit status, its output, and the rows by line and mutant."""
    places = {"build": "build", "folder": "mutants", "results": "mutants.csv", "reasons": "equivalent.csv"}
    command = [sys.executable, ROOT / "scripts/mutants.py", "--root", root, "--seconds", "1"]
    command += [word for option, path in places.items() for word in (f"--{option}", root / path)]
    command += options
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    table = root / "mutants.csv"
    rows = list(csv.DictReader(table.open(newline=""))) if table.exists() else []
    return done.returncode, done.stdout + done.stderr, {(int(r["line"]), r["mutant"]): r for r in rows}


def write_reasons(root: Path, *rows: dict) -> None:
    with (root / "equivalent.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, mutants.REASON_COLUMNS, extrasaction="ignore")
        table.writeheader()
        table.writerows(rows)


def test_killed_and_survived(made_up):
    status, output, rows = run(made_up)
    assert [(line, row["kind"], row["verdict"], row["by"]) for (line, _), row in rows.items()] == [
        (6, "comparison", "killed", "kernels/made_up Made.Sum: tests/made_up.cu:7: wrong value"),
        (7, "barrier", "killed", "kernels/made_up Made.Barrier: tests/made_up.cu:7: wrong value"),
        (10, "comparison", "survived", ""),
        (11, "comparison", "survived", "no test reaches it"),
        (13, "comparison", "survived", ""),
        (13, "comparison", "survived", ""),
        (18, "comparison", "killed", rows[18, "constexpr bool IS_WIDE = 4 < sizeof(T);"]["by"]),
        (20, "comparison", "killed", "kernels/made_up Made.Other: tests/made_up.cu:7: wrong value"),
    ], output
    assert "does not compile" in rows[18, "constexpr bool IS_WIDE = 4 < sizeof(T);"]["by"]
    assert str(made_up) not in (made_up / "mutants.csv").read_text()
    assert status == 1
    assert "mutants: survived: kernels/made_up.cuh:10: comparison" in output
    assert "comparison: 7 mutants: 2 killed, 4 survived, 1 killed by the compiler" in output, output


@pytest.mark.full
def test_reasons_and_what_is_not_run_again(made_up):
    _, _, rows = run(made_up)
    survived = [row | {"reason": "made up"} for row in rows.values() if row["verdict"] == "survived"]
    write_reasons(made_up, *survived)
    kernel = made_up / "kernels/made_up.cuh"
    kernel.write_text("// a comment\n" + KERNEL)
    status, output, rows = run(made_up)
    assert status == 0 and "0 to run" in output, output
    assert [line for line, _ in rows] == [7, 8, 11, 12, 14, 14, 19, 21]
    assert {row["reason"] for row in rows.values() if row["verdict"] == "equivalent"} == {"made up"}

    killed = next(row for row in rows.values() if row["verdict"] == "killed")
    write_reasons(made_up, *survived, killed | {"reason": "wrong"})
    status, output, _ = run(made_up)
    assert status == 1 and "killed, but listed as equivalent: kernels/made_up.cuh:7" in output
    write_reasons(made_up, *survived, killed | {"nth": 2, "reason": "gone"})
    status, output, _ = run(made_up)
    assert status == 1 and "there is no such mutant" in output
    write_reasons(made_up, *survived)


@pytest.mark.full
def test_a_sample_is_drawn_from_a_seed(made_up):
    def listed(*options: str) -> list[str]:
        _, output, _ = run(made_up, "--again", "--list", *options)
        return [line for line in output.splitlines() if line.startswith("kernels/made_up.cuh:")]

    assert len(listed()) == 8
    drawn = [listed("--sample", "3", "--seed", str(seed)) for seed in (1, 1, 2)]
    assert len(drawn[0]) == 3 and drawn[0] == drawn[1] != drawn[2]
    assert set(drawn[0]) < set(listed("--sample", "9"))


@pytest.mark.full
def test_a_better_test_and_a_test_that_fails_anyway(made_up):
    test = made_up / "tests/kernels/made_up.cu"
    test.write_text(TEST.replace("rounded(6) == 10", "rounded(4) == 8"))
    _, output, rows = run(made_up, "--kinds", "comparison", "kernels")
    assert "7 to run" in output, output
    assert len(rows) == 8, "the row of the barrier stays, of an older test"
    assert "barrier: 1 mutants: 1 killed, 1 run with older sources" in output

    test.write_text(TEST.replace("sum(x, 2) == 2", "sum(x, 2) == 4"))
    _, output, rows = run(made_up)
    assert "left out: kernels/made_up Made.Sum: tests/made_up.cu:7: wrong value" in output
    assert rows[8, ""]["verdict"] == "killed"


@pytest.mark.full
def test_an_endless_loop_is_killed(made_up):
    loop = "__device__ inline int up(volatile int n) {\n    while (n < 2) n = 2;\n    return n;\n}\n"
    (made_up / "kernels/made_up.cuh").write_text(KERNEL + loop)
    (made_up / "tests/kernels/made_up.cu").write_text(TEST.replace("at_most_five(5) == 5", "up(1) == 2"))
    _, output, rows = run(made_up)
    assert rows[24, "while (n <= 2) n = 2;"]["by"] == "kernels/made_up Made.Other: timeout", output


@pytest.mark.full
def test_a_program_that_does_not_compile_is_left_out(made_up):
    (made_up / "tests/kernels/made_up.cu").write_text("#error wrong\n" + TEST)
    status, output, rows = run(made_up, "--again")
    assert "left out: kernels/made_up: tests/kernels/made_up.cu:1:2: error: #error wrong" in output
    assert "9 to run" in output and len(rows) == 9 and "survived: no test" not in output, output


def test_no_build(made_up):
    status, output, _ = run(made_up, "--build", "nowhere")
    assert status == 1 and "mutants: no build in" in output


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
    reasons = mutants.read_table(ROOT / "tests/mutants/equivalent.csv", mutants.REASON_COLUMNS)
    rows = mutants.read_table(ROOT / "results/simt/mutants.csv", mutants.COLUMNS)
    assert all(row["reason"] for row in reasons.values())
    equivalent = {key: row["reason"] for key, row in rows.items() if row["verdict"] == "equivalent"}
    assert {key: row["reason"] for key, row in reasons.items() if key in rows} == equivalent
    assert reasons.keys() <= of_the_kernels()
