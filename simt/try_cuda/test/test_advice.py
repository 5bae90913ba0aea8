"""Where the time goes, and what would cure it; two programs compared."""

import re
import subprocess

import pytest

from simt.try_cuda.build import MACHINE, OPTIMISED, Options, build
from simt.try_cuda.observed import load
from simt.try_cuda.report import advice

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


@pytest.mark.full
def test_advice_is_what_the_counts_prove(attempt, written):
    told = attempt(written("slow.cu", TRANSPOSE.replace("WIDTH", "32")), "--once", "--seeds", 1).output
    assert "16,384 passes over the banks where 512 would do: neighbouring lanes are 32 words apart" in told
    assert "16,384 passes become 512" in told
    assert "neighbouring lanes are 512 bytes apart" in told and "9,216 sectors become 2,048" in told
    padded = attempt(written("fast.cu", TRANSPOSE.replace("WIDTH", "33")), "--once", "--seeds", 1).output
    assert "passes over the banks" not in padded and "9,216 sectors become 2,048" in padded


@pytest.mark.full
def test_without_times_a_lines_share_is_that_of_the_instructions(attempt, written):
    told = attempt(written("slow.cu", TRANSPOSE.replace("WIDTH", "32")), "--once", "--seeds", 1, "--untimed")
    assert "with their share of the instructions" in told.output and "passes become 512" in told.output


DIVISION = """
__global__ void divide(long long* numbers) {
    numbers[threadIdx.x] /= numbers[threadIdx.x + 32] | 1;
}
int main() {
    long long* numbers;
    cudaMalloc(&numbers, 512);
    cudaMemset(numbers, 3, 512);
    divide<<<1, 32>>>(numbers);
    return cudaDeviceSynchronize();
}
"""


def test_what_the_compilers_own_functions_do_is_of_no_line(attempt, written):
    """ptxas has a function for a division; the table of lines goes on there with the kernel's last one."""
    told = attempt(written("divide.cu", DIVISION), "--once", "--seeds", 1, "--untimed").output
    elsewhere = re.search(r"^elsewhere\n.*\n +(\d+)", told, re.MULTILINE)
    last = re.search(r"^ +\d+ +(\d+) .* \}$", told, re.MULTILINE)
    assert int(elsewhere[1]) > 50 and int(last[1]) < 5, told


KERNELS = """
__global__ void wide_conflicts(const float* in, float* out) {
    __shared__ float tile[256 * 8];
    for (int k = 0; k < 8; ++k) tile[threadIdx.x * 8 + k] = in[k * 256 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 8; ++k) out[k * 256 + threadIdx.x] = tile[k * 256 + threadIdx.x];
}
__global__ void of_two_widths(const float* in, float* out) {
    __shared__ float tile[256 * 8];
    volatile float* row = tile + threadIdx.x * 8;
    *(float4*)row = {}; for (int k = 4; k < 8; ++k) row[k] = in[k];
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
    for (auto kernel : {wide_conflicts, of_two_widths, apart, few_lanes, hot_spot, good_saxpy, good_stencil,
                        good_transpose, good_sum, good_histogram})
        kernel<<<1, 256>>>(in, out);
    return cudaDeviceSynchronize();
}
"""
CURES = {
    "wide_conflicts": "16 bytes of padding after every 128 (a row of 32 words gets 36): 128 passes become 64",
    "of_two_widths": "padding, as a word after every 32: the accesses differ in width, so try it",
    "apart": "let neighbouring lanes access neighbouring elements: 4,096 sectors become 512",
    "hot_spot": "combine them in the warp first (__reduce_add_sync, or shuffles): 256 changes become 8",
}


@pytest.mark.full
def test_good_kernels_get_no_advice_and_each_bad_one_its_own(written, tmp_path):
    program = build([written("kernels.cu", KERNELS)], Options(), OPTIMISED)
    out = tmp_path / "observed.json"
    subprocess.run([MACHINE, "--json", out, program], check=True)
    told = {
        launch.kernel: [each for line in launch.lines for each in advice.advices([launch], line)]
        for launch in load(out).launches
    }
    cures = {kernel: [each.cure for each in advices if each.cure] for kernel, advices in told.items()}
    assert {kernel: each for kernel, each in cures.items() if each} == {k: [v] for k, v in CURES.items()}
    few = "4.7 of 32 lanes at work: 280 instructions, which whole warps would do in 41"
    assert [each.why for each in told["few_lanes"]] == [few]


@pytest.mark.full
def test_two_programs_are_compared_line_by_line(attempt, written):
    slow = written("slow.cu", TRANSPOSE.replace("WIDTH", "32"))
    fast = written("fast one.cu", TRANSPOSE.replace("WIDTH", "33"))
    options = ("--once", "--seeds", 1)
    told = attempt(slow, "--against", fast, *options).output.partition("slow.cu -> fast one.cu")[2]
    (row,) = [line for line in told.splitlines() if line.startswith("6/6")]
    assert "16,384 -> 512" in row and "15,872 -> ." in row
    assert "findings: none in either" in told
    begin = "by the clock of an nvidia-h200: transpose"
    (times,) = [line for line in told.splitlines() if line.startswith(begin)]
    before, after = map(float, re.findall(r"([\d.]+) µs", times))
    assert after < before
