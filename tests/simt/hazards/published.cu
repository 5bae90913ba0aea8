// Bugs of other people's programs, as they are published, each written anew as a small kernel of its
// shape, and the published cure as its twin.
#include "tests/simt/hazards/program.h"

namespace {
using namespace hazards;

constexpr int N = 128;
constexpr unsigned ALL = 0xffffffff;

/// cuML, pull request 6578, "Fix race condition in _block_gemv kernel": thread 0 still sums up the tile
/// while others write the next row's products into it.
template <bool CURED>
__global__ void block_gemv(const int* matrix, const int* vector, int* out, int rows) {
    __shared__ int products[N];
    for (int row = 0; row < rows; ++row) {
        products[threadIdx.x] = matrix[row * N + threadIdx.x] * vector[threadIdx.x];
        __syncthreads();
        if (threadIdx.x == 0) {
            int sum = 0;
            for (int i = 0; i < N; ++i) sum += products[i];
            out[row] = sum;
        }
        if (CURED) __syncthreads();
    }
}

/// HeCBench, issue 253, surfel_render_tile: a tile is loaded while others still read the one before.
/// sppark's pippenger (zprize-GPU-MSM-harness, pull request 1) has the same single barrier in a loop.
template <bool CURED>
__global__ void render_tiles(const int* surfels, int* out, int tiles) {
    __shared__ int tile[N];
    int sum = 0;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = surfels[t * N + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < N; ++i) sum += tile[i];
        if (CURED) __syncthreads();
    }
    out[threadIdx.x] = sum;
}

/// ccminer, pull request 75, digit_last_wdc: a tree in shared memory, within a warp, without __syncwarp.
template <bool CURED>
__global__ void tree_of_a_warp(const int* in, int* out) {
    __shared__ int levels[32];
    const int lane = int(threadIdx.x);
    levels[lane] = 0;
    __syncwarp();
    levels[lane] = in[lane];
    for (int width = 1; width < 32; width *= 2) {
        if (CURED) __syncwarp();
        if (lane % (2 * width) == 0) levels[lane] += levels[lane + width];
    }
    if (lane == 0) *out = levels[0];
}

/// arrayfire, issue 625 and pull request 633, reduce_first_kernel: sums of warps are read without a barrier.
template <bool CURED>
__global__ void sum_of_warps(const int* in, int* out) {
    __shared__ int sums[N / 32];
    int sum = in[threadIdx.x];
    if (threadIdx.x < N / 32) sums[threadIdx.x] = 0;
    __syncthreads();
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(ALL, sum, unsigned(distance));
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    if (CURED) __syncthreads();
    if (threadIdx.x == 0) *out = sums[0] + sums[1] + sums[2] + sums[3];
}

/// acts, pull request 307, "fix CUDA kernel syncthread usage": a barrier in a branch by the thread's number.
template <bool CURED>
__global__ void barrier_in_branch(const int* in, int* out, int n) {
    __shared__ int tile[N];
    const int i = int(threadIdx.x);
    tile[i] = 0;
    __syncthreads();
    if (CURED) {
        if (i < n) tile[i] = in[i];
        __syncthreads();
        out[i] = i < n ? tile[n - 1 - i] : 0;
    } else if (i < n) {
        tile[i] = in[i];
        __syncthreads();
        out[i] = tile[n - 1 - i];
    } else {
        __syncthreads();
        out[i] = 0;
    }
}

/// popsift, pull request 82, excl_blk_prefix_sum: the total is advanced while others still add it to
/// their part.
template <bool CURED>
__global__ void running_total(const int* in, int* out, int rounds) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    for (int round = 0; round < rounds; ++round) {
        const int at = round * N + int(threadIdx.x);
        out[at] = total + in[at];
        if (CURED) __syncthreads();
        if (threadIdx.x == N - 1) total += in[at];
        __syncthreads();
    }
}

/// Sanders and Kandrot, CUDA by Example, 2010: the lock of the dot product. Its fault, and the fences
/// that cure it: Alglave et al., "GPU concurrency: weak behaviours and programming assumptions", ASPLOS
/// 2015.
template <bool CURED>
__global__ void dot_product_with_lock(const int* in, int* sum, int* lock) {
    if (threadIdx.x > 0) return;
    int mine = 0;
    for (int i = 0; i < N; ++i) mine += in[i];
    while (atomicCAS(lock, 0, 1) != 0) continue;
    if (CURED) __threadfence();
    *sum += mine;
    if (CURED) __threadfence();
    atomicExch(lock, 0);
}

