// Bulk copies: a thread hands a copy to the multiprocessor's copy engine and continues.
//
//     global --bulk_load--> shared       the barrier counts the bytes; its waiters see them once it completes
//     global <--bulk_store-- shared      the issuing thread waits until the engine has read the source
//
// Addresses in both memories, and sizes, are multiples of 16 bytes. The engine accesses shared memory through
// the async proxy: threads that wrote the source must execute fence_proxy_async() before the store.
// Requires sm_90.
// Source: NVIDIA, PTX ISA, "cp.async.bulk", "mbarrier" and "Async proxy".
#pragma once
#include <cuda_runtime.h>

namespace trial {

/// A pointer as an address of the shared window, as these instructions take it.
__device__ inline unsigned shared_address(const void* pointer) {
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

/// A barrier in shared memory. A phase completes when all expected arrivals and all announced bytes have
/// come. Phases are identified by parity: 0, then 1, then 0 again.
struct Mbarrier {
    unsigned long long word;

    /// Called by one thread, before a block barrier that precedes all other uses.
    __device__ void init(unsigned arrivals) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(this)), "r"(arrivals)
                     : "memory");
    }
    __device__ void arrive() {
        asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(this)) : "memory");
    }
    /// Arrive, and announce bytes that bulk loads will deliver.
    __device__ void arrive_expect_tx(unsigned bytes) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(this)),
                     "r"(bytes)
                     : "memory");
    }
    /// Wait until the phase of this parity completes. Called by all lanes of a warp together.
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

/// Make initialised barriers visible to the copy engine.
__device__ inline void fence_mbarrier_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/// Order this thread's writes to shared memory before the bulk copies that follow.
__device__ inline void fence_proxy_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

/// Copy bytes from global to shared memory. arrive_expect_tx must have announced them to `full`.
__device__ inline void bulk_load(void* to, const void* from, unsigned bytes, Mbarrier& full) {
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
            shared_address(to)),
        "l"(from), "r"(bytes), "r"(shared_address(&full))
        : "memory");
}

/// Prefetch bytes of global memory into the L2 cache.
__device__ inline void bulk_prefetch(const void* from, unsigned bytes) {
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(from), "r"(bytes) : "memory");
}

/// Copy bytes from shared to global memory; complete by the end of the grid.
__device__ inline void bulk_store(void* to, const void* from, unsigned bytes) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
                 "r"(shared_address(from)), "r"(bytes)
                 : "memory");
}

/// Close the group of this thread's bulk stores since the last group; it may be empty.
__device__ inline void cp_async_bulk_commit_group() {
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Wait until shared memory has been read by all bulk groups of this thread but the latest GROUPS.
template <int GROUPS>
__device__ inline void cp_async_bulk_wait_group_read() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(GROUPS) : "memory");
}

}  // namespace trial
