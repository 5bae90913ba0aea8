"""The program's own exit status is told apart from the machine's; each schedule reads the same."""

import subprocess

import pytest

from experiments.test.project import ROOT
from simt.try_cuda.run import outcome_of

RETURNS = """
__global__ void k(int* x) { x[threadIdx.x] = 1; }
int main() {
    int* x;
    cudaMalloc(&x, 128);
    k<<<1, 32>>>(x);
    return cudaDeviceSynchronize() ? 1 : STATUS;
}
"""
READS = """
#include <cstdio>
__global__ void k(int* x, int n) { x[n] = 1; }
int main() {
    int n, *x;
    if (scanf("%d", &n) != 1) return 4;
    cudaMalloc(&x, 128);
    k<<<1, 1>>>(x, n);
    return cudaDeviceSynchronize() != cudaSuccess;
}
"""


@pytest.mark.parametrize(
    ("told", "raw", "status", "is_cut"),
    [
        ("0 -\n0 -\n", 3, 0, False),  # findings
        ("3 -\n3 -\n", 3, 3, False),  # the program's own
        ("124 -\n", 124, 124, False),
        ("124 time\n0 -\n", 124, 124, True),
        ("0 -\n124 time\n", 0, 0, False),
        ("0 -\n", 139, 139, False),  # another schedule crashed
        ("", 1, 1, False),
    ],
)
def test_an_outcome_is_what_the_machine_has_told(told, raw, status, is_cut):
    assert outcome_of(told, raw) == (status, is_cut)


@pytest.mark.parametrize("status", [3, 124])
def test_a_programs_own_status_is_its_own(status, attempt, written):
    result = attempt(written("returns.cu", RETURNS), "-D", f"STATUS={status}")
    assert (result.status, f"the program returned {status}" in result.errors) == (status, True)


@pytest.mark.parametrize("way", ["file", "pipe"])
def test_every_schedule_and_both_programs_read_the_same(way, written, tmp_path):
    source = written("reads.cu", READS)
    words = tmp_path / "words"
    words.write_text("7\n")
    command = [ROOT / "simt/try", source]
    if way == "file":
        with words.open() as given:
            done = subprocess.run(command, stdin=given, capture_output=True, text=True, check=False)
    else:
        done = subprocess.run(command, input="7\n", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "depends on the schedule" not in done.stderr
