// llama.cpp, cpy (github.com/ggml-org/llama.cpp/pull/20507): a block transposes one matrix after another
// through a tile. A warp loads the next one while another still stores this one.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int SIDE = 8, THREADS = SIDE * SIDE, MATRICES = 3;

template <bool CURED>
__global__ void transpose(const int* in, int* out) {
    __shared__ int tile[SIDE][SIDE];
    const int x = int(threadIdx.x) % SIDE, y = int(threadIdx.x) / SIDE;
    for (int matrix = 0; matrix < MATRICES; ++matrix) {
        tile[y][x] = in[(matrix * SIDE + y) * SIDE + x];  // fault
        __syncthreads();
        out[(matrix * SIDE + y) * SIDE + x] = tile[x][y];  // fault
        if (CURED) __syncthreads();
    }
}

template <bool CURED>
std::string run() {
    std::vector<int> expected;
    for (int i = 0; i < MATRICES * THREADS; ++i)
        expected.push_back(i / THREADS * THREADS + i % SIDE * SIDE + i / SIDE % SIDE);
    return result_of(transpose<CURED>, 1, THREADS, expected, numbers(MATRICES * THREADS),
                     zeros(MATRICES * THREADS));
}

const Bench exhibit("shared memory again",
                    {{"llama_cpy_tile", Expected::race, "no barrier before the next matrix", run<false>},
                     {"llama_cpy_tile_cured", Expected::clean, "a barrier", run<true>}});

}  // namespace
