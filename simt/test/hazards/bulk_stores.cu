// Bulk stores: the copy engine reads shared memory through the async proxy, so writes need a proxy fence and
// an order before the store; and the space may be written again once the engine has read it, for which only
// the thread that issued the store can wait. Requires sm_90.
#include "kernels/fast/detail/bulk_copy.cuh"
#include "simt/test/hazards/program.h"

using namespace hazards;

extern __shared__ __align__(128) char memory[];

namespace bulk_stores {

constexpr int ROUNDS = 4, BYTES = 32 * sizeof(int);

enum class Defect {
    nothing,
    no_proxy_fence,
    no_syncwarp_before_store,
    proxy_fence_by_lane_0,  // for its own writes, not those of the other lanes
    no_commit,
    no_wait,
    wait_by_another_lane,
    no_syncwarp_after_wait,
};

/// A warp writes 32 elements per round and stores them in bulk. It uses SPACES spaces in turn and leaves as
/// many stores, but one, in flight.
template <Defect DEFECT, int SPACES, int IN_FLIGHT>
__global__ void fill(int* out) {
    const int lane = threadIdx.x;
    for (int k = 0; k < SPACES; ++k) reinterpret_cast<int*>(memory)[k * 32 + lane] = 0;
    __syncthreads();
    for (int round = 0; round < ROUNDS; ++round) {
        int* const space = reinterpret_cast<int*>(memory) + round % SPACES * 32;
        space[lane] = 32 * round + lane;
        if (DEFECT != Defect::no_proxy_fence && DEFECT != Defect::proxy_fence_by_lane_0) fence_proxy_async();
        if (DEFECT == Defect::proxy_fence_by_lane_0 && lane == 0) fence_proxy_async();
        if (DEFECT != Defect::no_syncwarp_before_store) __syncwarp();
        if (lane == 0) {
            bulk_store(out + 32 * round, space, BYTES);
            if (DEFECT != Defect::no_commit) cp_async_bulk_commit_group();
        }
        if (DEFECT != Defect::no_wait && lane == (DEFECT == Defect::wait_by_another_lane ? 1 : 0))
            cp_async_bulk_wait_group_read<IN_FLIGHT>();
        if (DEFECT != Defect::no_syncwarp_after_wait) __syncwarp();
    }
    if (lane == 0) {
        cp_async_bulk_commit_group();
        cp_async_bulk_wait_group_read<0>();
    }
}

template <Defect DEFECT, int SPACES = 1, int IN_FLIGHT = 0>
std::string run_fill() {
    Device<int> out(zeros(32 * ROUNDS));
    run_with_memory(fill<DEFECT, SPACES, IN_FLIGHT>, 1, 32, SPACES * BYTES, out.data());
    std::vector<int> expected;
    for (int i = 0; i < 32 * ROUNDS; ++i) expected.push_back(i);
    return difference(out.read(), expected);
}

/// The issuing thread reads what it stored, as soon as the engine has read the source, or in another launch.
template <bool READ>
__global__ void store_and_read(int* stored, int* out) {
    int* const space = reinterpret_cast<int*>(memory);
    space[threadIdx.x] = 7;
    fence_proxy_async();
    __syncwarp();
    if (threadIdx.x == 0) {
        bulk_store(stored, space, BYTES);
        cp_async_bulk_commit_group();
        cp_async_bulk_wait_group_read<0>();
        if (READ) *out = stored[31];
    }
}

__global__ void read_last(const int* stored, int* out) { *out = stored[31]; }

template <bool SAME_LAUNCH>
std::string run_store_and_read() {
    Device<int> stored(zeros(32)), out(zeros(1));
    run_with_memory(store_and_read<SAME_LAUNCH>, 1, 32, BYTES, stored.data(), out.data());
    if (!SAME_LAUNCH) run(read_last, 1, 1, stored.data(), out.data());
    return difference(out.read(), {7});
}

const Bench bulk_stores(
    "bulk store",
    {
        {"store", Expected::clean, "write, proxy fence, __syncwarp, store, wait, __syncwarp",
         run_fill<Defect::nothing>},
        {"store_no_proxy_fence", Expected::race, "the engine may not see the writes",
         run_fill<Defect::no_proxy_fence>},
        {"store_proxy_fence_too_early", Expected::race,
         "lane 0's fence comes before the __syncwarp that orders others' writes",
         run_fill<Defect::proxy_fence_by_lane_0>},
        {"store_no_syncwarp", Expected::race, "the store starts before the other lanes have written",
         run_fill<Defect::no_syncwarp_before_store>},
        {"store_no_wait", Expected::race, "lanes write what the engine still reads",
         run_fill<Defect::no_wait>},
        {"store_no_commit", Expected::race, "a wait for groups does not wait for a store outside of them",
         run_fill<Defect::no_commit>},
        {"store_wait_by_another_lane", Expected::race, "a lane waits for its own stores only",
         run_fill<Defect::wait_by_another_lane>},
        {"store_no_syncwarp_after_wait", Expected::race, "only lane 0 has waited",
         run_fill<Defect::no_syncwarp_after_wait>},
        {"stores_two_spaces", Expected::clean, "one store in flight, and another space to write",
         run_fill<Defect::nothing, 2, 1>},
        {"stores_one_space_too_few", Expected::race, "one store in flight, and its space is written",
         run_fill<Defect::nothing, 1, 1>},
        {"stored_then_read", Expected::clean, "the next launch reads what was stored",
         run_store_and_read<false>},
        {"stored_and_read", Expected::race, "the engine has read the source, but may not have written yet",
         run_store_and_read<true>},
    });

}  // namespace bulk_stores
