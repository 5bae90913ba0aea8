"""What C++ forbids and GPUs let pass: an array of shared memory that is left for the next one, and a barrier
before which some threads of the block have ended."""

import pytest

ARRAYS = """
struct Pair { int first[32], second[32]; };
__device__ int at(const int* p, int i) { return p[i]; }
__global__ void k(int* x, int way) {
    __shared__ int low[64], high[64], rows[4][16];
    __shared__ Pair pair;
    const int i = threadIdx.x;
    low[i] = i, high[i] = 2 * i, rows[i / 16][i % 16] = i, pair.first[i % 32] = pair.second[i % 32] = 1;
    __syncthreads();
    const int* const alias = high;
    int sum = 0;
    if (way == 0) sum = low[i + 1];  // left
    if (way == 1) sum = low[i] + high[63 - i] + rows[3 - i / 16][i % 16] + alias[i] + at(high, i);
    if (way == 2) {
        for (int k = 0; k < 64; ++k) sum += low[k] * high[k] + alias[63 - k];
        for (const int *p = high, *end = high + 64; p != end; ++p) sum += *p;
        for (int k = 1; k <= 64; ++k) sum += (low + 64)[-k] + (high - 1)[k] + pair.second[k % 32];
    }
    if (way == 3) sum = *(&rows[0][0] + i) + (&pair.first[0])[i];  // one object, though not one row
    x[i] = sum;
}
int main(int, char** arguments) {
    int* x;
    cudaMalloc(&x, 64 * sizeof(int));
    k<<<1, 64>>>(x, arguments[1][0] - '0');
    return cudaDeviceSynchronize();
}
"""


@pytest.mark.full
@pytest.mark.parametrize("way", range(4))
def test_an_array_that_is_left_for_the_next_one(attempt, written, way):
    result = attempt(written("arrays.cu", ARRAYS), "--seeds", 1, "--", way)
    left = [line for line in result.errors.splitlines() if "bytes: it is byte" in line]
    assert len(left) == (way == 0), result.errors
    if way == 0:
        assert result.status == 3
        assert "arrays.cu:11: byte 259 of low is accessed, which has 256 bytes: it is byte 3 of " in left[0]
        assert "thread (63, 0, 0) (in the unoptimised program)" in left[0]


ENDED = """
__global__ void shift(int* x, int n) {
    __shared__ int tile[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    tile[threadIdx.x] = x[i];
    __syncthreads();
    x[i] = tile[threadIdx.x > 0 ? threadIdx.x - 1 : 0];
}
int main() {
    int* x;
    cudaMalloc(&x, 256 * sizeof(int));
    cudaMemset(x, 0, 256 * sizeof(int));
    shift<<<2, 128>>>(x, N);
    return cudaDeviceSynchronize();
}
"""


@pytest.mark.full
@pytest.mark.parametrize("n", [200, 256])
def test_threads_that_have_ended_before_a_barrier(attempt, written, n):
    path = written("ended.cu", ENDED)
    strict = attempt(path, "--once", "--seeds", 1, "--strict", "-D", f"N={n}")
    told = "ended.cu:6: divergent barrier: threads of the block have ended before it, block (1, 0, 0)"
    assert (strict.status, told in strict.errors) == ((3, True) if n == 200 else (0, False))
    assert attempt(path, "--once", "--seeds", 1, "-D", f"N={n}").status == 0
