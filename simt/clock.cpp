#include "simt/clock.h"

#include <algorithm>

namespace simt {

namespace {

bool before(const ClockEntry& a, const ClockEntry& b) {
    return a.block != b.block ? a.block < b.block : a.unit < b.unit;
}

/// The warp of a lane; of a warp, the block.
Unit enclosing(Unit unit) { return unit >= LANES ? warp_unit(unsigned(unit - LANES) / 32) : ALL; }

/// A clock's entries, added in ascending order, but for those that an entry of their warp or block contains.
class Entries {
   public:
    explicit Entries(std::vector<ClockEntry>& entries) : entries_(entries) {}

    void add(const ClockEntry& entry) {
        if (entries_.empty() || entries_.back().block != entry.block) block_ = enclosing_ = entries_.size();
        if (entry.unit < COPIES && (contains(block_, ALL, entry) || is_in_enclosing(entry))) return;
        entries_.push_back(entry);
    }

   private:
    bool contains(std::size_t i, Unit unit, const ClockEntry& entry) const {
        return i < entries_.size() && entries_[i].unit == unit && entries_[i].time >= entry.time;
    }
    bool is_in_enclosing(const ClockEntry& entry) {
        const Unit unit = enclosing(entry.unit);
        while (enclosing_ < entries_.size() && entries_[enclosing_].unit < unit) ++enclosing_;
        return contains(enclosing_, unit, entry);
    }

    std::vector<ClockEntry>& entries_;
    std::size_t block_ = 0;      // the first of the block
    std::size_t enclosing_ = 0;  // none before it encloses what follows
};

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
    Entries added(entries);
    auto i = a->entries.begin(), j = b->entries.begin();
    bool is_a = true, is_b = true;  // so far, the union is a, or b
    while (i != a->entries.end() || j != b->entries.end()) {
        if (j == b->entries.end() || (i != a->entries.end() && before(*i, *j))) {
            added.add(*i++);
            is_b = false;
        } else if (i == a->entries.end() || before(*j, *i)) {
            const std::size_t size = entries.size();
            added.add(*j++);
            is_a &= entries.size() == size;
        } else {
            added.add(i->time >= j->time ? *i : *j);
            is_a &= i->time >= j->time;
            is_b &= j->time >= i->time;
            ++i, ++j;
        }
    }
    return is_a ? a : is_b ? b : sum;  // lanes go on sharing a clock that has not grown
}

}  // namespace simt
