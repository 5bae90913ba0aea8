// The vectors of a compaction, and the check of its result. The input is the numbers 0 .. n - 1, shuffled:
// which numbers lie below a limit is known, and each number tells where it was.
#pragma once
#include <string>
#include <vector>

#include "experiments/harness/own_vectors.h"

namespace harness {

struct Shuffled {
    explicit Shuffled(int bits) : n(1LL << bits), numbers(bits), in(n), out(n), selected(1) {
        in.fill([this](long long i) { return static_cast<int>(numbers.at(i)); });
    }
    long long n;
    Permutation numbers;
    OwnVector<int> in, out;
    OwnVector<long long> selected;

    void poison() {
        out.poison();
        selected.poison();
    }
    /// How many of the first `count` results came, in the input, before the result that they now follow.
    long long out_of_order(long long count) const {
        auto results = out.read(count);
        long long found = 0;
        std::uint64_t last = 0;
        for (long long i = 0; i < count; ++i) {
            const auto place = numbers.where(results[i]);
            found += place < last;
            last = place;
        }
        return found;
    }
    /// All numbers below the limit must occur once, in any order, and nothing may be written after them.
    std::string find_error(long long limit) const {
        const long long count = selected.read_first();
        if (count != limit)
            return "selected " + std::to_string(count) + ", expected " + std::to_string(limit);
        auto results = out.read(n);
        std::vector<bool> seen(limit);
        for (long long i = 0; i < limit; ++i) {
            const int number = results[i];
            if (number < 0 || number >= limit || seen[number])
                return "index " + std::to_string(i) + ": not below the limit, or selected before";
            seen[number] = true;
        }
        return limit < n && results[limit] < n ? "written after the last element" : "";
    }
};

}  // namespace harness
