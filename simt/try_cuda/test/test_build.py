"""What is compiled: names of files, several files, interrupts, where it is kept."""

import os
import signal
import subprocess
import time

import pytest

from experiments.test.project import ROOT
from experiments.test.rest import some
from simt.try_cuda.build import cure_of

RACE = """
__global__ void turn(int* data) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    data[threadIdx.x] = tile[63 - threadIdx.x];
}
"""
MAIN = """
int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    turn<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
"""


@pytest.mark.parametrize(
    "name", some(["ü.cu", "日本.cu", "it's a name.cu", "é/größe 251.cu"], ["é/größe 251.cu"])
)
def test_a_file_may_have_any_name(attempt, tmp_path, name):
    path, header = tmp_path / name, tmp_path / name.replace(".cu", ".h")
    path.parent.mkdir(exist_ok=True)
    header.write_text(RACE)
    path.write_text(f'#include "{header.name}"{MAIN}')
    result = attempt(path, "--once", "--seeds", 1)
    assert f"turn: {header.name}:4: data race" in result.errors and f"at {header.name}:5;" in result.errors
    assert "data[threadIdx.x] = tile[63 - threadIdx.x];" in result.output


@pytest.mark.parametrize("sign", ['"', "$", "`", ","])
def test_a_name_that_nvcc_does_not_take(sign):
    assert "-rdc=true" in cure_of("ptxas fatal : Unresolved extern function '_Z1fi'", "/a.cu")
    assert "-rdc=true" in cure_of("kernel launch from __global__ functions requires separate", "/a")
    assert "runtime" in cure_of("ptxas fatal : Unresolved extern function '__cudaCDP2Malloc'", "/a.cu")
    assert cure_of("sh: error", f"/a{sign}b.cu").endswith(f"nvcc takes no file name with {sign} in it")


@pytest.mark.full
def test_a_missing_rdc_is_named(attempt, tmp_path):
    main, other = tmp_path / "main.cu", tmp_path / "other.cu"
    main.write_text(
        "extern __device__ int twice(int);\n__global__ void turn(int* x) { *x = twice(*x); }" + MAIN
    )
    other.write_text("__device__ int twice(int x) { return 2 * x; }\n")
    result = attempt(main, other, "--once", "--seeds", 1)
    assert result.status == 2
    assert "try: the __device__ function twice(int) is defined in another file: -rdc=true" in result.errors


@pytest.mark.full
def test_an_interrupt_while_it_compiles_leaves_nothing(tmp_path):
    source, cache = tmp_path / "slow.cu", tmp_path / "cache"
    source.write_text("#include <thrust/sort.h>\n#include <thrust/device_vector.h>\n" + RACE + MAIN)
    process = subprocess.Popen(
        [ROOT / "simt/try", source],
        env=os.environ | {"SIMT_CACHE": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # as at a terminal
    )
    time.sleep(4)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, "try: interrupted\n")
    assert not list(cache.iterdir())


def test_a_folder_that_cannot_be_written(tmp_path):
    source = tmp_path / "main.cu"
    source.write_text(RACE + MAIN)
    done = subprocess.run(
        [ROOT / "simt/try", source],
        env=os.environ | {"SIMT_CACHE": "/proc/nothing"},
        capture_output=True,
        text=True,
        check=False,
    )
    told = "try: /proc/nothing cannot be written: SIMT_CACHE=FOLDER simt/try .. takes another folder\n"
    assert (done.returncode, done.stderr) == (2, told)
