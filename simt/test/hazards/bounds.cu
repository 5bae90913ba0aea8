// Accesses outside of arrays and vectors.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64;

/// Thread t reads element t + offset of a tile, or of a vector. Where `guarded`, only if there is one.
template <bool GUARDED>
__global__ void shift_tile(int* out, int offset) {
    __shared__ int tile[THREADS];
    const int t = threadIdx.x, from = t + offset;
    tile[t] = t;
    __syncthreads();
    out[t] = !GUARDED || (from >= 0 && from < THREADS) ? tile[from] : 0;
}

template <bool GUARDED>
__global__ void shift_vector(const int* in, int* out, int offset) {
    const int t = threadIdx.x, from = t + offset;
    out[t] = !GUARDED || (from >= 0 && from < THREADS) ? in[from] : 0;
}

enum class Memory { shared, global };

template <Memory MEMORY, int OFFSET, bool GUARDED = false>
std::string run_shift() {
    std::vector<int> values, expected;
    for (int t = 0; t < THREADS; ++t) values.push_back(t);
    for (int from = OFFSET; from < THREADS + OFFSET; ++from)
        expected.push_back(from >= 0 && from < THREADS ? from : 0);
    Device<int> in(values), out(zeros(THREADS));
    if (MEMORY == Memory::shared)
        run(shift_tile<GUARDED>, 1, THREADS, out.data(), OFFSET);
    else
        run(shift_vector<GUARDED>, 1, THREADS, in.data(), out.data(), OFFSET);
    return difference(out.read(), expected);
}

/// Each thread writes `offset` elements after its own.
__global__ void write_tile(int* out, int offset) {
    __shared__ int tile[THREADS];
    tile[threadIdx.x] = 0;
    __syncthreads();
    tile[threadIdx.x + offset] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}

template <int OFFSET>
std::string run_write_tile() {
    Device<int> out(zeros(THREADS));
    run(write_tile, 1, THREADS, out.data(), OFFSET);
    std::vector<int> expected;
    for (int t = 0; t < THREADS; ++t) expected.push_back(t);
    return difference(out.read(), expected);
}

/// A vector that was freed before the launch.
__global__ void write_one(int* out) { *out = 1; }

std::string run_freed() {
    int* freed = nullptr;
    check(cudaMalloc(&freed, sizeof(int)));
    check(cudaFree(freed));
    run(write_one, 1, 1, freed);
    return "";
}

const Bench bounds("bounds",
                   {
                       {"shared_guarded", Expected::clean, "elements outside of the tile are not read",
                        run_shift<Memory::shared, -1, true>},
                       {"shared_one_before", Expected::out_of_bounds, "thread 0 reads before the tile",
                        run_shift<Memory::shared, -1>},
                       {"shared_one_after", Expected::out_of_bounds, "the last thread reads past the tile",
                        run_shift<Memory::shared, 1>},
                       {"shared_write_after", Expected::out_of_bounds, "the last thread writes past the tile",
                        run_write_tile<1>},
                       {"global_guarded", Expected::clean, "elements outside of the vector are not read",
                        run_shift<Memory::global, 1, true>},
                       {"global_one_before", Expected::out_of_bounds, "thread 0 reads before the vector",
                        run_shift<Memory::global, -1>},
                       {"global_one_after", Expected::out_of_bounds, "the last thread reads past the vector",
                        run_shift<Memory::global, 1>},
                       {"freed", Expected::out_of_bounds, "the vector was freed", run_freed},
                   });

}  // namespace
