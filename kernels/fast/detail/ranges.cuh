// Which ranges each call reads and writes, and which of these may share bytes: what calls check before they
// queue anything, and what kernels/fast/README.md prints as a table (kernels/test/test_ranges.py compares).
//
// No byte that a call writes belongs to another of its ranges, or to its memory. Of a result whose length
// only the device finds, the first element is looked at. Known of pointers only.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>

#include "kernels/fast/memory.cuh"

namespace trial {

/// What a call does with an argument. replaces: writes all of it, and may be given the first argument for it.
/// writes_some: as many elements as the device finds.
enum class Access { reads, writes, replaces, writes_some };

struct Argument {
    const char* name;
    Access access;
};
struct CallRanges {
    const char* calls;
    int count;
    Argument arguments[5];
};

namespace ranges {

inline constexpr Access R = Access::reads, W = Access::writes, IN_PLACE = Access::replaces,
                        SOME = Access::writes_some;
inline constexpr CallRanges CALLS[] = {
    {"`inclusive_scan`, `exclusive_scan`, `inclusive_scan_columns`, `exclusive_scan_columns`",
     3,
     {{"in", R}, {"seed", R}, {"out", IN_PLACE}}},
    {"`inclusive_scan_by_key`, `exclusive_scan_by_key`", 3, {{"in", R}, {"keys", R}, {"out", IN_PLACE}}},
    {"`reduce_by_key`", 5, {{"in", R}, {"keys", R}, {"unique_out", SOME}, {"out", SOME}, {"num_runs", W}}},
    {"`run_length_encode`", 4, {{"in", R}, {"unique_out", SOME}, {"lengths_out", SOME}, {"num_runs", W}}},
    {"`unique_by_key`", 5, {{"in", R}, {"keys", R}, {"keys_out", SOME}, {"out", SOME}, {"num_selected", W}}},
    {"`segmented_inclusive_scan`, `segmented_exclusive_scan`",
     3,
     {{"in", R}, {"offsets", R}, {"out", IN_PLACE}}},
    {"`segmented_reduce`", 3, {{"in", R}, {"offsets", R}, {"out", W}}},
    {"`reduce`, `arg_min`, `arg_max`, `min_max`", 2, {{"in", R}, {"out", W}}},
    {"`select_if`, `unique`", 3, {{"in", R}, {"out", SOME}, {"num_selected", W}}},
    {"`select_flagged`", 4, {{"in", R}, {"flags", R}, {"out", SOME}, {"num_selected", W}}},
    {"`partition_if`", 3, {{"in", R}, {"out", W}, {"num_selected", W}}},
    {"`partition_flagged`", 4, {{"in", R}, {"flags", R}, {"out", W}, {"num_selected", W}}},
};
enum Call {
    SCAN,
    SCAN_BY_KEY,
    REDUCE_BY_KEY,
    RUN_LENGTH_ENCODE,
    UNIQUE_BY_KEY,
    SEGMENTED_SCAN,
    SEGMENTED_REDUCE,
    REDUCE,
    SELECT,
    SELECT_FLAGGED,
    PARTITION,
    PARTITION_FLAGGED,
    NUMBER_OF_CALLS
};
static_assert(sizeof(CALLS) / sizeof(*CALLS) == NUMBER_OF_CALLS, "a call for each row, in their order");

}  // namespace ranges

/// The bytes of n elements; none if there is no pointer to them.
struct Range {
    std::uintptr_t begin = 0;
    std::size_t bytes = 0, of_element = 0;

    Range() = default;
    template <class Iterator>
    Range(const Iterator& elements, long long n) {
        if constexpr (std::is_pointer_v<Iterator>) {
            if (elements == nullptr) return;
            begin = reinterpret_cast<std::uintptr_t>(elements);
            of_element = sizeof(*elements);
            bytes = static_cast<std::size_t>(n) * of_element;
        }
    }

    Range first() const {
        Range range = *this;
        range.bytes = of_element < bytes ? of_element : bytes;
        return range;
    }
    bool shares_bytes(const Range& other) const {
        return begin < other.begin + other.bytes && other.begin < begin + bytes;
    }
    bool is(const Range& other) const { return begin == other.begin && of_element == other.of_element; }
};

/// Whether these ranges, those of call's arguments in their order, overlap only where they may.
inline bool are_apart(ranges::Call call, const Memory& memory, std::initializer_list<Range> given) {
    const Argument* const arguments = ranges::CALLS[call].arguments;
    const Range own(static_cast<const char*>(memory.data()), static_cast<long long>(memory.size()));
    const auto seen = [&](int k) {
        return arguments[k].access == Access::writes_some ? given.begin()[k].first() : given.begin()[k];
    };
    for (int k = 0; k < static_cast<int>(given.size()); ++k) {
        if (seen(k).shares_bytes(own)) return false;
        for (int other = 0; other < k; ++other) {
            if (arguments[k].access == Access::reads && arguments[other].access == Access::reads) continue;
            const bool in_place =
                other == 0 && arguments[k].access == Access::replaces && seen(k).is(seen(other));
            if (!in_place && seen(k).shares_bytes(seen(other))) return false;
        }
    }
    return true;
}

}  // namespace trial
