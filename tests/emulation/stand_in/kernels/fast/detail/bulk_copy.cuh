// Stand-in for kernels/fast/detail/bulk_copy on the emulator's copy engine, see emulator/copy_engine.h.
#pragma once
#include <cuda_runtime.h>

#include "tests/emulation/emulator/copy_engine.h"

inline unsigned shared_address(const void* pointer) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(pointer));
}

struct Mbarrier {
    unsigned long long word;  // unused, but gives the struct its size

    void init(unsigned arrivals) { emulation::copy_engine().init(this, arrivals); }
    void arrive() { arrive_expect_tx(0); }
    void arrive_expect_tx(unsigned bytes) {
        emulation::copy_engine().arrive(this, bytes);
        emulation::yield();  // exposes work that should precede the arrival
    }
    void wait(unsigned parity) {
        const unsigned& phase = emulation::copy_engine().phase(this);
        while (phase % 2 == parity) emulation::wait_for_change(phase, "a copy barrier");
        emulation::yield();
    }
};

inline void fence_mbarrier_init() {}
inline void fence_proxy_async() { emulation::copy_engine().show(threadIdx.x); }
inline void bulk_load(void* to, const void* from, unsigned bytes, Mbarrier& full) {
    emulation::copy_engine().load(to, from, bytes, &full);
    emulation::yield();
}
inline void bulk_prefetch(const void* from, unsigned bytes) {
    emulation::copy_engine().check_prefetch(from, bytes);
}
inline void bulk_store(void* to, const void* from, unsigned bytes) {
    emulation::copy_engine().store(threadIdx.x, to, from, bytes);
    emulation::yield();
}
inline void cp_async_bulk_commit_group() { emulation::copy_engine().end_group(threadIdx.x); }
template <int GROUPS>
void cp_async_bulk_wait_group_read() {
    const unsigned& unread = emulation::copy_engine().unread(threadIdx.x);
    while (!emulation::copy_engine().are_read_but(GROUPS, threadIdx.x))
        emulation::wait_for_change(unread, "its stores to be read");
}
