#include "simt/order/clock.h"

#include <algorithm>

namespace sass {
namespace {

Unit enclosing(Unit unit) { return unit >= THREADS ? unit_of_warp(unsigned(unit - THREADS) / 32) : EVERY; }

/// Merges two ascending lists. `order` compares elements, `both` gives the union of two equal ones. Says
/// whether the result is the first or the second list.
template <class T, class Order, class Both>
std::vector<T> united(const std::vector<T>& a, const std::vector<T>& b, Order order, Both both, bool& is_a,
                      bool& is_b) {
    std::vector<T> sum;
    sum.reserve(std::max(a.size(), b.size()));
    is_a = is_b = true;
    auto i = a.begin(), j = b.begin();
    while (i != a.end() || j != b.end()) {
        if (j == b.end() || (i != a.end() && order(*i, *j))) {
            sum.push_back(*i++);
            is_b = false;
        } else if (i == a.end() || order(*j, *i)) {
            sum.push_back(*j++);
            is_a = false;
        } else {
            sum.push_back(both(*i++, *j++, is_a, is_b));
        }
    }
    return sum;
}

SharedPart merge_parts(const SharedPart& a, const SharedPart& b, bool& all_a, bool& all_b) {
    if (a == b) return a;
    using Entry = Part::Entry;
    bool is_a, is_b;
    const auto later = [](const Entry& x, const Entry& y, bool& from_a, bool& from_b) {
        from_a &= x.time >= y.time;
        from_b &= y.time >= x.time;
        return x.time >= y.time ? x : y;
    };
    auto entries = united(
        a->entries, b->entries, [](const Entry& x, const Entry& y) { return x.unit < y.unit; }, later, is_a,
        is_b);
    all_a &= is_a;
    all_b &= is_b;
    if (is_a) return a;
    if (is_b) return b;
    // What an entry of the warp or the block contains need not be listed.
    Part sum{a->block, {}};
    for (const Entry& entry : entries)
        if (entry.unit == EVERY || entry.unit >= AGENTS || !sum.contains(entry.unit, entry.time - 1))
            sum.entries.push_back(entry);
    return std::make_shared<const Part>(std::move(sum));
}

}  // namespace

bool Part::contains(Unit unit, std::uint32_t time) const {
    const auto has = [&](Unit each) {
        const auto found = std::lower_bound(entries.begin(), entries.end(), each,
                                            [](const Entry& entry, Unit u) { return entry.unit < u; });
        return found != entries.end() && found->unit == each && found->time > time;
    };
    return has(unit) || (unit < AGENTS && (has(EVERY) || has(enclosing(unit))));
}

bool Clock::contains(std::uint32_t block, Unit unit, std::uint32_t time) const {
    const auto found =
        std::lower_bound(parts.begin(), parts.end(), block,
                         [](const SharedPart& part, std::uint32_t b) { return part->block < b; });
    return found != parts.end() && (*found)->block == block && (*found)->contains(unit, time);
}

SharedClock merge(const SharedClock& a, const SharedClock& b) {
    if (a == b || b == nullptr) return a;
    if (a == nullptr) return b;
    bool is_a, is_b;
    auto parts = united(
        a->parts, b->parts, [](const SharedPart& x, const SharedPart& y) { return x->block < y->block; },
        [](const SharedPart& x, const SharedPart& y, bool& all_a, bool& all_b) {
            return merge_parts(x, y, all_a, all_b);
        },
        is_a, is_b);
    if (is_a) return a;
    if (is_b) return b;
    return std::make_shared<const Clock>(Clock{std::move(parts)});
}

SharedClock clock_of(Part part) {
    return std::make_shared<const Clock>(Clock{{std::make_shared<const Part>(std::move(part))}});
}

}  // namespace sass
