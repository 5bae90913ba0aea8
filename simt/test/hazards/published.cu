// Bugs of other people's programs, as they are published, each written anew as a small kernel of its
// shape, and the published cure as its twin. Each says where the program is found and what was wrong.
#include "simt/test/hazards/program.h"

#include <algorithm>

namespace {
using namespace hazards;

constexpr int N = 128;
constexpr int PARTIAL = 180;  // threads: five warps and 20 lanes
constexpr unsigned ALL = 0xffffffff;

/// cuML, _block_gemv (github.com/NVIDIA/cuml/pull/6578): thread 0 still sums up the products while others
/// write those of the next row.
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

/// HeCBench, surfel_render_tile (github.com/ORNL/HeCBench/issues/253): a tile is loaded while others still
/// read the one before. Likewise a single barrier in a loop: is_unique of sppark's pippenger
/// (github.com/yelhousni/zprize-GPU-MSM-harness/pull/1).
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

/// ccminer, digit_last_wdc (github.com/tpruvot/ccminer/pull/75): a tree in shared memory, within a warp,
/// without __syncwarp.
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

/// arrayfire, warp_reduce (github.com/arrayfire/arrayfire/issues/625): each level reads what the one before
/// wrote, without a barrier; cured by commit 0d0d7d1. The levels were volatile there.
template <bool CURED>
__global__ void levels_of_a_warp(const int* in, int* out) {
    __shared__ int levels[32];
    const int t = int(threadIdx.x);
    levels[t] = in[t];
    __syncthreads();
    for (int n = 16; n >= 1; n /= 2) {
        if (t < n) levels[t] += levels[t + n];
        if (CURED) __syncthreads();
    }
    if (t == 0) *out = levels[0];
}

/// acts, seed finder (github.com/acts-project/acts/pull/307): a barrier in a branch by the thread's number.
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

/// popsift, excl_blk_prefix_sum (github.com/alicevision/popsift/pull/82): the total is advanced while others
/// still add it to their part.
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

/// Sanders and Kandrot, CUDA by Example, 2010, appendix 1: the lock of the dot product, without fences.
/// Alglave et al., "GPU concurrency: weak behaviours and programming assumptions", ASPLOS 2015, figures 2
/// and 9: sums that are out of date were read on GPUs, and fences cure it.
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

/// CUDA C++ Programming Guide, memory fence functions: without the fence "the counter might increment before
/// the partial sum is stored". PyTorch, Reduce.cuh (github.com/pytorch/pytorch/pull/128455), had that fence,
/// but none in the last block, between the counter and the sums of others.
template <bool RELEASES, bool ACQUIRES>
__global__ void sum_by_last_block(const int* in, int* sums, unsigned* count, int* out) {
    if (threadIdx.x > 0) return;
    int mine = 0;
    for (int i = 0; i < N; ++i) mine += in[i];
    sums[blockIdx.x] = mine;
    if (RELEASES) __threadfence();
    if (atomicInc(count, gridDim.x) != gridDim.x - 1) return;
    if (ACQUIRES) __threadfence();
    int all = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) all += sums[b];
    *out = all;
}

/// cytonRL, _vec_transform_reduce_sum (github.com/arthurxlw/cytonRL/issues/3, DeviceMatrix.cu:380 of commit
/// 9a901fb): "Threads implicitly synchronized within a warp". The same with its cure:
/// github.com/ORNL/HeCBench/issues/91.
template <bool CURED>
__global__ void last_warp_unrolled(const int* in, int* out) {
    __shared__ int data[64];
    const int t = int(threadIdx.x);
    data[t] = in[t], data[t + 32] = in[t + 32];
    __syncwarp();
    for (int shift = 32; shift > 0; shift /= 2) {
        const int sum = data[t] + data[t + shift];
        if (CURED) __syncwarp();
        data[t] = sum;
        if (CURED) __syncwarp();
    }
    if (t == 0) *out = data[0];
}

/// FlashInfer, block sums of trtllm_allreduce_fusion (github.com/flashinfer-ai/flashinfer/pull/3880): of 180
/// threads the last warp has 20 lanes, but the shuffles name 32 and ask all of them.
template <bool CURED>
__global__ void sum_of_partial_warps(const int* in, int* out) {
    __shared__ int sums[32];
    const int lane = int(threadIdx.x % 32), first = int(threadIdx.x) - lane;
    const int lanes = CURED ? min(32, int(blockDim.x) - first) : 32;
    const unsigned mask = ALL >> (32 - lanes);
    int sum = in[threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2) {
        const int partner = lane ^ distance;
        const int theirs = __shfl_sync(mask, sum, CURED && partner >= lanes ? lane : partner);
        if (!CURED || partner < lanes) sum += theirs;
    }
    if (lane == 0) sums[first / 32] = sum;
    __syncthreads();
    int all = 0;
    for (int warp = 0; warp < int(blockDim.x + 31) / 32; ++warp) all += sums[warp];
    out[threadIdx.x] = all;
}

