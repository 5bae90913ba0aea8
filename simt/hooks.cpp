// The hooks. ThreadSanitizer instrumentation calls one at each memory access, and the functions of
// simt/include/cuda_runtime.h call the others. A hook's return address identifies the instruction. In host
// code the hooks do nothing.
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>

#include "simt/quick_access.h"

using simt::AccessType;
using simt::Block;

namespace {

/// Call run(block) for the block whose lane runs on this CPU thread, if there is one. Meanwhile
/// Block::current is null, so the machine's own accesses are ignored. It is restored even if the lane yields
/// inside run.
template <class Run>
__attribute__((always_inline)) inline void as_machine(Run run) {
    Block* const block = Block::current;
    if (__builtin_expect(block == nullptr, 0)) return;
    Block::current = nullptr;
    block->set_frame(__builtin_frame_address(0));
    block->observe();
    run(*block);
    Block::current = block;
}

__attribute__((always_inline)) inline void on_access(const volatile void* address, std::size_t size,
                                                     AccessType type, const void* site) {
    as_machine([&](Block& block) {
        const auto begin = reinterpret_cast<std::uintptr_t>(address);
        // A lane accesses at most 16 bytes at once: split larger accesses.
        for (std::size_t done = 0; done < size; done += 16)
            block.access(begin + done, unsigned(std::min<std::size_t>(size - done, 16)), type, site);
    });
}

template <AccessType type, unsigned size>
__attribute__((always_inline)) inline void on_access(const void* address, const void* site) {
    as_machine([&](Block& block) {
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        if constexpr (!simt::is_strong(type) && size % 4 == 0)
            if (block.access_quickly<type, size>(at, site)) return;
        block.access(at, size, type, site);
    });
}

struct KernelFound {
    const void* inside;
};
thread_local bool finding_kernel = false;

}  // namespace

const void* simt_find_kernel(void (*invoke)(const void*), const void* call) {
    finding_kernel = true;
    const void* inside = nullptr;
    try {
        invoke(call);
    } catch (const KernelFound& found) {
        inside = found.inside;
    }
    finding_kernel = false;
    return simt::kernel_around(inside);
}

extern "C" {

#define ACCESS_HOOK(name, size, what)                                            \
    void __tsan_##name##size(void* address) {                                    \
        on_access<AccessType::what, size>(address, __builtin_return_address(0)); \
    }
#define ACCESS_HOOKS(size)                                    \
    ACCESS_HOOK(read, size, read)                             \
    ACCESS_HOOK(write, size, write)                           \
    ACCESS_HOOK(unaligned_read, size, read)                   \
    ACCESS_HOOK(unaligned_write, size, write)                 \
    ACCESS_HOOK(volatile_read, size, volatile_read)           \
    ACCESS_HOOK(volatile_write, size, volatile_write)         \
    ACCESS_HOOK(unaligned_volatile_read, size, volatile_read) \
    ACCESS_HOOK(unaligned_volatile_write, size, volatile_write)
ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)
#undef ACCESS_HOOKS
#undef ACCESS_HOOK

void __tsan_read_range(void* address, std::size_t size) {
    on_access(address, size, AccessType::read, __builtin_return_address(0));
}
void __tsan_write_range(void* address, std::size_t size) {
    on_access(address, size, AccessType::write, __builtin_return_address(0));
}
void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void**, void*) {}
void __tsan_vptr_read(void**) {}
void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) {}

// The compiler replaces the __atomic built-ins in host code of an instrumented file with calls to these.
#define ATOMIC_HOOKS(bits, type)                                                                     \
    type __tsan_atomic##bits##_load(const volatile type* a, int) {                                   \
        on_access(a, sizeof(type), AccessType::atomic, __builtin_return_address(0));                 \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                 \
    }                                                                                                \
    void __tsan_atomic##bits##_store(volatile type* a, type v, int) {                                \
        on_access(a, sizeof(type), AccessType::atomic, __builtin_return_address(0));                 \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                    \
    }                                                                                                \
    int __tsan_atomic##bits##_compare_exchange_strong(volatile type* a, type* c, type v, int, int) { \
        on_access(a, sizeof(type), AccessType::atomic, __builtin_return_address(0));                 \
        return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);      \
    }                                                                                                \
    int __tsan_atomic##bits##_compare_exchange_weak(volatile type* a, type* c, type v, int, int) {   \
        on_access(a, sizeof(type), AccessType::atomic, __builtin_return_address(0));                 \
        return __atomic_compare_exchange_n(a, c, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);       \
    }                                                                                                \
    type __tsan_atomic##bits##_compare_exchange_val(volatile type* a, type c, type v, int, int) {    \
        on_access(a, sizeof(type), AccessType::atomic, __builtin_return_address(0));                 \
        __atomic_compare_exchange_n(a, &c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
        return c;                                                                                    \
    }
#define ATOMIC_UPDATE_HOOK(bits, type, name, builtin)                                \
    type __tsan_atomic##bits##_##name(volatile type* a, type v, int) {               \
        on_access(a, sizeof(type), AccessType::atomic, __builtin_return_address(0)); \
        return builtin(a, v, __ATOMIC_SEQ_CST);                                      \
    }
