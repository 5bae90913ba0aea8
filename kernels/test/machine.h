// What tests ask of the SIMT machine that runs them. On a GPU they run all the same, but nothing is counted,
// and the order of blocks is its own.
#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "simt/runtime/observe.h"

namespace machine {

using sass::Counts;
using simt_runtime::Recording;

inline bool is_gpu() { return simt_runtime::observer() == nullptr; }

inline sass::Options options() {
    sass::Options options;
    options.counts = false;
    options.checks = std::getenv("SIMT_CHECKS") != nullptr;
    options.cores = 1;
    return options;
}

/// What run() launches and copies.
template <class Run>
Recording record(Run run, const sass::Options& options) {
    if (is_gpu()) {
        run();
        return {};
    }
    simt_runtime::observer()->begin(options);
    run();
    return simt_runtime::observer()->end();
}

/// run() in the order of blocks and warps that this seed gives; 0: ascending, a block at a time.
template <class Run>
void in_order(std::uint64_t seed, Run run) {
    sass::Options ordered = options();
    ordered.seed = seed;
    (void)record(run, ordered);
}

/// run() in so many orders.
template <class Run>
void in_orders(int orders, Run run) {
    for (int seed = 0; seed < orders && !testing::Test::HasFailure(); ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        in_order(std::uint64_t(seed), run);
    }
}

/// run(), whose races are intended.
template <class Run>
void unchecked(Run run) {
    sass::Options unchecked = options();
    unchecked.checks = false;
    (void)record(run, unchecked);
}

inline Counts total_of(const Recording& recording) {
    Counts total;
    for (const auto& launch : recording.launches) total += launch.total;
    return total;
}

/// The same with counts, by launch; `ops` are the additions of floats by Sum, see simt/decode/operators.h.
template <class Run>
Recording record(Run run) {
    sass::Options counting = options();
    counting.counts = counting.steps = true;
    counting.operators = "Sum: FADD DADD";
    return record(run, counting);
}
template <class Run>
Counts count(Run run) {
    return total_of(record(run));
}

}  // namespace machine
