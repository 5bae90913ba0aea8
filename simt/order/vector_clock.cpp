#include "simt/order/vector_clock.h"

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

/// The union of two lists of the same units, of which the times alone are compared, all at once; as united().
bool united_times(const std::vector<Part::Entry>& a, const std::vector<Part::Entry>& b,
                  std::vector<Part::Entry>& sum, bool& is_a, bool& is_b) {
    if (a.size() != b.size()) return false;
    const std::size_t size = a.size();
    unsigned differ = 0, from_a = 0, from_b = 0;
    for (std::size_t i = 0; i < size; ++i) {
        differ |= unsigned(a[i].unit ^ b[i].unit);
        from_a |= unsigned(a[i].time > b[i].time);
        from_b |= unsigned(b[i].time > a[i].time);
    }
    if (differ != 0) return false;
    is_a = from_b == 0;
    is_b = from_a == 0;
    if (is_a || is_b) return true;
    sum.resize(size);
    for (std::size_t i = 0; i < size; ++i) sum[i] = {a[i].unit, std::max(a[i].time, b[i].time)};
    return true;
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
    std::vector<Entry> entries;
    if (!united_times(a->entries, b->entries, entries, is_a, is_b))
        entries = united(
            a->entries, b->entries, [](const Entry& x, const Entry& y) { return x.unit < y.unit; }, later,
            is_a, is_b);
    all_a &= is_a;
    all_b &= is_b;
    if (is_a) return a;
    if (is_b) return b;
    // What an entry of the warp or the block contains need not be listed.
    Part sum{a->block, {}};
    sum.entries.reserve(entries.size());
    std::uint32_t of_block = 0, of_warp[THREADS] = {};
    for (const Entry& entry : entries) {
        const bool is_warp = entry.unit != EVERY && entry.unit < THREADS;
        const std::uint32_t known = entry.unit >= AGENTS || entry.unit == EVERY ? 0
                                    : is_warp                                   ? of_block
                                              : std::max(of_block, of_warp[enclosing(entry.unit)]);
        if (entry.unit == EVERY) of_block = entry.time;
        if (is_warp) of_warp[entry.unit] = entry.time;
        if (entry.time > known) sum.entries.push_back(entry);
    }
    return std::make_shared<const Part>(std::move(sum));
}

}  // namespace

bool Part::contains(Unit unit, std::uint32_t time) const {
    const auto has = [&](Unit each) {
        const auto at = std::lower_bound(entries.begin(), entries.end(), each,
                                         [](const Entry& entry, Unit u) { return entry.unit < u; });
        return at != entries.end() && at->unit == each && at->time > time;
    };
    return has(unit) || (unit < AGENTS && (has(EVERY) || has(enclosing(unit))));
}

bool Clock::contains(std::uint32_t block, Unit unit, std::uint32_t time) const {
    const auto at = std::lower_bound(parts.begin(), parts.end(), block,
                                     [](const SharedPart& part, std::uint32_t b) { return part->block < b; });
    return at != parts.end() && (*at)->block == block && (*at)->contains(unit, time);
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