#define ALL_ATOMIC_HOOKS(bits, type)                              \
    ATOMIC_HOOKS(bits, type)                                      \
    ATOMIC_UPDATE_HOOK(bits, type, exchange, __atomic_exchange_n) \
    ATOMIC_UPDATE_HOOK(bits, type, fetch_add, __atomic_fetch_add) \
    ATOMIC_UPDATE_HOOK(bits, type, fetch_sub, __atomic_fetch_sub) \
    ATOMIC_UPDATE_HOOK(bits, type, fetch_and, __atomic_fetch_and) \
    ATOMIC_UPDATE_HOOK(bits, type, fetch_or, __atomic_fetch_or)   \
    ATOMIC_UPDATE_HOOK(bits, type, fetch_xor, __atomic_fetch_xor)
ALL_ATOMIC_HOOKS(8, std::uint8_t)
ALL_ATOMIC_HOOKS(16, std::uint16_t)
ALL_ATOMIC_HOOKS(32, std::uint32_t)
ALL_ATOMIC_HOOKS(64, std::uint64_t)

/// What assert() calls.
void __assert_fail(const char* condition, const char* file, unsigned line, const char* function) noexcept {
    if (Block* const block = Block::current) {
        Block::current = nullptr;
        block->fail_assertion(condition, __builtin_return_address(0));
    }
    std::fprintf(stderr, "%s:%u: %s: assertion failed: %s\n", file, line, function, condition);
    std::abort();
}

void simt_operator() {
    const void* const site = __builtin_return_address(0);
    as_machine([&](Block& block) { block.apply_operator(site); });
}
void simt_block_barrier() {
    const void* const site = __builtin_return_address(0);
    as_machine([&](Block& block) { block.block_barrier(site, false); });
}
unsigned simt_block_count(bool predicate) {
    const void* const site = __builtin_return_address(0);
    unsigned holding = 0;
    as_machine([&](Block& block) { holding = block.block_barrier(site, predicate); });
    return holding;
}
void simt_group_barrier(unsigned first, unsigned count) {
    const void* const site = __builtin_return_address(0);
    as_machine([&](Block& block) { block.group_barrier(first, count, site); });
}
void simt_grid_barrier() {
    const void* const site = __builtin_return_address(0);
    as_machine([&](Block& block) { block.grid_barrier(site); });
}
unsigned simt_active_mask() {
    const void* const site = __builtin_return_address(0);
    std::uint32_t active = 0;
    as_machine([&](Block& block) { active = block.active_mask(site); });
    return active;
}
std::uint64_t simt_warp(SimtWarpOp op, unsigned mask, std::uint64_t value, int argument, int width) {
    const void* const site = __builtin_return_address(0);
    std::uint64_t result = 0;
    as_machine([&](Block& block) { result = block.warp_sync(op, mask, value, argument, width, site); });
    return result;
}
/// Of a lane that runs it does nothing, see simt_find_kernel().
void simt_enter_kernel() {
    if (finding_kernel) throw KernelFound{__builtin_return_address(0)};
}
void simt_fence(int scope) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    as_machine([&](Block& block) { block.fence(simt::FenceScope(scope)); });
}
void simt_sleep() {
    as_machine([](Block& block) { block.yield(); });
}
void simt_begin_atomic(const volatile void* address, std::size_t size, const void* site) {
    as_machine([&](Block& block) {
        block.begin_atomic(reinterpret_cast<std::uintptr_t>(address), unsigned(size), site);
    });
}
void simt_end_atomic(const volatile void* address) {
    as_machine([&](Block& block) { block.end_atomic(reinterpret_cast<std::uintptr_t>(address)); });
}

// --- Asynchronous copies, as simt/stand_in/kernels/fast/detail/bulk_copy.cuh calls them.

void simt_mbarrier_init(void* barrier, unsigned arrivals) {
    const void* const site = __builtin_return_address(0);
    as_machine([&](Block& block) { block.init_mbarrier(std::uintptr_t(barrier), arrivals, site); });
}
void simt_mbarrier_arrive(void* barrier, unsigned bytes) {
    const void* const site = __builtin_return_address(0);
    as_machine([&](Block& block) { block.arrive(std::uintptr_t(barrier), bytes, site); });
}
void simt_mbarrier_wait(void* barrier, unsigned parity) {
    const void* const site = __builtin_return_address(0);
    as_machine([&](Block& block) { block.wait_for_phase(std::uintptr_t(barrier), parity, site); });
}
void simt_fence_mbarrier_init() {
    as_machine([](Block& block) { block.fence_mbarrier_init(); });
}
void simt_fence_proxy_async() {
    as_machine([](Block& block) { block.fence_proxy_async(); });
}
void simt_bulk_load(void* to, const void* from, unsigned bytes, void* barrier) {
    const void* const site = __builtin_return_address(0);
    as_machine([&](Block& block) {
        block.bulk_load(std::uintptr_t(to), std::uintptr_t(from), bytes, std::uintptr_t(barrier), site);
    });
}
void simt_bulk_prefetch(const void* from, unsigned bytes) {
    const void* const site = __builtin_return_address(0);
    as_machine([&](Block& block) { block.bulk_prefetch(std::uintptr_t(from), bytes, site); });
}
void simt_bulk_store(void* to, const void* from, unsigned bytes) {
    const void* const site = __builtin_return_address(0);
    as_machine(
        [&](Block& block) { block.bulk_store(std::uintptr_t(to), std::uintptr_t(from), bytes, site); });
}
void simt_bulk_commit() {
    as_machine([](Block& block) { block.commit_bulk_group(); });
}
void simt_bulk_wait_read(unsigned groups) {
    const void* const site = __builtin_return_address(0);
    as_machine([&](Block& block) { block.wait_for_bulk_reads(groups, site); });
}

}  // extern "C"