/// CUDA C++ Programming Guide, memory fence functions: without the fence the last block may read a sum
/// that is not there yet.
template <bool CURED>
__global__ void sum_by_last_block(const int* in, volatile int* sums, unsigned* count, int* out) {
    if (threadIdx.x > 0) return;
    int mine = 0;
    for (int i = 0; i < N; ++i) mine += in[i];
    *const_cast<int*>(sums + blockIdx.x) = mine;
    if (CURED) __threadfence();
    if (atomicInc(count, gridDim.x) != gridDim.x - 1) return;
    if (CURED) __threadfence();
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += *const_cast<int*>(sums + b);
    *out = all;
}

/// Harris, "Optimizing parallel reduction in CUDA", 2007: the last warp without barriers. Lin and Grover,
/// "Using CUDA warp-level primitives", 2018, on why that is wrong, and the cure.
template <bool CURED>
__global__ void last_warp_unrolled(const int* in, int* out) {
    __shared__ int data[64];
    const int t = int(threadIdx.x);
    data[t] = in[t], data[t + 32] = in[t + 32];
    __syncwarp();
    for (int distance = 32; distance > 0; distance /= 2) {
        const int sum = data[t] + data[t + distance >= 64 ? t : t + distance];
        if (CURED) __syncwarp();
        data[t] = sum;
        if (CURED) __syncwarp();
    }
    if (t == 0) *out = data[0];
}

/// Lin and Grover, the same: all lanes are named in the mask of a shuffle that half of them come to.
template <bool CURED>
__global__ void mask_of_all(const int* in, int* out) {
    const int t = int(threadIdx.x);
    const unsigned mask = CURED ? __ballot_sync(ALL, t < 16) : ALL;
    int sum = in[t];
    if (t < 16) {
        for (int distance = 8; distance > 0; distance /= 2)
            sum += __shfl_down_sync(mask, sum, unsigned(distance), 16);
    } else {
        sum = 0;
    }
    __syncwarp();
    out[t] = sum;
}

/// CUB, BlockReduce and its kin: temporary storage is used again without the __syncthreads() that its
/// documentation asks for. TensorFlow, PyTorch and others have had it; here the storage is the kernel's
/// own.
template <bool CURED>
__global__ void storage_reused(const int* in, int* out) {
    __shared__ int storage[N / 32];
    int both[2];
    for (int part = 0; part < 2; ++part) {
        int sum = in[threadIdx.x] * (part + 1);
        for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(ALL, sum, distance);
        if (threadIdx.x % 32 == 0) storage[threadIdx.x / 32] = sum;
        __syncthreads();
        both[part] = storage[0] + storage[1] + storage[2] + storage[3];
        if (CURED) __syncthreads();
    }
    out[threadIdx.x] = both[0] + both[1];
}

std::vector<int> ones(int n) { return std::vector<int>(std::size_t(n), 1); }

