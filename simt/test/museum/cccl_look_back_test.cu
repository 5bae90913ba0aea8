// CUB, test of the decoupled look-back (github.com/NVIDIA/cccl/pull/4556): thread 0 overwrites the tile's
// total with its prefix while later warps of the block have yet to read it.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int THREADS = 128;

template <bool CURED>
__global__ void prefix_in_place(int* tiles, int* out) {
    const int aggregate = tiles[1];  // fault
    if (CURED) __syncthreads();
    if (threadIdx.x == 0) tiles[1] = tiles[0] + aggregate;  // fault
    out[threadIdx.x] = aggregate;
}

template <bool CURED>
std::string run() {
    return result_of(prefix_in_place<CURED>, 1, THREADS, repeated(THREADS, 5), std::vector<int>{3, 5},
                     zeros(THREADS));
}

const Bench exhibit("global memory of a block",
                    {{"cccl_look_back_test", Expected::race, "no barrier before it is overwritten",
                      run<false>},
                     {"cccl_look_back_test_cured", Expected::clean, "a barrier", run<true>}});

}  // namespace
