// Spin locks: atomicCAS acquires, with a fence behind it; a fence and a strong write release.
#include "simt/test/hazards/fences.h"
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

enum class Unlock { exchange, volatile_store, plain_store };

template <Fence ACQUIRE, Fence RELEASE, Unlock UNLOCK>
__device__ void locked_increment(int* lock, int* count) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    fence<ACQUIRE>();
    *count += 1;
    fence<RELEASE>();
    if (UNLOCK == Unlock::exchange) atomicExch(lock, 0);
    if (UNLOCK == Unlock::volatile_store) *(volatile int*)lock = 0;
    if (UNLOCK == Unlock::plain_store) *lock = 0;
}

/// Every block increments a counter once.
template <Fence ACQUIRE, Fence RELEASE, Unlock UNLOCK>
__global__ void count_blocks(int* lock, int* count) {
    locked_increment<ACQUIRE, RELEASE, UNLOCK>(lock, count);
}

template <Fence ACQUIRE, Fence RELEASE, Unlock UNLOCK = Unlock::exchange>
std::string run_count_blocks() {
    return result_of(count_blocks<ACQUIRE, RELEASE, UNLOCK>, 4, 1, {4}, zeros(1), zeros(1));
}

/// A lock for each block protects nothing from the others.
__global__ void count_with_own_locks(int* locks, int* count) {
    locked_increment<Fence::device, Fence::device, Unlock::exchange>(locks + blockIdx.x, count);
}

std::string run_count_with_own_locks() {
    return result_of(count_with_own_locks, 4, 1, {4}, zeros(4), zeros(1));
}

/// One lane of every warp increments a counter of the block; lock and counter are in shared memory.
template <Fence ACQUIRE, Fence RELEASE>
__global__ void count_warps(int* out) {
    __shared__ int lock, count;
    if (threadIdx.x == 0) lock = count = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) locked_increment<ACQUIRE, RELEASE, Unlock::exchange>(&lock, &count);
    __syncthreads();
    if (threadIdx.x == 0) *out = count;
}

template <Fence ACQUIRE, Fence RELEASE>
std::string run_count_warps() {
    return result_of(count_warps<ACQUIRE, RELEASE>, 1, 128, {4}, zeros(1));
}

constexpr Fence NONE = Fence::none, BLOCK = Fence::block, DEVICE = Fence::device;

const Bench locks(
    "lock",
    {
        {"lock", Expected::clean, "a fence behind atomicCAS and one before atomicExch",
         run_count_blocks<DEVICE, DEVICE>},
        {"lock_volatile_release", Expected::clean, "a volatile store is strong: it may release, too",
         run_count_blocks<DEVICE, DEVICE, Unlock::volatile_store>},
        {"lock_plain_release", Expected::race, "a plain store races with the atomics of those who wait",
         run_count_blocks<DEVICE, DEVICE, Unlock::plain_store>},
        {"lock_no_fences", Expected::race, "atomics alone order no other word", run_count_blocks<NONE, NONE>},
        {"lock_no_release", Expected::race, "the lock may be seen free before the increment",
         run_count_blocks<DEVICE, NONE>},
        {"lock_no_acquire", Expected::missing_acquire, "the counter may be read before the lock is taken",
         run_count_blocks<NONE, DEVICE>},
        {"lock_fences_in_block", Expected::race, "fences of a block do not reach other blocks",
         run_count_blocks<BLOCK, BLOCK>},
        {"lock_of_each_block", Expected::race, "different locks order nothing", run_count_with_own_locks},
        {"shared_lock", Expected::clean, "within a block, fences of the block are enough",
         run_count_warps<BLOCK, BLOCK>},
        {"shared_lock_no_release", Expected::race, "the lock may be seen free before the increment",
         run_count_warps<BLOCK, NONE>},
        {"shared_lock_no_acquire", Expected::missing_acquire,
         "the counter may be read before the lock is taken", run_count_warps<NONE, BLOCK>},
    });

}  // namespace
