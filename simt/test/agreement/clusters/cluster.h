// What programs of this folder say in PTX: addresses in other blocks, mbarriers, the cluster's barrier.
#pragma once

/// Of a place in the shared memory of the cluster's block of this rank, where it is in the own block.
__device__ inline unsigned address_of(const void* p, unsigned rank) {
    unsigned d;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(d)
                 : "r"(unsigned(__cvta_generic_to_shared(p))), "r"(rank));
    return d;
}
/// Until the phase of this parity of an mbarrier of the own block has completed.
__device__ inline void wait_for(const void* bar, unsigned parity) {
    asm volatile(
        "{.reg .pred p; again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n"
        "@!p bra again;}" ::"r"(unsigned(__cvta_generic_to_shared(bar))),
        "r"(parity)
        : "memory");
}
/// All threads of the cluster.
__device__ inline void meet() { asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory"); }
