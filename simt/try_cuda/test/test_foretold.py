"""What simt/try and experiments/record/predict.py say of the time of launches, by the clock."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from experiments.test.project import ROOT
from simt.try_cuda.build import OPTIMISED, Options, build

PROGRAM = Path(__file__).with_name("foretold.cu")
N = 8192 * 256
GPUS = ["nvidia-h100", "nvidia-h200"]


@pytest.fixture(scope="module")
def program():
    return build([PROGRAM], Options(), OPTIMISED)


@pytest.fixture(scope="module")
def launches(program, tmp_path_factory) -> list[dict]:
    out = tmp_path_factory.mktemp("foretold") / "counts.json"
    subprocess.run([ROOT / "build/simt-run", "--counts-only", "--json", out, program], check=True)
    return json.loads(out.read_text())["launches"]


@pytest.mark.full
def test_a_sector_that_is_read_twice_counts_once(launches):
    twice = launches[0]
    assert twice["global_load_sectors"] == 2 * N * 4 // 32
    assert (twice["sectors_read"], twice["sectors_written"]) == (N * 4 // 32, N * 4 // 32)
    assert 0 < twice["registers"] <= 32


@pytest.mark.full
def test_a_request_without_a_lane_passes_the_pipe(launches):
    """Of eight warps one has lanes that store, and the others issue the store all the same."""
    idle = launches[1]
    assert idle["shared_store_requests"] == 1
    others = idle["mio_instructions"] - idle["shared_load_requests"] - idle["shared_store_requests"] - 8
    assert others >= 7
    assert len(idle["steps"]) == 2
    assert sum(each["warp_instructions"] for each in idle["steps"]) == idle["warp_instructions"]


def rows_of(output: str) -> list[str]:
    """Of the table of launches by the clock, without what stands above it, and its head."""
    return output.partition("by the clock of")[2].partition("\n\n")[0].splitlines()[3:]


@pytest.mark.full
def test_each_launch_has_a_time_by_the_clock(attempt):
    report = attempt(PROGRAM, "--once", "--seeds", 1).output
    assert "by the clock of an nvidia-h200, caches empty at first" in report
    rows = rows_of(report)
    assert [row.split()[-1] for row in rows] == ["twice", "idle", "chain"]
    assert all("µs" in row for row in rows)
    assert "predicted before they were timed, nine in ten were off by at most" in report


@pytest.mark.full
def test_a_grid_is_taken_as_longer(attempt):
    result = attempt(PROGRAM, "--once", "--longer", 64, "--kernel", "twice", "--gpu", "nvidia-h100")
    assert "by the clock of an nvidia-h100, with 64 times as many blocks" in result.output
    (row,) = rows_of(result.output)
    number, unit = row.split()[1:3]
    bytes_moved = 64 * N * 4 * 2
    assert unit == "µs" and bytes_moved / 3.35e6 < float(number) < bytes_moved / 2e6  # at most 3.35 TB/s


@pytest.mark.full
def test_times_are_left_out_if_the_user_says_so(attempt):
    result = attempt(PROGRAM, "--once", "--untimed")
    assert result.status == 0 and "by the clock" not in result.output
    both = attempt(PROGRAM, "--once", "--untimed", "--gpu", "nvidia-h100")
    assert both.status == 2 and both.errors == "try: --gpu is for the times, which --untimed leaves out\n"


LONG = """
__global__ void turns(float* out, int n) {
    float x = threadIdx.x;
    for (int k = 0; k < n; ++k) x = x * 0.5f + 1.0f;
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
int main() {
    float* out;
    cudaMalloc(&out, 2048 * 256 * 4);
    turns<<<2048, 256>>>(out, 2000);
    return cudaDeviceSynchronize();
}
"""


@pytest.mark.full
def test_an_interrupt_leaves_out_the_times(written):
    command = [ROOT / "simt/try", written("long.cu", LONG), "--once", "--seeds", "1"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # as at a terminal
    )
    for line in process.stdout:
        if line.startswith("1 launch:"):  # what is counted; the clock comes next
            break
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    output, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "try: interrupted: some launches have no time" in errors
    assert "no time: not all of its blocks have ended" in output


@pytest.mark.full
def test_a_table_of_a_program_can_be_committed(program, tmp_path):
    command = [sys.executable, "-m", "experiments.record.predict", "--name", "demo", "--longer", "64"]
    done = subprocess.run(
        [*command, "--out", tmp_path, program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("predict   demo: 2 of 6 launches by the clock")
    rows = list(csv.DictReader((tmp_path / "demo.csv").open(encoding="utf-8")))
    assert [row["gpu"] for row in rows] == [GPUS[0]] * 3 + [GPUS[1]] * 3
    assert all(bool(row["clock_us"]) != bool(row["clock_unknown"]) for row in rows)
    missing = subprocess.run(
        [*command, tmp_path / "none"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert missing.returncode == 2 and missing.stderr.count("\n") == 1
