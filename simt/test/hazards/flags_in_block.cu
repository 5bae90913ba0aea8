// Flags within a block, in shared memory: a fence of the block is enough.
#include "simt/test/hazards/fences.h"
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

/// Warp 0 hands a payload to warp 1, one lane each.
template <Fence RELEASE, Fence ACQUIRE>
__global__ void hand_over(int* out) {
    __shared__ int payload;
    __shared__ volatile int flag;
    const int t = threadIdx.x;
    if (t == 0) payload = 0;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t == 0) {
        payload = 42;
        fence<RELEASE>();
        flag = 1;
    }
    if (t == 32) {
        while (flag == 0) {
        }
        fence<ACQUIRE>();
        *out = payload;
    }
}

template <Fence RELEASE, Fence ACQUIRE>
std::string run_hand_over() {
    return result_of(hand_over<RELEASE, ACQUIRE>, 1, 64, {42}, zeros(1));
}

/// The same between two lanes of one warp, which make progress independently.
template <Fence RELEASE>
__global__ void hand_over_in_warp(int* out) {
    __shared__ int payload;
    __shared__ volatile int flag;
    const int lane = threadIdx.x;
    if (lane == 0) payload = 0;
    if (lane == 0) flag = 0;
    __syncwarp();
    if (lane == 0) {
        payload = 42;
        fence<RELEASE>();
        flag = 1;
    } else if (lane == 1) {
        while (flag == 0) {
        }
        __threadfence_block();
        *out = payload;
    }
}

template <Fence RELEASE>
std::string run_hand_over_in_warp() {
    return result_of(hand_over_in_warp<RELEASE>, 1, 32, {42}, zeros(1));
}

/// Warp 0 hands a word per lane to warp 1. One lane of each handles the flag; __syncwarp extends the order
/// from it to the other lanes.
template <bool SYNC_WRITERS, bool SYNC_READERS>
__global__ void hand_over_words(int* out) {
    __shared__ int words[32];
    __shared__ volatile int flag;
    const int t = threadIdx.x, lane = t % 32;
    if (t < 32) words[lane] = 0;
    if (t == 0) flag = 0;
    __syncthreads();
    if (t < 32) {
        words[lane] = lane + 1;
        if (SYNC_WRITERS) __syncwarp();
        if (lane == 0) {
            __threadfence_block();
            flag = 1;
        }
    } else {
        if (lane == 0) {
            while (flag == 0) {
            }
            __threadfence_block();
        }
        if (SYNC_READERS) __syncwarp();
        out[lane] = words[lane];
    }
}

template <bool SYNC_WRITERS, bool SYNC_READERS>
std::string run_hand_over_words() {
    Device<int> out(zeros(32));
    run(hand_over_words<SYNC_WRITERS, SYNC_READERS>, 1, 64, out.data());
    std::vector<int> expected;
    for (int lane = 0; lane < 32; ++lane) expected.push_back(lane + 1);
    return difference(out.read(), expected);
}

constexpr Fence NONE = Fence::none, BLOCK = Fence::block;

const Bench flags_in_block(
    "flag within a block",
    {
        {"block_flag", Expected::clean, "fence and flag, then flag and fence", run_hand_over<BLOCK, BLOCK>},
        {"block_flag_no_release", Expected::race, "the flag may be seen before the payload",
         run_hand_over<NONE, BLOCK>},
        {"block_flag_no_acquire", Expected::missing_acquire, "the payload may be read before the flag",
         run_hand_over<BLOCK, NONE>},
        {"warp_flag", Expected::clean, "lanes of one warp make progress independently",
         run_hand_over_in_warp<BLOCK>},
        {"warp_flag_no_release", Expected::race, "lanes of a warp need fences as warps do",
         run_hand_over_in_warp<NONE>},
        {"warp_to_warp", Expected::clean, "__syncwarp extends the order of the flag to all lanes",
         run_hand_over_words<true, true>},
        {"warp_to_warp_writers", Expected::race, "only what lane 0 wrote precedes its fence",
         run_hand_over_words<false, true>},
        {"warp_to_warp_readers", Expected::race, "only lane 0 has seen the flag",
         run_hand_over_words<true, false>},
    });

}  // namespace
