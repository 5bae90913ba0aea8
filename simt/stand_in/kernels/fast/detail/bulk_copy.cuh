// kernels/fast/detail/bulk_copy for the SIMT machine, whose copies and mbarriers are those of simt/copies.h.
#pragma once
#include <cuda_runtime.h>

extern "C" {
void simt_mbarrier_init(void* barrier, unsigned arrivals);
void simt_mbarrier_arrive(void* barrier, unsigned bytes);
void simt_mbarrier_wait(void* barrier, unsigned parity);
void simt_fence_mbarrier_init();
void simt_fence_proxy_async();
void simt_bulk_load(void* to, const void* from, unsigned bytes, void* barrier);
void simt_bulk_prefetch(const void* from, unsigned bytes);
void simt_bulk_store(void* to, const void* from, unsigned bytes);
void simt_bulk_commit();
void simt_bulk_wait_read(unsigned groups);
}

/// Only its alignment matters.
__device__ inline unsigned shared_address(const void* pointer) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(pointer));
}

struct Mbarrier {
    unsigned long long word;  // gives the struct its size; the machine has the state

    __device__ void init(unsigned arrivals) { simt_mbarrier_init(this, arrivals); }
    __device__ void arrive() { simt_mbarrier_arrive(this, 0); }
    __device__ void arrive_expect_tx(unsigned bytes) { simt_mbarrier_arrive(this, bytes); }
    __device__ void wait(unsigned parity) { simt_mbarrier_wait(this, parity); }
};

__device__ inline void fence_mbarrier_init() { simt_fence_mbarrier_init(); }
__device__ inline void fence_proxy_async() { simt_fence_proxy_async(); }
__device__ inline void bulk_load(void* to, const void* from, unsigned bytes, Mbarrier& full) {
    simt_bulk_load(to, from, bytes, &full);
}
__device__ inline void bulk_prefetch(const void* from, unsigned bytes) { simt_bulk_prefetch(from, bytes); }
__device__ inline void bulk_store(void* to, const void* from, unsigned bytes) {
    simt_bulk_store(to, from, bytes);
}
__device__ inline void cp_async_bulk_commit_group() { simt_bulk_commit(); }
template <int GROUPS>
__device__ inline void cp_async_bulk_wait_group_read() {
    simt_bulk_wait_read(GROUPS);
}
