#include "simt/hazards.h"

#include <algorithm>

namespace simt {

void WarpOrder::meet(std::uint32_t mask) {
    ++meetings_;
    if (mask == 0xffffffffu) {  // all meet: the general rule below, in one go
        std::fill(&met_[0][0], &met_[0][0] + 32 * 32, meetings_);
        return;
    }
    std::uint32_t joined[32] = {};
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1)
            for (unsigned other = 0; other < 32; ++other)
                joined[other] = std::max(joined[other], mask >> other & 1 ? meetings_ : met_[lane][other]);
    for (unsigned lane = 0; lane < 32; ++lane)
        if (mask >> lane & 1) std::copy(joined, joined + 32, met_[lane]);
}

std::size_t CellTable::slot(std::uintptr_t key) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t i = (key * 0x9e3779b97f4a7c15u >> 20) & mask;
    while (entries_[i].generation == generation_ && entries_[i].key != key) i = (i + 1) & mask;
    return i;
}

Cell& CellTable::at(std::uintptr_t key) {
    std::size_t i = slot(key);
    if (entries_[i].generation != generation_) {
        if (2 * ++used_ > entries_.size()) {
            grow();
            i = slot(key);
        }
        entries_[i] = {key, generation_, Cell{}};
    }
    return entries_[i].cell;
}

void CellTable::grow() {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    for (const Entry& entry : old)
        if (entry.generation == generation_) entries_[slot(entry.key)] = entry;
}

int Hazards::conflict(const Cell& cell, Touch touch, unsigned thread, const WarpOrder& order) const {
    const unsigned warp = thread / 32, lane = thread % 32;
    if (cell.write_step == step_ && cell.writer != thread &&
        (cell.writer / 32u != warp || !order.after(lane, cell.writer % 32u, cell.write_time)))
        return cell.writer;

    const bool set_matters = touch == Touch::write || (touch == Touch::read) == cell.set_atomic;
    if (cell.set_step != step_ || !set_matters) return -1;
    for (std::uint32_t lanes = cell.set_lanes; lanes != 0; lanes &= lanes - 1) {
        const unsigned other = unsigned(__builtin_ctz(lanes));
        if (cell.set_warp == warp && (other == lane || order.after(lane, other, cell.set_time))) continue;
        return int(cell.set_warp * 32u + other);
    }
    return cell.strangers && cell.set_warp == warp ? cell.stranger : -1;
}

void Hazards::update(Cell& cell, Touch touch, unsigned thread, const WarpOrder& order) const {
    const std::uint16_t warp = std::uint16_t(thread / 32);
    const unsigned lane = thread % 32;
    if (touch == Touch::write) {
        cell.write_step = step_;
        cell.write_time = order.now();
        cell.writer = std::uint16_t(thread);
        cell.set_step = 0;
        return;
    }
    const bool atomic = touch == Touch::atomic;
    if (cell.set_step != step_ || cell.set_atomic != atomic) {
        cell.set_step = step_;
        cell.set_atomic = atomic;
        cell.set_warp = warp;
        cell.set_lanes = 0;
        cell.strangers = false;
    } else if (cell.set_warp != warp) {
        cell.strangers = true;
        cell.stranger = std::uint16_t(thread);
        return;
    } else if (cell.set_time < order.now()) {
        // Whoever comes after this lane comes after those that it comes after: it stands for them, as the
        // set's new time is not theirs.
        for (std::uint32_t lanes = cell.set_lanes; lanes != 0; lanes &= lanes - 1) {
            const unsigned other = unsigned(__builtin_ctz(lanes));
            if (order.after(lane, other, cell.set_time)) cell.set_lanes &= ~(1u << other);
        }
    }
    cell.set_time = order.now();
    cell.set_lanes |= 1u << lane;
}

int Hazards::touch(std::uintptr_t address, unsigned size, Touch touch, unsigned thread,
                   const WarpOrder& order) {
    if (size % 4 != 0 || address % 4 != 0) return touch_part(address, size, touch, thread, order);
    for (std::uintptr_t at = address; at < address + size; at += 4) {
        Cell& cell = word(at);
        int other = conflict(cell, touch, thread, order);
        for (unsigned i = 0; bytes_used_ && other < 0 && i < 4; ++i)
            other = conflict(bytes_.at(at + i), touch, thread, order);
        if (other >= 0) return other;
        update(cell, touch, thread, order);
    }
    return -1;
}

int Hazards::touch_part(std::uintptr_t address, unsigned size, Touch touch, unsigned thread,
                        const WarpOrder& order) {
    bytes_used_ = true;
    for (std::uintptr_t at = address; at < address + size; ++at) {
        int other = conflict(word(at), touch, thread, order);
        if (other < 0) other = conflict(bytes_.at(at), touch, thread, order);
        if (other >= 0) return other;
        update(bytes_.at(at), touch, thread, order);
    }
    return -1;
}

}  // namespace simt
