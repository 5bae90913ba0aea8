// The vectors of a run-length decoding, and the check of its result.
#pragma once
#include <string>
#include <vector>

#include "experiments/harness/own_vectors.h"

namespace harness {

/// The runs' lengths. Runs form pairs whose lengths add up to twice the mean; one_long: they follow a run of
/// n / 2 elements.
struct Runs {
    long long n;  ///< elements of the output
    long long mean;
    bool one_long;

    long long in_pairs() const { return one_long ? n / 2 : n; }
    long long count() const { return in_pairs() / mean + (one_long ? 1 : 0); }
    long long length(long long run) const {
        if (one_long && run == 0) return n / 2;
        const long long index = one_long ? run - 1 : run;
        const auto random = static_cast<unsigned>(shuffled.at(index / 2));
        const auto first = static_cast<long long>(random * (2ull * mean + 1) >> 32);
        return index % 2 == 0 ? first : 2 * mean - first;
    }
    harness::Permutation shuffled{32};
};

/// A run's value is its index, so that every run can be identified in the output.
struct EncodedRuns {
    explicit EncodedRuns(Runs r) : runs(r), values(r.count()), lengths(r.count()), out(r.n), total(1) {
        values.fill([](long long run) { return static_cast<int>(run); });
        lengths.fill([r](long long run) { return r.length(run); });
    }
    Runs runs;
    OwnVector<int> values;
    OwnVector<long long> lengths;
    OwnVector<int> out;
    OwnVector<long long> total;

    void poison() {
        out.poison();
        total.poison();
    }
    /// Every run must occur once and whole, in any order. *out_of_order: the runs whose index is smaller than
    /// that of the run before them.
    std::string find_error(long long* out_of_order) const {
        auto results = out.read(runs.n);
        std::vector<bool> seen(runs.count());
        int last = 0;
        *out_of_order = 0;
        for (long long i = 0; i < runs.n;) {
            const int run = results[i];
            if (run < 0 || run >= runs.count() || seen[run])
                return wrong(i, "not a run, or one that occurred before");
            seen[run] = true;
            const long long end = i + runs.length(run);
            if (end == i || end > runs.n) return wrong(i, "a run that is empty or too long");
            for (++i; i < end; ++i)
                if (results[i] != run) return wrong(i, "not the value of the run that it lies in");
            *out_of_order += run < last;
            last = run;
        }
        return "";
    }

   private:
    static std::string wrong(long long index, const char* what) {
        return "index " + std::to_string(index) + ": " + what;
    }
};

}  // namespace harness
