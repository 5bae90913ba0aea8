// The keys of a histogram, and the check of its result: how many keys are in each bin is known beforehand.
#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "experiments/harness/own_vectors.h"

namespace harness {

/// Of 2^bits keys the one at `index`: shuffled and as many in each of `bins` bins, a power of two, or of
/// fewer keys than bins one in each of the first; or all in one bin, the middle one.
inline int key_at(const Permutation& numbers, int bins, bool one_bin, long long index) {
    return one_bin ? bins / 2 : static_cast<int>(numbers.at(index) % bins);
}

/// How many different keys are among every `group` consecutive ones, added up.
inline long long different_keys(int bits, int bins, bool one_bin, long long group) {
    const Permutation numbers(bits);
    std::vector<long long> last_group(bins, -1);
    long long found = 0;
    for (long long i = 0; i < 1LL << bits; ++i) {
        long long& last = last_group[key_at(numbers, bins, one_bin, i)];
        found += last != i / group;
        last = i / group;
    }
    return found;
}

struct KeysOfBins {
    KeysOfBins(int bits, int bins, bool one_bin)
        : n(1LL << bits), bins(bins), one_bin(one_bin), keys(n), counts(bins) {
        const Permutation numbers(bits);
        keys.fill([&](long long i) { return key_at(numbers, bins, one_bin, i); });
    }
    long long n;
    int bins;
    bool one_bin;
    OwnVector<int> keys;
    OwnVector<unsigned> counts;

    std::string find_error() const {
        auto found = counts.read(bins);
        for (int bin = 0; bin < bins; ++bin) {
            const long long all = bin == bins / 2 ? n : 0, share = n / bins + (bin < n % bins),
                            expected = one_bin ? all : share;
            if (const std::string error = difference<unsigned>(bin, expected, found[bin]); !error.empty())
                return error;
        }
        return "";
    }
    Trial trial(Work work) {
        Trial trial{std::move(work), [this] { counts.poison(); }, [this] { return find_error(); }};
        trial.result = {counts.view()};
        return trial;
    }
};

}  // namespace harness
