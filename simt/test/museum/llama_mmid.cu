// llama.cpp, mm_ids_helper (github.com/ggml-org/llama.cpp/pull/28475): a warp compacts its tokens into
// shared memory and reads them back. Between the two it only shuffles, which orders no memory.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

template <bool CURED>
__global__ void compact(const int* experts, int* out, int* count) {
    __shared__ int store[32];
    const int lane = int(threadIdx.x);
    store[lane] = -1;
    __syncwarp();
    const bool mine = experts[lane] == 1;
    const unsigned chosen = __ballot_sync(ALL, mine);
    if (mine) store[__popc(chosen & ((1u << lane) - 1))] = lane;  // fault
    int before = experts[lane] == 0;
    for (int distance = 16; distance > 0; distance /= 2) before += __shfl_xor_sync(ALL, before, distance);
    if (CURED) __syncwarp();
    out[lane] = store[lane];  // fault
    if (lane == 0) *count = before;
}

template <bool CURED>
std::string run() {
    std::vector<int> experts;
    for (int lane = 0; lane < 32; ++lane) experts.push_back(lane % 2);
    return result_of(compact<CURED>, 1, 32, {16}, experts, zeros(32), zeros(1));
}

const Bench exhibit("within a warp",
                    {{"llama_mmid", Expected::race, "a shuffle orders no memory", run<false>},
                     {"llama_mmid_cured", Expected::clean, "__syncwarp", run<true>}});

}  // namespace
