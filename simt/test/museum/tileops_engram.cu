// TileOPs, EngramGateConvBwdKernel (github.com/tile-ai/TileOPs/issues/1729): a stencil in place. Block t
// reads the rows t + 1 to t + 3 of a buffer and writes row t, while other blocks write the rows that it
// reads.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int ROWS = 6, REACH = 3, THREADS = 32;

__global__ void convolve(const int* in, int* out) {
    const int t = int(threadIdx.x), row = int(blockIdx.x);
    int sum = 0;
    for (int other = row + 1; other <= row + REACH && other < ROWS; ++other)
        sum += in[other * THREADS + t];  // fault
    out[row * THREADS + t] = sum;        // fault
}

template <bool CURED>
std::string run() {
    Device<int> in(ones(ROWS * THREADS)), other(zeros(ROWS * THREADS));
    Device<int>& out = CURED ? other : in;
    hazards::run(convolve, ROWS, THREADS, static_cast<const int*>(in.data()), out.data());
    const std::vector<int> found = out.read();
    std::vector<int> firsts, expected;
    for (int row = 0; row < ROWS; ++row) {
        firsts.push_back(found[row * THREADS]);
        expected.push_back(row + REACH < ROWS ? REACH : ROWS - 1 - row);
    }
    return difference(firsts, expected);
}

const Bench exhibit("between blocks",
                    {{"tileops_engram", Expected::race, "in place", run<false>},
                     {"tileops_engram_cured", Expected::clean, "from one buffer to another", run<true>}});

}  // namespace
