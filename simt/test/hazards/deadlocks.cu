// Waits that never end. A GPU would hang.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

/// Each block waits for the block before it. Where `closed`, the first waits for the last.
__global__ void wait_for_previous(volatile int* flags, bool closed) {
    const int b = blockIdx.x, n = gridDim.x;
    if (b > 0 || closed)
        while (flags[(b + n - 1) % n] == 0) {
        }
    flags[b] = 1;
}

template <bool CLOSED>
std::string run_wait_for_previous() {
    return result_of(wait_for_previous, 4, 1, repeated(4, 1), zeros(4), CLOSED);
}

/// A flag that no thread sets.
__global__ void wait_for_no_thread(volatile int* flag) {
    while (*flag == 0) {
    }
}

std::string run_wait_for_no_thread() {
    Device<int> flag(zeros(1));
    run(wait_for_no_thread, 1, 1, flag.data());
    return "";
}

__device__ void lock(int* mutex) {
    while (atomicCAS(mutex, 0, 1) != 0) {
    }
    __threadfence();
}
__device__ void unlock(int* mutex) {
    __threadfence();
    atomicExch(mutex, 0);
}

/// The holder of a lock acquires it again.
__global__ void lock_twice(int* mutex) {
    lock(mutex);
    lock(mutex);
    unlock(mutex);
}

std::string run_lock_twice() {
    Device<int> mutex(zeros(1));
    run(lock_twice, 1, 1, mutex.data());
    return "";
}

/// Two blocks acquire two locks each: both in the same order, or each its own first, and the other's once
/// both hold their own.
template <bool SAME_ORDER>
__global__ void two_locks(int* mutexes, int* holders, int* count) {
    const int first = SAME_ORDER ? 0 : int(blockIdx.x);
    lock(mutexes + first);
    if (!SAME_ORDER) {
        atomicAdd(holders, 1);
        while (*(volatile int*)holders != 2) {
        }
    }
    lock(mutexes + 1 - first);
    *count += 1;
    unlock(mutexes + 1 - first);
    unlock(mutexes + first);
}

template <bool SAME_ORDER>
std::string run_two_locks() {
    return result_of(two_locks<SAME_ORDER>, 2, 1, {2}, zeros(2), zeros(1), zeros(1));
}

/// A lane waits for a flag that the next warp sets: before the barrier, or behind it.
template <bool BEFORE_BARRIER>
__global__ void wait_before_barrier(int* out) {
    __shared__ volatile int flag;
    const int t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    if (BEFORE_BARRIER && t == 32) flag = 1;
    if (t == 0)
        while (flag == 0) {
        }
    __syncthreads();
    if (!BEFORE_BARRIER && t == 32) flag = 1;
    out[t] = 1;
}

template <bool BEFORE_BARRIER>
std::string run_wait_before_barrier() {
    return result_of(wait_before_barrier<BEFORE_BARRIER>, 1, 64, repeated(64, 1), zeros(64));
}

const Bench deadlocks(
    "deadlock",
    {
        {"wait_in_a_row", Expected::clean, "the first block waits for none", run_wait_for_previous<false>},
        {"wait_in_a_ring", Expected::deadlock, "every block waits for another", run_wait_for_previous<true>,
         OnGpu::hangs},
        {"wait_for_no_thread", Expected::deadlock, "no thread sets the flag", run_wait_for_no_thread,
         OnGpu::hangs},
        {"lock_twice", Expected::deadlock, "the holder waits for itself", run_lock_twice, OnGpu::hangs},
        {"locks_in_one_order", Expected::clean, "both blocks acquire the locks in the same order",
         run_two_locks<true>},
        {"locks_in_two_orders", Expected::deadlock, "each block holds what the other waits for",
         run_two_locks<false>, OnGpu::hangs},
        {"set_before_barrier", Expected::clean, "the flag is set before the barrier",
         run_wait_before_barrier<true>},
        {"set_behind_barrier", Expected::deadlock,
         "the flag is set behind a barrier that the waiter must reach", run_wait_before_barrier<false>,
         OnGpu::hangs},
    });

}  // namespace
