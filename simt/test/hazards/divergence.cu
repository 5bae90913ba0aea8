// Barriers and warp operations that not all threads reach.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64;
constexpr unsigned ALL = 0xffffffffu;

/// A barrier that the first `reach` threads reach.
__global__ void barrier_in_branch(int* out, int reach) {
    const int t = threadIdx.x;
    out[t] = 1;
    if (t < reach) __syncthreads();
    out[t] += 1;
}

/// Threads from `n` on exit before the barrier.
__global__ void early_exit(const int* in, int* out, int n) {
    __shared__ int tile[THREADS];
    const int t = threadIdx.x;
    if (t >= n) return;
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[n - 1 - t] + 1;
}

/// One barrier in each branch: not the same barrier.
__global__ void barrier_in_each_branch(int* out, int threads_in_first) {
    const int t = threadIdx.x;
    if (t < threads_in_first) {
        out[t] = 1;
        __syncthreads();
        out[t] += 1;
    } else {
        out[t] = 0;
        __syncthreads();
        out[t] += 2;
    }
}

/// A barrier in a loop. Thread t takes 1 + t / per_trip trips.
__global__ void barrier_in_loop(int* out, int per_trip) {
    const int trips = 1 + int(threadIdx.x) / per_trip;
    for (int trip = 0; trip < trips; ++trip) __syncthreads();
    out[threadIdx.x] = 2;
}

template <int REACH>
std::string run_barrier_in_branch() {
    return result_of(barrier_in_branch, 1, THREADS, repeated(THREADS, 2), zeros(THREADS), REACH);
}

template <int N>
std::string run_early_exit() {
    return result_of(early_exit, 1, THREADS, repeated(N, 2), repeated(N, 1), zeros(N), N);
}

template <int IN_FIRST>
std::string run_barrier_in_each_branch() {
    return result_of(barrier_in_each_branch, 1, THREADS, repeated(THREADS, 2), zeros(THREADS), IN_FIRST);
}

template <int PER_TRIP>
std::string run_barrier_in_loop() {
    return result_of(barrier_in_loop, 1, THREADS, repeated(THREADS, 2), zeros(THREADS), PER_TRIP);
}

/// The lower half of a warp shuffles within itself; the upper half does not take part.
__global__ void shuffle_in_branch(int* out, unsigned mask, int distance) {
    const int lane = threadIdx.x;
    int value = lane;
    if (lane < 16) value = __shfl_xor_sync(mask, value, distance);
    out[lane] = value;
}

template <unsigned MASK, int DISTANCE>
std::string run_shuffle_in_branch() {
    Device<int> out(zeros(32));
    run(shuffle_in_branch, 1, 32, out.data(), MASK, DISTANCE);
    std::vector<int> expected;
    for (int lane = 0; lane < 32; ++lane) expected.push_back(lane < 16 ? lane ^ DISTANCE : lane);
    return difference(out.read(), expected);
}

/// The lower half waits for the upper half in a vote, the upper half for the lower half in a barrier.
__global__ void vote_against_barrier(int* out) {
    int all = 1;
    if (threadIdx.x < 16) all = __all_sync(ALL, 1);
    __syncthreads();
    out[threadIdx.x] = all;
}

std::string run_vote_against_barrier() {
    return result_of(vote_against_barrier, 1, 32, repeated(32, 1), zeros(32));
}

/// Every lane takes part, but names only the lanes of `mask`.
__global__ void sync_all(int* out, unsigned mask) {
    __syncwarp(mask);
    out[threadIdx.x] = 1;
}

template <unsigned MASK>
std::string run_sync_all() {
    return result_of(sync_all, 1, 32, repeated(32, 1), zeros(32), MASK);
}

/// The lanes with an odd value find one another by a vote of all lanes, and then count themselves.
__global__ void vote_for_mask(const int* in, int* out) {
    const int lane = threadIdx.x, value = in[lane];
    const unsigned odd = __ballot_sync(ALL, value % 2);
    out[lane] = value % 2 ? __popc(__ballot_sync(odd, 1)) : 0;
}

std::string run_vote_for_mask() {
    const std::vector<int> values = some_values(32);
    Device<int> in(values), out(zeros(32));
    run(vote_for_mask, 1, 32, in.data(), out.data());
    std::vector<int> expected;
    for (const int value : values) expected.push_back(value % 2 ? 16 : 0);
    return difference(out.read(), expected);
}

const Bench divergence(
    "divergence",
    {
        {"barrier_for_all", Expected::clean, "all threads reach the barrier in the branch",
         run_barrier_in_branch<THREADS>},
        {"barrier_for_a_warp", Expected::clean, "the second warp ends, and is not waited for any more",
         run_barrier_in_branch<32>},
        {"exit_of_none", Expected::clean, "no thread exits before the barrier", run_early_exit<THREADS>},
        {"exit_before_barrier", Expected::clean, "a barrier waits for those that have not exited",
         run_early_exit<50>},
        {"one_branch", Expected::clean, "all threads take the same branch, and its barrier",
         run_barrier_in_each_branch<THREADS>},
        {"two_branches", Expected::divergent_barrier, "warps wait at the barriers of different branches",
         run_barrier_in_each_branch<32>},
        {"equal_trips", Expected::clean, "all threads pass the loop's barrier once",
         run_barrier_in_loop<THREADS>},
        {"unequal_trips", Expected::clean,
         "the first warp has ended when the second passes the barrier once more", run_barrier_in_loop<32>},
        {"shuffle_of_half", Expected::clean, "the mask names the lanes that are there",
         run_shuffle_in_branch<0x0000ffffu, 8>},
        {"shuffle_from_absent_lane", Expected::divergent_warp, "lanes read from lanes that do not take part",
         run_shuffle_in_branch<ALL, 16>},
        {"shuffle_from_outside_mask", Expected::divergent_warp, "lanes read from lanes outside of the mask",
         run_shuffle_in_branch<0x0000ffffu, 16>},
        {"vote_against_barrier", Expected::divergent_warp, "half a warp votes, half waits at a barrier",
         run_vote_against_barrier, OnGpu::hangs},
        {"mask_without_caller", Expected::divergent_warp, "the upper half is not in its own mask",
         run_sync_all<0x0000ffffu>},
        {"mask_by_vote", Expected::clean, "a vote of all lanes makes the mask of some", run_vote_for_mask},
    });

}  // namespace
