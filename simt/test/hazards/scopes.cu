// Scopes: an atomic, like a fence, reaches the threads of its block only, or all of the device. Two atomics
// whose scopes do not include each other race as plain accesses do (PTX ISA, "Morally strong operations").
#include <cuda/atomic>

#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

enum class Reach { block, device };

template <Reach REACH>
__device__ void add(int* sum) {
    if (REACH == Reach::block)
        atomicAdd_block(sum, 1);
    else
        atomicAdd(sum, 1);
}

/// Blocks count their threads: each in a word of its own, or all in one.
template <Reach REACH, bool SHARED_BY_BLOCKS>
__global__ void count_threads(int* counts) {
    add<REACH>(counts + (SHARED_BY_BLOCKS ? 0 : blockIdx.x));
}

template <Reach REACH, bool SHARED_BY_BLOCKS>
std::string run_count_threads() {
    return result_of(count_threads<REACH, SHARED_BY_BLOCKS>, 2, 64,
                     SHARED_BY_BLOCKS ? std::vector<int>{128, 0} : std::vector<int>{64, 64}, zeros(2));
}

/// Block 0 hands a payload to block 1, or its first warp to its second, by a flag of libcu++.
template <cuda::thread_scope SCOPE, bool ACQUIRES, bool RELEASES, bool IN_BLOCK>
__global__ void hand_over(int* payload, int* flag, int* out) {
    cuda::atomic_ref<int, SCOPE> ready(*flag);
    const int role = IN_BLOCK ? threadIdx.x / 32 : blockIdx.x;
    if (threadIdx.x % 32 != 0) return;
    if (role == 0) {
        *payload = 42;
        ready.store(1, RELEASES ? cuda::memory_order_release : cuda::memory_order_relaxed);
    } else {
        while (ready.load(ACQUIRES ? cuda::memory_order_acquire : cuda::memory_order_relaxed) == 0) {
        }
        *out = *payload;
    }
}

template <cuda::thread_scope SCOPE, bool ACQUIRES = true, bool RELEASES = true, bool IN_BLOCK = false>
std::string run_hand_over() {
    Device<int> payload(zeros(1)), flag(zeros(1)), out(zeros(1));
    run(hand_over<SCOPE, ACQUIRES, RELEASES, IN_BLOCK>, IN_BLOCK ? 1 : 2, IN_BLOCK ? 64 : 32, payload.data(),
        flag.data(), out.data());
    return difference(out.read(), {42});
}

/// Block 0's first warp releases a payload to its second by a fence of the block. In between, block 1 adds to
/// the flag: that changes nothing for block 0. READER: who reads the payload.
template <int READER>
__global__ void add_in_between(int* payload, int* flag, int* out) {
    const int warp = threadIdx.x / 32;
    if (threadIdx.x % 32 != 0) return;
    if (blockIdx.x == 0 && warp == 0) {
        *payload = 42;
        __threadfence_block();
        atomicAdd(flag, 1);
    } else if (blockIdx.x == 1 && warp == 0) {
        while (atomicAdd(flag, 0) < 1) {
        }
        atomicAdd(flag, 1);
    }
    if (blockIdx.x == READER && warp == 1) {
        while (atomicAdd(flag, 0) < 2) {
        }
        __threadfence();
        *out = *payload;
    }
}

template <int READER>
std::string run_add_in_between() {
    return result_of(add_in_between<READER>, 2, 64, {42}, zeros(1), zeros(1), zeros(1));
}

/// Memory that nothing has written: an exchange sets it, an addition reads it.
template <bool EXCHANGE>
__global__ void first_access(int* fresh) {
    if (EXCHANGE)
        atomicExch(fresh, 7);
    else
        atomicAdd(fresh, 7);
}

template <bool EXCHANGE>
std::string run_first_access() {
    Device<int> fresh(1);
    run(first_access<EXCHANGE>, 1, 1, fresh.data());
    return EXCHANGE ? difference(fresh.read(), {7}) : "";
}

/// Many threads release, and all acquire, by one counter. The last to come reads what all have written.
template <bool FENCES>
__global__ void many_fences(int* slots, int* count, int* out) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    slots[t] = 1;
    int before = 0;
    for (int round = 0; round < 4; ++round) {
        if (FENCES) __threadfence();
        before = atomicAdd(count, 1);
    }
    if (before != 4 * all - 1) return;
    if (FENCES) __threadfence();
    int sum = 0;
    for (int i = 0; i < all; ++i) sum += slots[i];
    *out = sum;
}

template <bool FENCES>
std::string run_many_fences() {
    constexpr int BLOCKS = 64, THREADS = 256;
    Device<int> slots(zeros(BLOCKS * THREADS)), count(zeros(1)), out(zeros(1));
    run(many_fences<FENCES>, BLOCKS, THREADS, slots.data(), count.data(), out.data());
    return difference(out.read(), {BLOCKS * THREADS});
}

constexpr cuda::thread_scope BLOCK = cuda::thread_scope_block, DEVICE = cuda::thread_scope_device,
                             SYSTEM = cuda::thread_scope_system;

const Bench scopes(
    "scopes",
    {
        {"block_scope_in_block", Expected::clean, "only threads of one block add to a word",
         run_count_threads<Reach::block, false>},
        {"block_scope_across_blocks", Expected::race, "the scope does not include the other block's atomics",
         run_count_threads<Reach::block, true>},
        {"device_scope_across_blocks", Expected::clean, "the scope includes all blocks",
         run_count_threads<Reach::device, true>},
        {"release_acquire", Expected::clean, "a release that an acquire observes", run_hand_over<DEVICE>},
        {"release_acquire_system", Expected::clean, "the system includes the device", run_hand_over<SYSTEM>},
        {"release_acquire_of_block", Expected::race, "release and acquire do not reach the other block",
         run_hand_over<BLOCK>},
        {"release_acquire_in_block", Expected::clean, "both are in one block",
         run_hand_over<BLOCK, true, true, true>},
        {"release_relaxed", Expected::race, "a relaxed store releases nothing",
         run_hand_over<DEVICE, true, false>},
        {"acquire_relaxed", Expected::missing_acquire, "a relaxed load acquires nothing",
         run_hand_over<DEVICE, false, true>},
        {"acquire_relaxed_in_block", Expected::missing_acquire, "a relaxed load acquires nothing",
         run_hand_over<BLOCK, false, true, true>},
        {"release_kept_for_block", Expected::clean,
         "an atomic of another block continues the release sequence", run_add_in_between<0>},
        {"release_of_block_read_elsewhere", Expected::race, "the fence's scope does not include the reader",
         run_add_in_between<1>},
        {"exchange_defines", Expected::clean, "an exchange need not know what it replaces",
         run_first_access<true>},
        {"addition_of_nothing", Expected::uninitialised_read, "an addition reads", run_first_access<false>},
        {"many_fences", Expected::clean, "every thread's fence releases what it wrote",
         run_many_fences<true>},
        {"many_atomics_without_fences", Expected::race, "atomics alone order no other word",
         run_many_fences<false>},
    });

}  // namespace