/// CUTLASS, example 45 (github.com/NVIDIA/cutlass/issues/1094, cured by pull request 1097): all lanes shuffle
/// with the mask 0x1f, of lanes 0 to 4. That worked on A100 and failed on H100.
template <bool CURED>
__global__ void number_of_warp(const int*, int* out) {
    out[threadIdx.x] = __shfl_sync(CURED ? ALL : 0x1f, int(threadIdx.x) / 32, 0);
}

/// cuDF, single_lane_block_sum_reduce (github.com/NVIDIA/cudf/issues/13485): called in a loop, the first warp
/// still adds up the sums of warps while others write those of the next round.
template <bool CURED>
__global__ void block_sums_in_loop(const int* in, int* out) {
    __shared__ int sums[32];
    const int lane = int(threadIdx.x % 32), warp = int(threadIdx.x / 32);
    for (int round = 0; round < 2; ++round) {
        if (lane == 0) sums[warp] = in[threadIdx.x] * (round + 1);
        __syncthreads();
        if (warp == 0) {
            int sum = lane < N / 32 ? sums[lane] : 0;
            for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(ALL, sum, distance);
            out[round] = sum;
        }
        if (CURED) __syncthreads();
    }
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
    Device<int> in(ones(IN)), out(zeros(std::max(N, THREADS)));
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
template <bool RELEASES, bool ACQUIRES>
std::string run_sum_by_last_block() {
    Device<int> in(ones(N)), sums(zeros(4)), out(zeros(1));
    Device<unsigned> count(std::vector<unsigned>(1));
    run(sum_by_last_block<RELEASES, ACQUIRES>, 4, 32, static_cast<const int*>(in.data()), sums.data(),
        count.data(), out.data());
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
        {"arrayfire_reduce", Expected::race, "no barrier between levels",
         run_simple<levels_of_a_warp<false>, 32, 32, 32>},
        {"arrayfire_reduce_cured", Expected::clean, "a barrier after each level",
         run_simple<levels_of_a_warp<true>, 32, 32, 32>},
        {"acts_barrier", Expected::divergent_barrier, "threads wait at two barriers",
         run_barrier_in_branch<false>},
        {"acts_barrier_cured", Expected::clean, "all wait at one", run_barrier_in_branch<true>},
        {"popsift_prefix_sum", Expected::race, "no barrier before the total changes",
         run_running_total<false>},
        {"popsift_prefix_sum_cured", Expected::clean, "a barrier", run_running_total<true>},
        {"cuda_by_example_lock", Expected::race, "no fences", run_dot_product_with_lock<false>},
        {"cuda_by_example_lock_cured", Expected::clean, "fences", run_dot_product_with_lock<true>},
        {"guide_last_block", Expected::race, "no fences", run_sum_by_last_block<false, false>},
        {"pytorch_last_block", Expected::missing_acquire, "no fence in the last block",
         run_sum_by_last_block<true, false>},
        {"guide_last_block_cured", Expected::clean, "fences", run_sum_by_last_block<true, true>},
        {"cytonrl_last_warp", Expected::race, "lanes do not run in lockstep",
         run_simple<last_warp_unrolled<false>, 32, 64, 64>},
        {"cytonrl_last_warp_cured", Expected::clean, "__syncwarp between reads and writes",
         run_simple<last_warp_unrolled<true>, 32, 64, 64>},
        {"flashinfer_partial_warp", Expected::divergent_warp, "lanes that are not there are named and asked",
         run_simple<sum_of_partial_warps<false>, PARTIAL, PARTIAL, PARTIAL>},
        {"flashinfer_partial_warp_cured", Expected::clean, "the mask names those that are there",
         run_simple<sum_of_partial_warps<true>, PARTIAL, PARTIAL, PARTIAL>},
        {"cutlass_mask", Expected::divergent_warp, "most lanes are not in their own mask",
         run_simple<number_of_warp<false>, 32, 1, 0>},
        {"cutlass_mask_cured", Expected::clean, "all are", run_simple<number_of_warp<true>, 32, 1, 0>},
        {"cudf_block_sum", Expected::race, "no barrier before sums are written again",
         run_simple<block_sums_in_loop<false>, N, N, N / 32>},
        {"cudf_block_sum_cured", Expected::clean, "a barrier",
         run_simple<block_sums_in_loop<true>, N, N, N / 32>},
    });

}  // namespace
