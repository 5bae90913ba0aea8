"""What is allowed or benign, the host's half, cures, advice, comparisons, partial results."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from experiments.test.project import ROOT

sys.path.insert(0, str(ROOT / "scripts"))

from try_cuda import advice  # noqa: E402
from try_cuda.build import MACHINE, OPTIMISED, Options, build  # noqa: E402
from try_cuda.observed import load  # noqa: E402

RACE = """
__global__ void turn(int* data) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 0, __syncthreads();
    tile[threadIdx.x] = data[threadIdx.x];{comment}
    data[threadIdx.x] = tile[63 - threadIdx.x];
}
int main() {
    int* data;
    cudaMalloc(&data, 64 * sizeof(int));
    cudaMemset(data, 0, 64 * sizeof(int));
    turn<<<1, 64>>>(data);
    return cudaDeviceSynchronize();
}
"""
HOST = """
#include <cstdio>
__global__ void fill(int* x) { x[threadIdx.x] = 1; }
int main(int argc, char**) {
    int *device, *managed;
    cudaMalloc(&device, 64 * sizeof(int));
    cudaMallocManaged(&managed, 64 * sizeof(int));
    fill<<<1, 64>>>(managed);
    std::printf("%d\\n", managed[3]);
    cudaMemset(device, 0, 1 << 20);
    cudaDeviceSynchronize();
    cudaFree(managed);
    if (argc > 1) std::printf("%d\\n", device[5]);
}
"""
TRANSPOSE = """
__global__ void transpose(const float* in, float* out, int n) {
    __shared__ float tile[32][WIDTH];
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
__global__ void scattered(const float* in, float* out, int n) {
    out[threadIdx.x * n + blockIdx.x] = in[threadIdx.x];
}
int main() {
    const int n = 128;
    float *in, *out;
    cudaMalloc(&in, n * n * sizeof(float));
    cudaMalloc(&out, n * n * sizeof(float));
    cudaMemset(in, 0, n * n * sizeof(float));
    transpose<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(in, out, n);
    scattered<<<64, n>>>(in, out, n);
    return cudaDeviceSynchronize();
}
"""


@pytest.fixture
def written(tmp_path):
    def write(name: str, text: str):
        path = tmp_path / name
        path.write_text(text.lstrip())
        return path

    return write


@pytest.mark.parametrize(
    "comment, status", [("", 3), ("  // simt: allow race it is a test", 0), ("  // simt: allow race", 3)]
)
def test_a_line_may_allow_what_it_does_if_it_says_why(attempt, written, comment, status):
    result = attempt(written("turn.cu", RACE.replace("{comment}", comment)), "--seeds", 1)
    assert result.status == status
    found = [line for line in result.errors.splitlines() if "data race" in line]
    assert found and all(line.startswith("try: allowed (it is a test): ") == (status == 0) for line in found)
    assert ("cure: __syncthreads() between this line and turn.cu:" in result.errors) == (status != 0)


@pytest.mark.full
def test_a_place_may_be_allowed(attempt, written):
    path = written("turn.cu", RACE.replace("{comment}", ""))
    assert attempt(path, "--once", "--seeds", 1, "--allow", "turn.cu:4").status == 0
    wrong = attempt(path, "--allow", "nonsense")
    assert wrong.status == 2 and wrong.errors.count("\n") == 1


@pytest.mark.full
def test_what_is_benign_fails_if_that_is_asked_for(attempt):
    path = ROOT / "tests/try/faults/same_value.cu"
    assert attempt(path, "--once").status == 0
    assert attempt(path, "--once", "--strict").status == 3


@pytest.mark.full
def test_the_host_is_followed(attempt, written):
    path = written("host.cu", HOST)
    result = attempt(path, "--leaks", "--once")
    told = result.errors
    assert result.status == 3
    assert re.search(
        r"host.cu:8: data race on memory of the host, byte 12 of managed, .*the host's read", told
    )
    assert "host.cu:9: nobody looks at the error of cudaMemset: cudaErrorInvalidValue" in told
    assert "host.cu:5: never freed: device, 256 bytes" in told
    ended = attempt(path, "--once", "--seeds", 1, "--", "more")
    assert ended.status == 3
    assert (
        "host.cu:12: the host accesses memory of the device: this read of byte 20 of device" in ended.errors
    )
    assert "try: the program was ended by SIGSEGV" in ended.errors
    told = attempt(path, "--once", "--seeds", 2, "--", "more").errors  # it is followed in one of the two
    assert "the host accesses memory" in told and "depends on the schedule" not in told


TWO_CALLS = """
__global__ void set(int* x) { x[threadIdx.x] = 1; }
int main() {
    int* device;
    cudaMalloc(&device, 128); set<<<1, 2048>>>(device);
    cudaGetLastError();
    cudaMalloc(&device, 128); if (cudaMemset(device, 0, 1 << 20) == cudaSuccess) return 1;
    cudaMalloc(&device, 128); cudaMemset(device, 0, 1 << 20);
    cudaMalloc(&device, 128); set<<<1, 2048>>>(device);
}
"""


def test_of_several_calls_on_a_line_the_one_that_failed_is_named(attempt, written):
    told = attempt(written("calls.cu", TWO_CALLS), "--once", "--seeds", 1).errors
    found = re.findall(r"calls.cu:(\d+): nobody looks at the error of ([^:]*):", told)
    assert found == [("7", "cudaMemset"), ("8", "<<< >>>")]


@pytest.mark.full
def test_advice_is_what_the_counts_prove(attempt, written):
    told = attempt(written("slow.cu", TRANSPOSE.replace("WIDTH", "32")), "--once", "--seeds", 1).output
    assert "16,384 passes over the banks where 512 would do: neighbouring lanes are 32 words apart" in told
    assert "16,384 passes become 512" in told
    assert "neighbouring lanes are 512 bytes apart" in told and "9,216 sectors become 2,048" in told
    padded = attempt(written("fast.cu", TRANSPOSE.replace("WIDTH", "33")), "--once", "--seeds", 1).output
    assert "where it goes" in padded and "passes over the banks" not in padded.partition("where it goes")[2]


KERNELS = """
__global__ void wide_conflicts(const float* in, float* out) {
    __shared__ float tile[256 * 8];
    for (int k = 0; k < 8; ++k) tile[threadIdx.x * 8 + k] = in[k * 256 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 8; ++k) out[k * 256 + threadIdx.x] = tile[k * 256 + threadIdx.x];
}
__global__ void apart(const float* in, float* out) {
    float sum = 0;
    for (int k = 0; k < 16; ++k) sum += in[threadIdx.x * 16 + k];
    out[threadIdx.x] = sum;
}
__global__ void few_lanes(const float* in, float* out) {
    float x = in[threadIdx.x];
    if (threadIdx.x % 8 == 0)
        for (int k = 0; k < 32; ++k) x = x * 1.0001f + 0.5f;
    out[threadIdx.x] = x;
}
__global__ void hot_spot(const float* in, float* out) { atomicAdd(&out[int(in[threadIdx.x])], in[1]); }
__global__ void good_saxpy(const float* in, float* out) {
    const float4 x = reinterpret_cast<const float4*>(in)[threadIdx.x];
    float4 y = reinterpret_cast<float4*>(out)[threadIdx.x];
    y.x += 2 * x.x, y.y += 2 * x.y, y.z += 2 * x.z, y.w += 2 * x.w;
    reinterpret_cast<float4*>(out)[threadIdx.x] = y;
}
__global__ void good_stencil(const float* in, float* out) {
    const int i = threadIdx.x;
    if (i > 0 && i < 255) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}
__global__ void good_transpose(const float* in, float* out) {
    __shared__ float tile[32][33];
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    for (int k = 0; k < 32; k += 8) tile[y + k][x] = in[(y + k) * 32 + x];
    __syncthreads();
    for (int k = 0; k < 32; k += 8) out[(y + k) * 32 + x] = tile[x][y + k];
}
__global__ void good_sum(const float* in, float* out) {
    __shared__ float sums[8];
    float x = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, sums[0] + sums[1] + sums[2] + sums[3]);
}
__global__ void good_histogram(const float* in, float* out) {
    __shared__ float bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[threadIdx.x ^ int(in[threadIdx.x])], 1.5f);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 16384), cudaMalloc(&out, 16384), cudaMemset(in, 0, 16384), cudaMemset(out, 0, 16384);
    for (auto kernel : {wide_conflicts, apart, few_lanes, hot_spot, good_saxpy, good_stencil, good_transpose,
                        good_sum, good_histogram})
        kernel<<<1, 256>>>(in, out);
    return cudaDeviceSynchronize();
}
"""
CURES = {
    "wide_conflicts": "16 bytes of padding after every 128 (a row of 32 words gets 36): 128 passes become 64",
    "apart": "let neighbouring lanes access neighbouring elements: 4,096 sectors become 512",
    "hot_spot": "combine them in the warp first (__reduce_add_sync, or shuffles): 256 changes become 8",
}


def test_good_kernels_get_no_advice_and_each_bad_one_its_own(written, tmp_path):
    program = build([written("kernels.cu", KERNELS)], Options(), OPTIMISED)
    out = tmp_path / "observed.json"
    subprocess.run([MACHINE, "--json", out, program], check=True)
    told = {
        launch.kernel: [found for line in launch.lines for found in advice.advices([launch], line)]
        for launch in load(out).launches
    }
    cures = {kernel: [each.cure for each in found if each.cure] for kernel, found in told.items()}
    assert {kernel: found for kernel, found in cures.items() if found} == {k: [v] for k, v in CURES.items()}
    few = "4.7 of 32 lanes at work: 280 instructions, which whole warps would do in 41"
    assert [each.why for each in told["few_lanes"]] == [few]


@pytest.mark.full
def test_two_programs_are_compared_line_by_line(attempt, written):
    slow = written("slow.cu", TRANSPOSE.replace("WIDTH", "32"))
    fast = written("fast one.cu", TRANSPOSE.replace("WIDTH", "33"))
    told = attempt(slow, "--against", fast, "--once", "--seeds", 1).output.partition(
        "slow.cu -> fast one.cu"
    )[2]
    (row,) = [line for line in told.splitlines() if line.startswith("6/6")]
    assert "16,384 -> 512" in row and "15,872 -> ." in row
    assert "findings: none in either" in told


@pytest.mark.full
def test_a_folder_and_a_program_that_is_built(attempt, written, tmp_path):
    folder = tmp_path / "a folder"
    folder.mkdir()
    (folder / "main.cu").write_text("int status();\nint main() { return status(); }\n")
    (folder / "other.cpp").write_text("int status() { return 7; }\n")
    assert attempt(folder, "--once").status == 7
    assert attempt(tmp_path / "a folder" / "nothing").status == 2
    program = build([written("turn.cu", RACE.replace("{comment}", ""))], Options(), OPTIMISED)
    told = attempt(program, "--seeds", 1).errors
    assert "turn.cu:4: data race" in told and "-lineinfo" not in told


PAIR = """#include <cstdio>
__global__ void pass_on(unsigned long long* words, unsigned long long* sum) {
    if (blockIdx.x == 0 && threadIdx.x < 2)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(words + threadIdx.x), "l"(7ull) : "memory");
    if (blockIdx.x == 0) return;
    unsigned long long a = 0, b = 0;
    while (a == 0 || b == 0)
        asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                     : "=l"(a), "=l"(b)
                     : "l"(words)
                     : "memory");
    if (threadIdx.x == 0) *sum = a + b;
}
int main() {
    unsigned long long *words, sum;
    cudaMalloc(&words, 24);
    cudaMemset(words, 0, 24);
    pass_on<<<2, 32>>>(words, words + 2);
    cudaMemcpy(&sum, words + 2, 8, cudaMemcpyDeviceToHost);
    std::printf("%llu\\n", sum);
    return cudaFree(words);
}
"""


@pytest.mark.full
def test_without_lines_no_part_of_a_vector_races_and_it_is_said_what_is_not_known(attempt, written):
    program = build([written("pair.cu", PAIR)], Options(), [])
    result = attempt(program, "--seeds", 2)
    assert (result.status, result.output.splitlines()[0]) == (0, "14"), result.errors
    assert "nvcc -lineinfo keeps both" in result.errors
    assert attempt(written("pair.cu", PAIR), "--seeds", 2).status == 0


@pytest.mark.full
def test_what_was_counted_is_shown_after_an_interrupt(tmp_path):
    command = [ROOT / "scripts/try", ROOT / "tests/try/refused/endless.cu", "--once"]
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    time.sleep(8)
    os.killpg(process.pid, signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert "partial: interrupted" in output and "while (atomicAdd(" in output
    assert process.returncode == 130


@pytest.mark.full
def test_what_was_counted_is_shown_when_memory_is_up(attempt, written):
    text = RACE.replace("{comment}", "").replace(
        "return cudaDeviceSynchronize();",
        "cudaDeviceSynchronize();"
        "for (;;) { char* p = new char[1 << 26]; for (int i = 0; i < 1 << 26; i += 4096) p[i] = 1; }",
    )
    result = attempt(written("fills.cu", text), "--once", "--memory", 1)
    assert "partial: the memory is used up" in result.output and "turn" in result.output
    assert "--memory GB allows more" in result.errors
