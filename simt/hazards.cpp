#include "simt/hazards.h"

#include <algorithm>

namespace simt {

void WarpOrder::sync(std::uint32_t mask) {
    ++syncs_;
    if (mask == 0xffffffffu) {  // all lanes: the general rule below reduces to a fill
        std::fill(&synced_[0][0], &synced_[0][0] + 32 * 32, syncs_);
        return;
    }
    std::uint32_t merged[32] = {};
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1)
            for (unsigned other = 0; other < 32; ++other)
                merged[other] = std::max(merged[other], mask >> other & 1 ? syncs_ : synced_[lane][other]);
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1) std::copy(merged, merged + 32, synced_[lane]);
}

std::size_t ShadowTable::slot(std::uintptr_t key) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t i = (key * 0x9e3779b97f4a7c15u >> 20) & mask;
    while (entries_[i].generation == generation_ && entries_[i].key != key) i = (i + 1) & mask;
    return i;
}

ShadowCell& ShadowTable::at(std::uintptr_t key) {
    std::size_t i = slot(key);
    if (entries_[i].generation != generation_) {
        if (2 * ++used_ > entries_.size()) {
            grow();
            i = slot(key);
        }
        entries_[i] = {key, generation_, ShadowCell{}};
    }
    return entries_[i].cell;
}

void ShadowTable::grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    for (const Entry& entry : old)
        if (entry.generation == generation_) entries_[slot(entry.key)] = entry;
}

int Hazards::conflict(const ShadowCell& cell, AccessType type, unsigned thread,
                      const WarpOrder& order) const {
    const unsigned warp = thread / 32, lane = thread % 32;
    if (cell.write_step == step_ && cell.writer != thread &&
        (cell.writer / 32u != warp || !order.after(lane, cell.writer % 32u, cell.write_time)))
        return cell.writer;

    const bool readers_conflict =
        type == AccessType::write || (type == AccessType::read) == cell.readers_atomic;
    if (cell.readers_step != step_ || !readers_conflict) return -1;
    for (std::uint32_t lanes = cell.readers_lanes; lanes != 0; lanes &= lanes - 1) {
        const unsigned other = unsigned(__builtin_ctz(lanes));
        if (cell.readers_warp == warp && (other == lane || order.after(lane, other, cell.readers_time)))
            continue;
        return int(cell.readers_warp * 32u + other);
    }
    return cell.has_other_warp_reader && cell.readers_warp == warp ? cell.other_warp_reader : -1;
}

void Hazards::update(ShadowCell& cell, AccessType type, unsigned thread, const WarpOrder& order) const {
    const std::uint16_t warp = std::uint16_t(thread / 32);
    const unsigned lane = thread % 32;
    if (type == AccessType::write) {
        cell.write_step = step_;
        cell.write_time = order.now();
        cell.writer = std::uint16_t(thread);
        cell.readers_step = 0;
        return;
    }
    const bool atomic = type == AccessType::atomic;
    if (cell.readers_step != step_ || cell.readers_atomic != atomic) {
        cell.readers_step = step_;
        cell.readers_atomic = atomic;
        cell.readers_warp = warp;
        cell.readers_lanes = 0;
        cell.has_other_warp_reader = false;
    } else if (cell.readers_warp != warp) {
        cell.has_other_warp_reader = true;
        cell.other_warp_reader = std::uint16_t(thread);
        return;
    } else if (cell.readers_time < order.now()) {
        // Happens-before is transitive: an access ordered after this lane is ordered after the lanes that
        // this lane follows. Remove them, because the set's new time is not theirs.
        for (std::uint32_t lanes = cell.readers_lanes; lanes != 0; lanes &= lanes - 1) {
            const unsigned other = unsigned(__builtin_ctz(lanes));
            if (order.after(lane, other, cell.readers_time)) cell.readers_lanes &= ~(1u << other);
        }
    }
    cell.readers_time = order.now();
    cell.readers_lanes |= 1u << lane;
}

int Hazards::access(std::uintptr_t address, unsigned size, AccessType type, unsigned thread,
                    const WarpOrder& order) {
    if (size % 4 != 0 || address % 4 != 0) return access_bytes(address, size, type, thread, order);
    for (std::uintptr_t at = address; at < address + size; at += 4) {
        ShadowCell& cell = word(at);
        int other = conflict(cell, type, thread, order);
        for (unsigned i = 0; bytes_used_ && other < 0 && i < 4; ++i)
            other = conflict(bytes_.at(at + i), type, thread, order);
        if (other >= 0) return other;
        update(cell, type, thread, order);
    }
    return -1;
}

int Hazards::access_bytes(std::uintptr_t address, unsigned size, AccessType type, unsigned thread,
                          const WarpOrder& order) {
    bytes_used_ = true;
    for (std::uintptr_t at = address; at < address + size; ++at) {
        int other = conflict(word(at), type, thread, order);
        if (other < 0) other = conflict(bytes_.at(at), type, thread, order);
        if (other >= 0) return other;
        update(bytes_.at(at), type, thread, order);
    }
    return -1;
}

}  // namespace simt
