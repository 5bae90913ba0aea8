// Bulk copies: a thread hands a piece of memory to the copy engine of its multiprocessor and goes on.
//
//     global --bulk_load--> shared       the barrier counts the bytes that arrive; whoever waits on it sees
//     them global <--bulk_store-- shared      the thread that stored asks when the piece has been read
//
// Addresses in both memories and sizes are multiples of 16 bytes. The engine reads and writes shared memory
// on a path of its own: what threads wrote must pass show_to_bulk_copies() before it is stored. From sm_90
// on. Source: NVIDIA, PTX ISA, "cp.async.bulk", "mbarrier" and "Async proxy".
#pragma once
#include <cuda_runtime.h>

/// An address as the instructions for shared memory take it.
__device__ inline unsigned shared_address(const void* pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// A barrier in shared memory. A phase ends once it was given all arrivals and all bytes that were announced.
/// Phases are told apart by their parity: the first one is 0, the next one 1, then 0 again.
struct Mbarrier {
    unsigned long long word;

    /// Called by one thread before all others, which a block barrier then tells.
    __device__ void init(unsigned arrivals) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals)
                     : "memory");
    }
    __device__ void arrive() {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
    }
    /// Arrive, and announce bytes that a bulk load will bring.
    __device__ void arrive_expect_tx(unsigned bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)),
                     "r"(bytes)
                     : "memory");
    }
    /// Wait for the end of the phase of this parity. Called by all lanes of a warp at a time.
    __device__ void wait(unsigned parity) {
        unsigned over = 0;
        while (over == 0) {
            asm volatile(
                "{\n\t.reg .pred over;\n\t"
                "mbarrier.try_wait.parity.shared::cta.b64 over, [%1], %2;\n\t"
                "selp.b32 %0, 1, 0, over;\n\t}"
                : "=r"(over)
                : "r"(shared_address(this)), "r"(parity)
                : "memory");
        }
    }
};

/// Show initialised barriers to the copy engine.
__device__ inline void fence_mbarrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Order what this thread wrote to shared memory before bulk copies that follow.
__device__ inline void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/// Copy bytes from global to shared memory; `landed` was told of them.
__device__ inline void bulk_load(void* to, const void* from, unsigned bytes, Mbarrier& full) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(&full))
        : "memory");
}

/// Have bytes of global memory brought to the L2 cache.
__device__ inline void bulk_prefetch(const void* from, unsigned bytes) {
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
}

/// Copy bytes from shared to global memory. They are written by the end of the grid.
__device__ inline void bulk_store(void* to, const void* from, unsigned bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
}

/// End a group of what this thread stored, which may be nothing.
__device__ inline void cp_async_bulk_commit_group() {
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Wait until all groups of this thread but the last `GROUPS` have been read from shared memory.
template <int GROUPS>
__device__ inline void cp_async_bulk_wait_group_read() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(GROUPS) : "memory");
}
