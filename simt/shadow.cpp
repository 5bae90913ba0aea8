#include "simt/shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace simt {

namespace {

using Conflict = Shadow::Conflict;

bool is_write(const PastAccess& access) { return (access.kind & PastAccess::WRITE) != 0; }
bool is_strong(const PastAccess& access) { return (access.kind & PastAccess::STRONG) != 0; }
bool is_copy(const PastAccess& access) { return access.lanes == 0; }

bool may_conflict(const PastAccess& past, const PastAccess& now) {
    if (!is_write(past) && !is_write(now)) return false;
    if (!is_strong(past) || !is_strong(now)) return true;
    if (past.kind / PastAccess::SIZE != now.kind / PastAccess::SIZE) return true;
    return (past.kind & now.kind & PastAccess::LOCKSTEP) != 0 && past.block == now.block &&
           past.unit == now.unit;
}

/// Once `past` happened before `now`: does whatever races with `past` later also race with `now`?
bool supersedes(const PastAccess& now, const PastAccess& past) {
    return (is_write(now) || !is_write(past)) && (is_strong(past) || !is_strong(now)) &&
           (past.bytes & ~now.bytes) == 0;
}

/// Compare with one remembered access, and forget that if it is not needed any more.
Conflict compare(PastAccess& past, const PastAccess& now, const BlockOrder& order, unsigned lane) {
    if (past.block == 0 || (past.bytes & now.bytes) == 0) return {};
    const Precedence precedence = order.precedence(past, lane);
    if (precedence != Precedence::happened) {
        if (may_conflict(past, now)) return {past, precedence};
        return {};
    }
    if (is_copy(now) && !is_copy(past) && is_write(past) && !order.visible_to_copies(past, lane))
        return {past, precedence, true};
    if (supersedes(now, past)) past.block = 0;
    return {};
}

/// Remove what compare() has marked.
void forget(std::vector<PastAccess>& accesses) {
    const auto is_marked = [](const PastAccess& access) { return access.block == 0; };
    accesses.erase(std::remove_if(accesses.begin(), accesses.end(), is_marked), accesses.end());
}

}  // namespace

Shadow::Shadow(std::uintptr_t begin, std::size_t bytes, bool of_blocks)
    : begin_(begin / 4 * 4), bytes_((begin + bytes - begin_ + 3) / 4 * sizeof(Cell)), of_blocks_(of_blocks) {
    void* const cells =
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (cells == MAP_FAILED) throw std::bad_alloc();
    cells_ = static_cast<Cell*>(cells);
}

Shadow::~Shadow() { munmap(cells_, bytes_); }

Conflict Shadow::access(std::uintptr_t address, unsigned size, PastAccess now, const BlockOrder& order,
                        unsigned lane, bool locked) {
    for (std::uintptr_t at = address; at < address + size;) {
        const std::uintptr_t word = at / 4 * 4, end = std::min(word + 4, address + size);
        Cell& cell = cells_[(word - begin_) / 4];
        now.bytes = std::uint8_t((1u << (end - word)) - (1u << (at - word)));
        const CellLock lock(cell.more, locked);
        if (const Conflict conflict = access_word(cell, now, order, lane)) return conflict;
        at = end;
    }
    return {};
}

Conflict Shadow::access_word(Cell& cell, const PastAccess& now, const BlockOrder& order, unsigned lane) {
    if (of_blocks_)
        for (PastAccess* const past : {&cell.write, &cell.read[0], &cell.read[1]})
            if (past->block != now.block) past->block = 0;
    const bool has_more = (cell.more & ~LOCKED) != 0;
    if (const Conflict conflict = compare(cell.write, now, order, lane)) return conflict;
    if (has_more)
        if (const Conflict conflict = compare_all(more(cell).writes, now, order, lane)) return conflict;
    if (is_write(now)) {
        for (PastAccess& read : cell.read)
            if (const Conflict conflict = compare(read, now, order, lane)) return conflict;
        if (has_more)
            if (const Conflict conflict = compare_all(more(cell).reads, now, order, lane)) return conflict;
        if (is_together(cell.write, now))
            cell.write.lanes |= now.lanes;
        else if (is_superseded(cell.write, now, order, lane))
            cell.write = now;
        else
            remember_more(more(cell).writes, now, order, lane);
        return {};
    }
    for (PastAccess& read : cell.read) {
        if (!is_together(read, now)) continue;
        read.lanes |= now.lanes;  // a warp reads one word
        return {};
    }
    for (PastAccess& read : cell.read) {
        if (!is_superseded(read, now, order, lane)) continue;
        read = now;
        return {};
    }
    remember_more(more(cell).reads, now, order, lane);
    return {};
}

Conflict Shadow::compare_all(std::vector<PastAccess>& pasts, const PastAccess& now, const BlockOrder& order,
                             unsigned lane) const {
    for (PastAccess& past : pasts) {
        if (of_blocks_ && past.block != now.block) past.block = 0;
        if (const Conflict conflict = compare(past, now, order, lane)) return conflict;
    }
    forget(pasts);
    return {};
}

/// Need `past` not be remembered if `now` is? Found without a search, which may miss that.
bool Shadow::is_superseded(const PastAccess& past, const PastAccess& now, const BlockOrder& order,
                           unsigned lane) const {
    return past.block == 0 || (of_blocks_ && past.block != now.block) ||
           (supersedes(now, past) && order.happened(past, lane));
}

void Shadow::remember_more(std::vector<PastAccess>& others, const PastAccess& now, const BlockOrder& order,
                           unsigned lane) const {
    constexpr std::size_t RECENT = 4;
    for (std::size_t i = others.size(); i-- > 0 && i + RECENT >= others.size();) {
        if (!is_together(others[i], now)) continue;
        others[i].lanes |= now.lanes;
        return;
    }
    if (others.size() >= RECENT && (others.size() & (others.size() - 1)) == 0) {  // a power of two: seldom
        for (PastAccess& past : others)
            if (is_superseded(past, now, order, lane)) past.block = 0;
        forget(others);
    }
    others.push_back(now);
}

Shadow::More& Shadow::more(Cell& cell) {
    if ((cell.more & ~LOCKED) == 0) {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::unique_ptr<More[]>& room = room_[room_of(count_)];
        if (room == nullptr) room = std::make_unique<More[]>(std::size_t(64) << room_of(count_));
        cell.more |= ++count_;
    }
    return element((cell.more & ~LOCKED) - 1);
}

}  // namespace simt
