// Order that no pattern of one thread alone makes: sequentially consistent fences of different threads, and
// what an atomic has observed.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

enum class Kind { consistent, acquire_release, of_block };

template <Kind KIND>
__device__ void fence_of() {
    if (KIND == Kind::consistent) __threadfence();
    if (KIND == Kind::acquire_release) asm volatile("fence.acq_rel.gpu;" ::: "memory");
    if (KIND == Kind::of_block) __threadfence_block();
}

/// Thread 1 writes and fences; after a barrier thread 0 sets the flag. Of the other block thread 0 waits, and
/// after a barrier thread 1 fences and reads. Neither fence is of the thread that has the flag.
template <Kind WRITER, Kind READER>
__global__ void pass_on(int* value, int* flag, int* out) {
    const bool writes = blockIdx.x == 0;
    if (writes && threadIdx.x == 1) {
        *value = 42;
        fence_of<WRITER>();
    }
    if (!writes && threadIdx.x == 0)
        while (atomicAdd(flag, 0) == 0) {
        }
    __syncthreads();
    if (writes && threadIdx.x == 0) atomicExch(flag, 1);
    if (!writes && threadIdx.x == 1) {
        fence_of<READER>();
        *out = *value;
    }
}

template <Kind WRITER, Kind READER>
std::string run_pass_on() {
    return result_of(pass_on<WRITER, READER>, 2, 64, {42}, zeros(1), zeros(1), zeros(1));
}

/// Blocks 0 and 1 add; block 2 waits for so many of them, or not at all, and resets plainly.
template <int AWAITED, bool BY_ANOTHER>
__global__ void reset(int* count) {
    if (blockIdx.x < 2) {
        if (threadIdx.x == 0) atomicAdd(count, 1);
        return;
    }
    if (threadIdx.x == 0)
        while (AWAITED != 0 && atomicAdd(count, 0) < AWAITED) {
        }
    __syncthreads();
    if (threadIdx.x == (BY_ANOTHER ? 1 : 0)) *count = 0;
}

template <int AWAITED, bool BY_ANOTHER>
std::string run_reset() {
    const std::vector<int> right = AWAITED == 0 ? std::vector<int>() : zeros(1);
    return result_of(reset<AWAITED, BY_ANOTHER>, 3, 32, right, zeros(1));
}

/// What the last one has observed are the additions, not what came before them.
__global__ void reset_all(int* count, int* value) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *value = 1;
        atomicAdd(count, 1);
    } else {
        while (atomicAdd(count, 0) == 0) {
        }
        *count = 0;
        *value = 2;
    }
}

std::string run_reset_all() { return result_of(reset_all, 2, 32, {2}, zeros(1), zeros(1)); }

/// Lanes 0 and 2 of one store.
template <bool SAME>
__global__ void store_by_two(int* out) {
    if (0x5u >> threadIdx.x & 1) *out = SAME ? 7 : int(threadIdx.x);
}

template <bool SAME>
std::string run_store_by_two() {
    return result_of(store_by_two<SAME>, 1, 32, {SAME ? 7 : 2}, zeros(1));
}

const Bench causality(
    "causality",
    {
        {"fences_around_flag", Expected::clean, "fence.sc of others, ordered by barriers and the flag",
         run_pass_on<Kind::consistent, Kind::consistent>},
        {"fences_around_flag_writer_weak", Expected::race,
         "fence.acq_rel is in no order with another thread's",
         run_pass_on<Kind::acquire_release, Kind::consistent>},
        {"fences_around_flag_reader_weak", Expected::race, "the same of the reader",
         run_pass_on<Kind::consistent, Kind::acquire_release>},
        {"fences_around_flag_in_block", Expected::race, "a fence of the block does not include the other one",
         run_pass_on<Kind::of_block, Kind::consistent>},
        {"reset_by_last", Expected::clean, "who has observed all additions may write plainly",
         run_reset<2, false>},
        {"reset_after_barrier", Expected::clean, "so may a thread behind a barrier", run_reset<2, true>},
        {"reset_unobserved", Expected::race, "no addition has been observed", run_reset<0, false>},
        {"reset_all_no_fence", Expected::race, "what came before the addition has not been observed",
         run_reset_all},
        {"one_value_by_two_lanes", Expected::same_value, "lanes of one store that are not neighbours",
         run_store_by_two<true>},
        {"two_values_by_two_lanes", Expected::race, "lanes of one store write different values",
         run_store_by_two<false>},
    });

}  // namespace
