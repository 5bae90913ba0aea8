#include "simt/order/unwritten.h"

#include <algorithm>
#include <vector>

namespace sass {
namespace {

constexpr std::size_t LARGEST_STRUCTURE = 128;  ///< bytes, of those whose padding is known as such

struct Hole {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
};

std::vector<Hole> holes_of(const Written& written, std::size_t begin, std::size_t end) {
    std::vector<Hole> holes;
    for (std::size_t at = begin; (at = written.find(at, end, false)) < end; at = holes.back().end)
        holes.push_back({at, written.find(at, end, true)});
    return holes;
}

/// As before a member that is aligned, or at the end of a structure that has one.
bool has_form_of_padding(const Hole& hole, std::size_t begin) {
    if (hole.begin == begin) return false;
    for (const std::size_t alignment : {2, 4, 8, 16})
        if (hole.size() < alignment && hole.end % alignment == 0) return true;
    return false;
}

/// An array of structures has such a hole in each.
bool has_another_near(const std::vector<Hole>& holes, std::size_t k) {
    constexpr std::size_t MOST = 8;  // between them
    const Hole& hole = holes[k];
    const auto is_alike = [&](const Hole& other) {
        const std::size_t apart = std::max(hole.begin, other.begin) - std::min(hole.begin, other.begin);
        return apart != 0 && apart <= LARGEST_STRUCTURE && other.size() == hole.size();
    };
    const auto first = holes.begin() + long(k - std::min(k, MOST));
    const auto last = holes.begin() + long(std::min(holes.size(), k + MOST + 1));
    return std::any_of(first, last, is_alike);
}

}  // namespace

Unwritten unwritten(const Written& written, std::size_t begin, std::size_t end) {
    Unwritten all;
    const std::vector<Hole> holes = holes_of(written, begin, end);
    const bool may_be_one = end - begin <= LARGEST_STRUCTURE;
    for (std::size_t k = 0; k < holes.size(); ++k) {
        if (has_form_of_padding(holes[k], begin) && (may_be_one || has_another_near(holes, k))) continue;
        if (all.bytes == 0) all.first = holes[k].begin;
        all.bytes += holes[k].size();
        all.last = holes[k].end - 1;
    }
    return all;
}

bool is_repeated_hole(const Written& written, std::size_t word, std::size_t end) {
    const std::size_t lowest = word - std::min(word, 2 * LARGEST_STRUCTURE);
    const auto begin_of_run = [&](std::size_t at) {  // of what is written, or not, as the byte before `at` is
        const bool is_written = written.has(at - 1, 1);
        while (at > lowest && written.has(at - 1, 1) == is_written) --at;
        return at;
    };
    const std::size_t begin = written.any(word, 4) ? word : begin_of_run(word + 1);
    if (begin == lowest) return false;
    const std::size_t members = begin_of_run(begin);
    if (members > lowest) {
        const std::size_t before = begin_of_run(members), size = members - before;
        if (before > lowest && begin - before <= LARGEST_STRUCTURE && word + 4 <= begin + size) return true;
    }
    const std::size_t far = std::min(end, begin + 2 * LARGEST_STRUCTURE);
    const std::size_t next = written.find(begin, far, true), hole = written.find(next, far, false);
    return hole < far && hole - begin <= LARGEST_STRUCTURE &&
           written.find(hole, far, true) - hole == next - begin;
}

void copy_written(const Written& source, std::size_t from, Written& target, std::size_t to,
                  std::size_t bytes) {
    for (const Hole& hole : holes_of(source, from, from + bytes))
        target.clear(hole.begin - from + to, hole.size());
}

}  // namespace sass