template <bool CURED>
std::string run_block_gemv() {
    Device<int> matrix(ones(4 * N)), vector(ones(N)), out(zeros(4));
    run(block_gemv<CURED>, 1, N, static_cast<const int*>(matrix.data()),
        static_cast<const int*>(vector.data()), out.data(), 4);
    return difference(out.read(), repeated(4, N));
}
template <bool CURED>
std::string run_render_tiles() {
    Device<int> surfels(ones(3 * N)), out(zeros(N));
    run(render_tiles<CURED>, 1, N, static_cast<const int*>(surfels.data()), out.data(), 3);
    return difference(out.read(), repeated(N, 3 * N));
}
/// Kernels of one block from `in` to `out`.
template <void (*KERNEL)(const int*, int*), int THREADS, int IN, int EXPECTED>
std::string run_simple() {
    Device<int> in(ones(IN)), out(zeros(N));
    (void)launch(KERNEL, 1, THREADS, nullptr, static_cast<const int*>(in.data()), out.data());
    if (cudaDeviceSynchronize() != cudaSuccess) return "it fails";
    return difference(out.read(), {EXPECTED});
}
template <bool CURED>
std::string run_barrier_in_branch() {
    Device<int> in(ones(N)), out(zeros(N));
    (void)launch(barrier_in_branch<CURED>, 1, N, nullptr, static_cast<const int*>(in.data()), out.data(), 96);
    return cudaDeviceSynchronize() == cudaSuccess ? "" : "it fails";
}
template <bool CURED>
std::string run_running_total() {
    Device<int> in(ones(3 * N)), out(zeros(3 * N));
    run(running_total<CURED>, 1, N, static_cast<const int*>(in.data()), out.data(), 3);
    return out.read()[3 * N - 1] == 3 ? "" : "another total";
}
template <bool CURED>
std::string run_dot_product_with_lock() {
    Device<int> in(ones(N)), sum(zeros(1)), lock(zeros(1));
    run(dot_product_with_lock<CURED>, 4, 32, static_cast<const int*>(in.data()), sum.data(), lock.data());
    return difference(sum.read(), {4 * N});
}
template <bool CURED>
std::string run_sum_by_last_block() {
    Device<int> in(ones(N)), sums(zeros(4)), out(zeros(1));
    Device<unsigned> count(std::vector<unsigned>(1));
    run(sum_by_last_block<CURED>, 4, 32, static_cast<const int*>(in.data()),
        static_cast<volatile int*>(sums.data()), count.data(), out.data());
    return difference(out.read(), {4 * N});
}

const Bench published(
    "published",
    {
        {"cuml_block_gemv", Expected::race, "no barrier before the next row", run_block_gemv<false>},
        {"cuml_block_gemv_cured", Expected::clean, "a barrier", run_block_gemv<true>},
        {"hecbench_surfel", Expected::race, "no barrier before the next tile", run_render_tiles<false>},
        {"hecbench_surfel_cured", Expected::clean, "a barrier", run_render_tiles<true>},
        {"ccminer_digit_last", Expected::race, "lanes do not run in lockstep",
         run_simple<tree_of_a_warp<false>, 32, 32, 32>},
        {"ccminer_digit_last_cured", Expected::clean, "__syncwarp before each level",
         run_simple<tree_of_a_warp<true>, 32, 32, 32>},
        {"arrayfire_reduce", Expected::race, "no barrier between warps",
         run_simple<sum_of_warps<false>, N, N, N>},
        {"arrayfire_reduce_cured", Expected::clean, "a barrier", run_simple<sum_of_warps<true>, N, N, N>},
        {"acts_barrier", Expected::divergent_barrier, "threads wait at two barriers",
         run_barrier_in_branch<false>},
        {"acts_barrier_cured", Expected::clean, "all wait at one", run_barrier_in_branch<true>},
        {"popsift_prefix_sum", Expected::race, "no barrier before the total changes",
         run_running_total<false>},
        {"popsift_prefix_sum_cured", Expected::clean, "a barrier", run_running_total<true>},
        {"cuda_by_example_lock", Expected::race, "no fences", run_dot_product_with_lock<false>},
        {"cuda_by_example_lock_cured", Expected::clean, "fences", run_dot_product_with_lock<true>},
        {"guide_last_block", Expected::race, "no fences", run_sum_by_last_block<false>},
        {"guide_last_block_cured", Expected::clean, "fences", run_sum_by_last_block<true>},
        {"harris_last_warp", Expected::race, "lanes do not run in lockstep",
         run_simple<last_warp_unrolled<false>, 32, 64, 64>},
        {"harris_last_warp_cured", Expected::clean, "__syncwarp between reads and writes",
         run_simple<last_warp_unrolled<true>, 32, 64, 64>},
        {"grover_mask", Expected::divergent_warp, "the mask names lanes that do not come",
         run_simple<mask_of_all<false>, 32, 32, 16>},
        {"grover_mask_cured", Expected::clean, "the mask is voted for before",
         run_simple<mask_of_all<true>, 32, 32, 16>},
        {"cub_storage_reused", Expected::race, "no barrier before storage is used again",
         run_simple<storage_reused<false>, N, N, 3 * N>},
        {"cub_storage_reused_cured", Expected::clean, "a barrier",
         run_simple<storage_reused<true>, N, N, 3 * N>},
    });

}  // namespace
