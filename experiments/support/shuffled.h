// The vectors of a compaction, and whether its result is right: the numbers 0 .. n - 1, shuffled, so that of
// those below a limit every one is known, and where it was.
#pragma once
#include <string>
#include <vector>

#include "experiments/harness/own_vectors.h"

namespace harness {

struct Shuffled {
    explicit Shuffled(int bits) : n(1LL << bits), numbers(bits), in(n), out(n), kept(1) {
        in.fill([this](long long i) { return static_cast<int>(numbers.at(i)); });
    }
    long long n;
    Permutation numbers;
    OwnVector<int> in, out;
    OwnVector<long long> kept;

    void poison() {
        out.poison();
        kept.poison();
    }
    /// Of the first `count` results, those that were before the one that they now follow.
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
    /// All numbers below the limit must be there once, in any order, and nothing behind them.
    std::string find_error(long long limit) const {
        if (kept.read_first() != limit) return "another number of elements kept than wanted";
        auto results = out.read(n);
        std::vector<bool> seen(limit);
        for (long long i = 0; i < limit; ++i) {
            const int number = results[i];
            if (number < 0 || number >= limit || seen[number])
                return "index " + std::to_string(i) + ": unwanted, or there already";
            seen[number] = true;
        }
        return limit < n && results[limit] < n ? "written behind the last" : "";
    }
};

}  // namespace harness
