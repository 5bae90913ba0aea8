#include "simt/clock.h"

#include <algorithm>

namespace simt {

namespace {

bool before(const ClockEntry& a, const ClockEntry& b) {
    return a.block != b.block ? a.block < b.block : a.unit < b.unit;
}

/// The warp of a lane; of a warp, the block.
Unit enclosing(Unit unit) { return unit >= LANES ? warp_unit(unsigned(unit - LANES) / 32) : ALL; }

/// Append an entry with a larger key, unless the entries of its warp or block contain it.
void add_entry(std::vector<ClockEntry>& entries, std::size_t& begin_of_block, const ClockEntry& entry) {
    if (entries.empty() || entries[begin_of_block].block != entry.block) begin_of_block = entries.size();
    for (std::size_t i = begin_of_block; entry.unit < COPIES && i < entries.size() && entries[i].unit < LANES;
         ++i) {
        const bool encloses = entries[i].unit == ALL || entries[i].unit == enclosing(entry.unit);
        if (encloses && entries[i].time >= entry.time) return;
    }
    entries.push_back(entry);
}

}  // namespace

bool Clock::contains(std::uint32_t block, Unit unit, std::uint32_t time) const {
    const auto has = [&](Unit each) {
        const auto found =
            std::lower_bound(entries.begin(), entries.end(), ClockEntry{block, each, 0}, before);
        return found != entries.end() && found->block == block && found->unit == each && found->time > time;
    };
    return has(unit) || (unit < COPIES && (has(ALL) || has(enclosing(unit))));
}

SharedClock merge(const SharedClock& a, const SharedClock& b) {
    if (a == b || b == nullptr) return a;
    if (a == nullptr) return b;
    auto sum = std::make_shared<Clock>();
    std::vector<ClockEntry>& entries = sum->entries;
    entries.reserve(a->entries.size() + b->entries.size());
    auto i = a->entries.begin(), j = b->entries.begin();
    std::size_t begin_of_block = 0;
    bool is_a = true, is_b = true;  // so far, the union is a, or b
    while (i != a->entries.end() || j != b->entries.end()) {
        if (j == b->entries.end() || (i != a->entries.end() && before(*i, *j))) {
            add_entry(entries, begin_of_block, *i++);
            is_b = false;
        } else if (i == a->entries.end() || before(*j, *i)) {
            const std::size_t size = entries.size();
            add_entry(entries, begin_of_block, *j++);
            is_a &= entries.size() == size;
        } else {
            add_entry(entries, begin_of_block, i->time >= j->time ? *i : *j);
            is_a &= i->time >= j->time;
            is_b &= j->time >= i->time;
            ++i, ++j;
        }
    }
    return is_a ? a : is_b ? b : sum;  // lanes go on sharing a clock that has not grown
}

}  // namespace simt
