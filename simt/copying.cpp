// The asynchronous copies of the current lane: checked, recorded in the shadow of both memories, and handed
// to the block's agents.
#include "simt/block.h"

namespace simt {

void Block::fence(FenceScope scope) {
    order_.fence(lane_->number, scope);
    maybe_yield();
}

void Block::fence_proxy_async() {
    order_.proxy_fence(lane_->number);
    copies_.fence_mbarrier_init(lane_->number);
}

// --- Mbarriers

void Block::init_mbarrier(std::uintptr_t barrier, unsigned arrivals, const void* site) {
    check_array(barrier, 8, site);
    PastAccess now = past(AccessType::write, 8, site);
    check_order(shared_shadow_, barrier, 8, now, site);
    mark_shared(barrier - shared_base_, 8);
    const std::string problem = copies_.init(barrier, arrivals, lane_->number);
    if (!problem.empty()) fault(Hazard::misuse, problem, site);
}

void Block::arrive(std::uintptr_t barrier, unsigned bytes, const void* site) {
    const std::uint32_t* const phase = copies_.phase(barrier);
    if (phase == nullptr) fault(Hazard::misuse, "arrival at an mbarrier that is not initialised", site);
    maybe_yield();
    PastAccess now = past(AccessType::atomic, 8, site);
    check_order(shared_shadow_, barrier, 8, now, site);
    const std::string problem = copies_.arrive(barrier, bytes, order_, lane_->number);
    if (!problem.empty()) fault(Hazard::misuse, problem, site);
    warps_[lane_->number / 32].log.add(lane_->number % 32, identity(site), Kind::mbarrier_arrival, 0, 0);
    changed_memory_ = true;  // progress of the block
}

void Block::wait_for_phase(std::uintptr_t barrier, unsigned parity, const void* site) {
    const std::uint32_t* const phase = copies_.phase(barrier);
    if (phase == nullptr) fault(Hazard::misuse, "wait for an mbarrier that is not initialised", site);
    PastAccess now = past(AccessType::volatile_read, 8, site);
    check_order(shared_shadow_, barrier, 8, now, site);
    while (*phase % 2 == parity) wait_for(*phase, site);
    order_.learn(lane_->number, copies_.completed(barrier));
    maybe_yield();
}

// --- Copies

/// The buffer that holds the bytes.
Buffer& Block::check_global(const std::string& what, std::uintptr_t global, unsigned bytes,
                            const void* site) {
    if (global % 16 != 0)
        fault(Hazard::misuse, what + ": global memory is not at a multiple of 16 bytes", site);
    if (bytes == 0 || bytes % 16 != 0)
        fault(Hazard::misuse, what + ": " + std::to_string(bytes) + " bytes are no multiple of 16", site);
    Buffer* const buffer = buffer_at(global, bytes);
    if (buffer == nullptr)
        fault(Hazard::out_of_bounds,
              what + ": out-of-bounds access: address " + hex(global) + Memory::device().nearest(global),
              site);
    return *buffer;
}

void Block::check_copy(const char* what, std::uintptr_t shared, std::uintptr_t global, unsigned bytes,
                       bool to_shared, const void* site) {
    const std::string name = what;
    if (!is_shared(shared)) fault(Hazard::misuse, name + ": not an address of shared memory", site);
    if (shared % 16 != 0)
        fault(Hazard::misuse, name + ": shared memory is not at a multiple of 16 bytes", site);
    const Buffer& buffer = check_global(name, global, bytes, site);
    check_array(shared, bytes, site);
    for (unsigned byte = 0; byte < bytes; ++byte) {
        const bool written = to_shared ? buffer.written[global - buffer.begin + byte] != 0
                                       : shared_written(shared - shared_base_ + byte, 1);
        if (!written)
            fault(Hazard::uninitialised_read,
                  name + ": uninitialised read of " + place((to_shared ? global : shared) + byte), site);
    }
}

void Block::bulk_load(std::uintptr_t to, std::uintptr_t from, unsigned bytes, std::uintptr_t barrier,
                      const void* site) {
    check_copy("bulk load", to, from, bytes, true, site);
    PastAccess agent = past(AccessType::read, 8, site);
    agent.lanes = 0;
    const std::string problem =
        copies_.load(barrier, reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), bytes,
                     order_.time(), agent.unit);
    if (!problem.empty()) fault(Hazard::misuse, problem, site);
    check_order(*buffer_at(from, bytes)->shadow, from, bytes, agent, site);
    agent.kind = PastAccess::WRITE;
    check_order(shared_shadow_, to, bytes, agent, site);
    __builtin_memset(reinterpret_cast<void*>(to), 0xee, bytes);
    mark_shared(to - shared_base_, bytes);
    order_.advance();  // a later copy has a later stamp
    warps_[lane_->number / 32].log.add(lane_->number % 32, identity(site), Kind::bulk_load, 0, bytes);
    maybe_yield();
}

void Block::bulk_prefetch(std::uintptr_t from, unsigned bytes, const void* site) {
    check_global("bulk prefetch", from, bytes, site);
}

void Block::bulk_store(std::uintptr_t to, std::uintptr_t from, unsigned bytes, const void* site) {
    check_copy("bulk store", from, to, bytes, false, site);
    Unit writer = 0;
    PastAccess agent = past(AccessType::read, 8, site);
    agent.lanes = 0;
    copies_.store(lane_->number, reinterpret_cast<char*>(to), reinterpret_cast<const char*>(from), bytes,
                  order_.time(), agent.unit, writer);
    check_order(shared_shadow_, from, bytes, agent, site);
    agent.unit = writer;
    agent.kind = PastAccess::WRITE;
    Buffer& buffer = *buffer_at(to, bytes);
    check_order(*buffer.shadow, to, bytes, agent, site);
    __builtin_memset(&buffer.written[to - buffer.begin], 1, bytes);
    order_.advance();
    WarpLog& log = warps_[lane_->number / 32].log;
    log.add(lane_->number % 32, identity(site), Kind::bulk_store, 0, bytes);
    log.add(lane_->number % 32, identity(site), Kind::bulk_sectors, 0, bulk_sectors(to, from, bytes));
    maybe_yield();
}

void Block::wait_for_bulk_reads(unsigned groups, const void* site) {
    while (!copies_.are_read(lane_->number, groups)) wait_for(*copies_.reads(lane_->number), site);
    order_.learn(lane_->number, copies_.read_groups(lane_->number, groups, order_));
}

}  // namespace simt
