// Copies by cooperative groups and by pipelines: who reads must have waited, and for all threads' parts.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#include "simt/test/hazards/program.h"

namespace {
using namespace hazards;
namespace cg = cooperative_groups;

constexpr int N = 128;
enum class Waits { yes, no, before_the_copy, for_the_older, reused_too_early };

/// A group copies a tile and reads it backwards.
template <Waits WAITS>
__global__ void by_group(const int* in, int* out) {
    __shared__ alignas(16) int tile[N];
    const auto block = cg::this_thread_block();
    tile[threadIdx.x] = 0;
    block.sync();
    if (WAITS == Waits::before_the_copy) cg::wait(block);
    cg::memcpy_async(block, tile, in, sizeof(int) * N);
    if (WAITS == Waits::yes) cg::wait(block);
    if (WAITS == Waits::no) block.sync();
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];
    if (WAITS != Waits::yes) cg::wait(block);
}

/// Two copies; all are waited for, or all but the newest.
template <Waits WAITS>
__global__ void two_by_group(const int* in, int* out) {
    __shared__ alignas(16) int first[N], second[N];
    const auto block = cg::this_thread_block();
    first[threadIdx.x] = second[threadIdx.x] = 0;
    block.sync();
    cg::memcpy_async(block, first, in, sizeof(int) * N);
    cg::memcpy_async(block, second, in, sizeof(int) * N);
    if (WAITS == Waits::for_the_older)
        cg::wait_prior<1>(block);
    else
        cg::wait(block);
    out[threadIdx.x] = second[N - 1 - threadIdx.x];
    cg::wait(block);
}

/// The same by a barrier of libcu++.
template <Waits WAITS>
__global__ void by_barrier(const int* in, int* out) {
    __shared__ alignas(16) int tile[N];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
    const auto block = cg::this_thread_block();
    tile[threadIdx.x] = 0;
    if (threadIdx.x == 0) init(&arrived, blockDim.x);
    block.sync();
    cuda::memcpy_async(block, tile, in, sizeof(int) * N, arrived);
    auto token = arrived.arrive();
    if (WAITS == Waits::yes) arrived.wait(std::move(token));
    out[threadIdx.x] = tile[N - 1 - threadIdx.x];
    if (WAITS != Waits::yes) arrived.wait(std::move(token));
}

/// By a pipeline of each thread. The tile is used again once all have read it, or too early.
template <Waits WAITS>
__global__ void by_pipeline(const int* in, int* out) {
    __shared__ int tile[N];
    auto pipe = cuda::make_pipeline();
    tile[threadIdx.x] = 0;
    __syncthreads();
    for (int round = 0; round < 2; ++round) {
        pipe.producer_acquire();
        cuda::memcpy_async(tile + threadIdx.x, in + threadIdx.x, sizeof(int), pipe);
        pipe.producer_commit();
        if (WAITS != Waits::no) pipe.consumer_wait();
        __syncthreads();
        out[threadIdx.x] = tile[N - 1 - threadIdx.x];
        if (WAITS != Waits::reused_too_early) __syncthreads();
        if (WAITS == Waits::no) pipe.consumer_wait();
        pipe.consumer_release();
    }
}

template <void (*KERNEL)(const int*, int*)>
std::string run_copies() {
    Device<int> in(some_values(N)), out(zeros(N));
    run(KERNEL, 1, N, static_cast<const int*>(in.data()), out.data());
    std::vector<int> expected = some_values(N);
    return difference(out.read(), reversed(expected));
}

const Bench group_copies(
    "copies of groups",
    {
        {"group_copy", Expected::clean, "the group waits", run_copies<by_group<Waits::yes>>},
        {"group_copy_no_wait", Expected::race, "a barrier does not wait for copies",
         run_copies<by_group<Waits::no>>},
        {"group_copy_waits_before", Expected::race, "there was nothing to wait for",
         run_copies<by_group<Waits::before_the_copy>>},
        {"group_copies_of_two", Expected::clean, "the group waits for both",
         run_copies<two_by_group<Waits::yes>>},
        {"group_copies_of_two_older", Expected::race, "the newer may still be on its way",
         run_copies<two_by_group<Waits::for_the_older>>},
        {"barrier_copy", Expected::clean, "the barrier waits for the copy",
         run_copies<by_barrier<Waits::yes>>},
        {"barrier_copy_no_wait", Expected::race, "to arrive waits for nothing",
         run_copies<by_barrier<Waits::no>>},
        {"pipeline_copy", Expected::clean, "each thread waits, then all",
         run_copies<by_pipeline<Waits::yes>>},
        {"pipeline_copy_no_wait", Expected::race, "nobody waits", run_copies<by_pipeline<Waits::no>>},
        {"pipeline_copy_too_early", Expected::race, "others may not have read the tile",
         run_copies<by_pipeline<Waits::reused_too_early>>},
    });

}  // namespace
