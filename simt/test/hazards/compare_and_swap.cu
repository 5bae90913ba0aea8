// Loops of atomicCAS, shared memory beyond its size, and scopes of further atomics.
#include <cuda/atomic>

#include "simt/test/hazards/program.h"

namespace {
using namespace hazards;

enum class First { plain, atomic, spins };

/// Adds by compare-and-swap. What is read first need not be right: the swap checks it.
template <First FIRST>
__global__ void add_by_swap(float* sum) {
    int* const word = reinterpret_cast<int*>(sum);
    int seen = FIRST == First::atomic ? atomicAdd(word, 0) : *word, expected;
    do {
        expected = seen;
        seen = atomicCAS(word, expected, __float_as_int(__int_as_float(expected) + 1.f));
    } while (seen != expected);
}
/// The largest value by compare-and-swap: who has less than is there does not swap.
template <bool PLAIN>
__global__ void largest_by_swap(int* largest) {
    const int mine = int(blockIdx.x * blockDim.x + threadIdx.x);
    int seen = PLAIN ? *largest : atomicAdd(largest, 0);
    while (mine > seen) {
        const int before = atomicCAS(largest, seen, mine);
        if (before == seen) break;
        seen = before;
    }
}
/// A lock that first looks whether it is free, by a plain read: the compiler may read once only.
template <bool PLAIN>
__global__ void look_then_lock(int* lock, int* sum) {
    if (threadIdx.x > 0) return;
    for (int round = 0; round < 2; ++round) {
        while ((PLAIN ? *lock : atomicAdd(lock, 0)) != 0 || atomicCAS(lock, 0, 1) != 0) continue;
        __threadfence();
        *sum += 1;
        __threadfence();
        atomicExch(lock, 0);
    }
}

template <First FIRST>
std::string run_add_by_swap() {
    return result_of(add_by_swap<FIRST>, 4, 64, std::vector<float>{256.f}, std::vector<float>(1));
}
template <bool PLAIN>
std::string run_largest() {
    return result_of(largest_by_swap<PLAIN>, 4, 64, {255}, zeros(1));
}
template <bool PLAIN>
std::string run_look_then_lock() {
    return result_of(look_then_lock<PLAIN>, 4, 32, {8}, zeros(1), zeros(1));
}

/// Each thread has an element of shared memory, of which the launch gives `GIVEN`.
__global__ void reverse(int* data) {
    extern __shared__ int tile[];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
template <int GIVEN>
std::string run_reverse() {
    constexpr int N = 256;
    Device<int> data(some_values(N));
    (void)launch_with_shared_memory(reverse, 1, N, GIVEN * sizeof(int), nullptr, data.data());
    return cudaDeviceSynchronize() == cudaSuccess ? "" : "it fails";
}

enum class Operation { maximum, exchange, swap, fetch_add };

/// Two blocks change one word by atomics of their block, or of the device.
template <Operation OPERATION, bool OF_BLOCK>
__global__ void change(int* word) {
    const int mine = int(threadIdx.x);
    if (OPERATION == Operation::maximum) OF_BLOCK ? atomicMax_block(word, mine) : atomicMax(word, mine);
    if (OPERATION == Operation::exchange) OF_BLOCK ? atomicExch_block(word, mine) : atomicExch(word, mine);
    if (OPERATION == Operation::swap) OF_BLOCK ? atomicCAS_block(word, 0, mine) : atomicCAS(word, 0, mine);
    if (OPERATION == Operation::fetch_add) {
        constexpr auto SCOPE = OF_BLOCK ? cuda::thread_scope_block : cuda::thread_scope_device;
        cuda::atomic_ref<int, SCOPE>(*word).fetch_add(mine, cuda::memory_order_relaxed);
    }
}
template <Operation OPERATION, bool OF_BLOCK>
std::string run_change() {
    Device<int> word(zeros(1));
    run(change<OPERATION, OF_BLOCK>, 2, 32, word.data());
    return "";
}

const Bench swaps(
    "compare-and-swap",
    {
        {"swap_after_plain_read", Expected::first_read, "the swap checks what was read",
         run_add_by_swap<First::plain>},
        {"swap_after_atomic_read", Expected::clean, "an atomic reads", run_add_by_swap<First::atomic>},
        {"largest_after_plain_read", Expected::first_read, "the swap checks what was read",
         run_largest<true>},
        {"largest_after_atomic_read", Expected::clean, "an atomic reads", run_largest<false>},
        {"lock_after_plain_read", Expected::race, "who waits by a plain read may wait for ever",
         run_look_then_lock<true>},
        {"lock_after_atomic_read", Expected::clean, "an atomic reads", run_look_then_lock<false>},
    });
const Bench sizes("size of shared memory", {
                                               {"shared_memory_given", Expected::clean,
                                                "an element for each thread", run_reverse<256>},
                                               {"shared_memory_forgotten", Expected::out_of_bounds,
                                                "the launch gives none", run_reverse<0>},
                                               {"shared_memory_in_elements", Expected::out_of_bounds,
                                                "given in elements, not in bytes", run_reverse<64>},
                                           });
const Bench further_scopes(
    "scopes of further atomics",
    {
        {"maximum_of_device", Expected::clean, "the scope includes both",
         run_change<Operation::maximum, false>},
        {"maximum_of_block", Expected::race, "it does not", run_change<Operation::maximum, true>},
        {"exchange_of_device", Expected::clean, "the scope includes both",
         run_change<Operation::exchange, false>},
        {"exchange_of_block", Expected::race, "it does not", run_change<Operation::exchange, true>},
        {"swap_of_device", Expected::clean, "the scope includes both", run_change<Operation::swap, false>},
        {"swap_of_block", Expected::race, "it does not", run_change<Operation::swap, true>},
        {"fetch_add_of_device", Expected::clean, "the scope includes both",
         run_change<Operation::fetch_add, false>},
        {"fetch_add_of_block", Expected::race, "it does not", run_change<Operation::fetch_add, true>},
    });

}  // namespace
