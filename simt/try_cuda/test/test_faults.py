"""Kernels with one fault each: it is named with file, line, block, thread, and the other access."""

import re
from pathlib import Path

import pytest

from experiments.test.rest import some

SOURCE = Path(__file__).with_name("faults.cu")
TEXTS = {
    "assertion": r"assertion `data\[threadIdx.x\] == 0` failed at .*/faults.cu:{line}",
    "deadlock": "deadlock: no resident block can make progress",
    "divergent_barrier": "divergent barrier: other threads of the block wait at faults.cu:{line}",
    "divergent_shuffle": "divergent warp: the lane reads from one that does not take part",
    "grid_sync": "trap",
    "in_a_group": r"(uninitialised read of|data race on) shared memory[:,] byte \d+ of tile",
    "missing_fence": r"data race on global memory, byte 4 of .*: this read and the write by block \(\d",
    "part_staged": "uninitialised read of shared memory: byte 252 of tile was never written",
    "past_the_array": "byte 256 of shared memory is accessed, of which the block has 256 bytes",
    "past_the_end": "an illegal address is accessed: 0x[0-9a-f]+",
    "race": r"data race on shared memory, byte \d+ of tile: this write and the read .* at faults.cu:{other}",
    "same_value": "data race, of writes of one value, on shared memory, byte 0 of any",
    "staged": "uninitialised read of shared memory: byte 252 of copy was never written",
    "times_one": "uninitialised read of shared memory: byte 252 of tile was never written",
    "unset": "uninitialised read of shared memory: byte 252 of tile was never written",
    "write_to_constant": "trap",  # of no line
}
TRIED = ("race",)


def lines_of(comment: str) -> str:
    """A pattern for the numbers of the lines with it."""
    lines = enumerate(SOURCE.read_text().splitlines(), 1)
    return "|".join(str(number) for number, line in lines if line.endswith(f"// {comment}"))


@pytest.mark.parametrize("name", some(TEXTS, TRIED))
def test_a_fault_is_named_at_its_line(name, attempt):
    result = attempt(SOURCE, "--", name)
    assert result.status == (0 if name == "same_value" else 3), result.output + result.errors
    line, other = f"({lines_of(name)})", f"({lines_of(f'other access of {name}')})"
    at = "" if name == "write_to_constant" else f"faults.cu:{line}: "
    where = "the optimised program" if name == "write_to_constant" else "both programs"
    benign = "benign on every GPU we know: " if name == "same_value" else ""
    expected = (
        rf"try: {benign}{name}: {at}{TEXTS[name].format(line=line, other=other)}.*, "
        rf"block \(\d, 0, 0\), thread \(\d+, 0, 0\) \(in {where}.*\)"
    )
    assert any(re.fullmatch(expected, each) for each in result.errors.splitlines()), result.errors


@pytest.mark.full
@pytest.mark.parametrize("seed", [1, 2])
def test_another_schedule_finds_the_race_too(attempt, seed):
    assert "data race on shared memory" in attempt(SOURCE, "--seed", seed, "--", "race").errors


@pytest.mark.full
def test_a_finding_can_be_allowed(attempt):
    result = attempt(SOURCE, "--allow", "uninitialised_read", "--", "unset", counted=True)
    assert result.status == 0, result.errors
    line = int(lines_of("unset"))
    told = f"try: allowed (--allow): unset: faults.cu:{line}: uninitialised read of shared memory"
    assert told in result.errors
    (finding,) = result.json["findings"]
    assert (finding["hazard"], finding["line"], finding["program"]) == ("uninitialised_read", line, "both")


@pytest.mark.full
def test_what_is_benign_fails_if_that_is_asked_for(attempt):
    assert attempt(SOURCE, "--once", "--strict", "--", "same_value").status == 3


def test_the_optimised_program_alone(attempt):
    result = attempt(SOURCE, "--once", "--", "race")
    assert result.status == 3
    assert "(in the optimised program" in result.errors


OF_A_TEMPLATE = """\
__global__ void kernel(int* x, int n) { x[threadIdx.x + n] = 1; }
template <class T>
int run(T n) {
    T* x;
    cudaMalloc((void**)&x, n * sizeof(T));
    kernel<<<1, 32>>>(x, n);
    return cudaDeviceSynchronize() == cudaSuccess;
}
int main() { return run(100); }
"""


@pytest.mark.full
def test_an_allocation_in_a_template_is_named_by_its_source(attempt, tmp_path):
    """nvcc keeps the line, and names a file of its own."""
    source = tmp_path / "of a template.cu"
    source.write_text(OF_A_TEMPLATE)
    assert "past the end of an allocation of 400 bytes at of a template.cu:5" in attempt(source).errors
