// __syncwarp(mask) orders the lanes of its mask. Shuffles and votes pass values from lane to lane and wait
// for all lanes of their mask, but order no accesses to memory (CUDA C++ Programming Guide, "Warp shuffle
// functions", "Warp vote functions").
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr unsigned ALL = 0xffffffffu;
enum class Between { warp_barrier, shuffle, vote, nothing };

template <Between BETWEEN>
__global__ void reverse_warp(const int* in, int* out) {
    __shared__ int tile[32];
    const int lane = threadIdx.x;
    int sum = 0;
    tile[lane] = 0;
    __syncwarp();
    tile[lane] = in[lane];
    if (BETWEEN == Between::warp_barrier) __syncwarp();
    if (BETWEEN == Between::shuffle) sum = __shfl_sync(ALL, lane, 0);  // 0, but the compiler cannot know
    if (BETWEEN == Between::vote) sum = __any_sync(ALL, in[lane] == 0);
    out[lane] = sum + tile[31 - lane];
}

template <Between BETWEEN>
std::string run_reverse_warp() {
    return result_of(reverse_warp<BETWEEN>, 1, 32, reversed(some_values(32)), some_values(32), zeros(32));
}

/// Each half of the warp synchronises by itself. A lane reads from a lane `distance` away.
__global__ void halves(const int* in, int* out, int distance) {
    __shared__ int tile[32];
    const int lane = threadIdx.x;
    tile[lane] = 0;
    __syncwarp();
    tile[lane] = in[lane];
    if (lane < 16)
        __syncwarp(0x0000ffffu);
    else
        __syncwarp(0xffff0000u);
    out[lane] = tile[lane ^ distance];
}

template <int DISTANCE>
std::string run_halves() {
    std::vector<int> values = some_values(32), expected;
    for (int lane = 0; lane < 32; ++lane) expected.push_back(values[lane ^ DISTANCE]);
    Device<int> in(values), out(zeros(32));
    run(halves, 1, 32, in.data(), out.data(), DISTANCE);
    return difference(out.read(), expected);
}

/// Lane 0 writes, lane 2 reads. Both synchronise with lane 1 alone: first lane 0 and then lane 2, or the
/// other way round.
template <bool WRITER_FIRST>
__global__ void two_masks(int* out) {
    __shared__ int word;
    const int lane = threadIdx.x;
    if (lane == 0) word = 0;
    __syncwarp();
    if (lane == 0) word = 42;
    if (!WRITER_FIRST && (lane == 1 || lane == 2)) __syncwarp(0b110);
    if (lane == 0 || lane == 1) __syncwarp(0b011);
    if (WRITER_FIRST && (lane == 1 || lane == 2)) __syncwarp(0b110);
    if (lane == 2) *out = word;
}

template <bool WRITER_FIRST>
std::string run_two_masks() {
    return result_of(two_masks<WRITER_FIRST>, 1, 32, {42}, zeros(1));
}

/// The last steps of a tree reduction, by one warp.
enum class Tail { synchronised, half_repaired, plain, is_volatile };

template <Tail TAIL>
__global__ void reduce(const int* in, int* out) {
    __shared__ int tile[64];
    volatile int* const changing = tile;
    const int lane = threadIdx.x;
    tile[lane] = in[lane];
    tile[lane + 32] = in[lane + 32];
    __syncwarp();
    for (int stride = 32; stride >= 1; stride /= 2) {
        if (TAIL == Tail::synchronised) {
            const int sum = tile[lane] + tile[lane + stride];
            __syncwarp();
            tile[lane] = sum;
            __syncwarp();
        }
        if (TAIL == Tail::half_repaired) {
            tile[lane] += tile[lane + stride];
            __syncwarp();
        }
        if (TAIL == Tail::plain) tile[lane] += tile[lane + stride];
        if (TAIL == Tail::is_volatile) changing[lane] = changing[lane] + changing[lane + stride];
    }
    if (lane == 0) *out = tile[0];
}

template <Tail TAIL>
std::string run_reduce() {
    return result_of(reduce<TAIL>, 1, 32, {64}, repeated(64, 1), zeros(1));
}

/// Shuffles pass values without any memory. Blocks of 16 threads, and the full mask, which may name lanes
/// that do not exist.
__global__ void reduce_by_shuffles(const int* in, int* out) {
    int sum = in[threadIdx.x];
    for (int lanes = blockDim.x / 2; lanes >= 1; lanes /= 2) sum += __shfl_xor_sync(ALL, sum, lanes);
    if (__all_sync(ALL, sum > 0)) out[threadIdx.x] = sum;
}

template <int THREADS>
std::string run_reduce_by_shuffles() {
    return result_of(reduce_by_shuffles, 1, THREADS, repeated(THREADS, 2 * THREADS), repeated(THREADS, 2),
                     zeros(THREADS));
}

const Bench partial_warps(
    "warps and masks",
    {
        {"syncwarp", Expected::clean, "__syncwarp stands between the writes and the reads",
         run_reverse_warp<Between::warp_barrier>},
        {"syncwarp_missing", Expected::race, "lanes of a warp do not run in lockstep",
         run_reverse_warp<Between::nothing>},
        {"shuffle_for_syncwarp", Expected::race,
         "a shuffle waits for its lanes, but orders no accesses to memory",
         run_reverse_warp<Between::shuffle>},
        {"vote_for_syncwarp", Expected::race, "a vote waits for its lanes, but orders no accesses to memory",
         run_reverse_warp<Between::vote>},
        {"mask_of_half_a_warp", Expected::clean, "lanes read from the half that they synchronised with",
         run_halves<8>},
        {"mask_too_narrow", Expected::race, "lanes read from the other half, which is not in their mask",
         run_halves<16>},
        {"two_masks", Expected::clean, "lane 0 before lane 1, lane 1 before lane 2: order is transitive",
         run_two_masks<true>},
        {"two_masks_swapped", Expected::race, "lane 2 synchronised with lane 1 before lane 0 did",
         run_two_masks<false>},
        {"tail", Expected::clean, "__syncwarp before and after each step's writes",
         run_reduce<Tail::synchronised>},
        {"tail_half_repaired", Expected::race, "a lane adds to what its neighbour still reads",
         run_reduce<Tail::half_repaired>},
        {"tail_plain", Expected::race, "lanes of a warp do not run in lockstep", run_reduce<Tail::plain>},
        {"tail_volatile", Expected::race, "volatile accesses without a fence do not run in lockstep either",
         run_reduce<Tail::is_volatile>},
        {"shuffles_of_16_threads", Expected::clean, "lanes that do not exist are not waited for",
         run_reduce_by_shuffles<16>},
    });

}  // namespace
