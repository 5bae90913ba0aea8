// The kernels of the fast scan, each as a case of its own: the ring with some policy, whatever the length,
// and one wave, for vectors that it can hold. They are timed, and counted.
#pragma once
#include <memory>
#include <string>

#include "experiments/harness/cuda_check.h"
#include "experiments/harness/suite.h"
#include "experiments/support/type_names.h"
#include "kernels/fast/detail/scan_ring_variants.cuh"
#include "kernels/fast/scan.cuh"

namespace harness {

/// scan(workspace, vectors) returns a cudaError_t. cleared: the workspace is cleared before every call.
template <class T, class Scan>
Prepare<T> scan_in_workspace(Scan scan, bool cleared) {
    return [=](Vectors<T> v) -> Work {
        const auto workspace = std::make_shared<Workspace>(scan_bytes<T>(v.n), v.stream);
        check(workspace->status(), "room for a scan");
        return [=] {
            if (cleared) check(clear(*workspace, v.stream), "memset");
            check(scan(*workspace, v), "scan");
        };
    };
}

/// By the ring, whatever the length.
template <class Policy, class T, class Op>
Prepare<T> ring_scan(bool cleared = false) {
    const auto scan = [](const Workspace& workspace, Vectors<T> v) {
        const ScanProblem<T> problem = {v.in, v.out, v.n, {{}, false}};
        return scan_by_ring<Policy>(workspace, problem, Op{}, v.stream);
    };
    return scan_in_workspace<T>(scan, cleared);
}

/// more: the factors after type and operator.
template <class Policy, class T, class Op>
void add_ring(Suite& suite, const Levels& more, long long n, bool cleared = false) {
    using Tiles = typename Policy::template Tiles<true>;
    Case& c = suite.scan<T, Op>({"scan", "ring", type_and_operator<T, Op>() + more}, n, {n},
                                ring_scan<Policy, T, Op>(cleared));
    if (suite.timed()) return;
    const long long bytes = n * static_cast<long long>(sizeof(T)), multiprocessors = 132;
    c.on_single_core()
        .predict("launches", 1)
        .predict("bulk_bytes_loaded", bytes)
        .predict("bulk_bytes_stored", bytes)
        .predict("barriers", std::min(multiprocessors, ceil_div(n, Tiles::TILE)));
}

template <class T, class Op>
void add_one_wave(Suite& suite, const Levels& more, long long n, bool cleared = false) {
    const auto scan = [](const Workspace& workspace, Vectors<T> v) {
        return inclusive_scan(workspace, v.in, v.out, v.n, Op{}, v.stream);
    };
    Case& c = suite.scan<T, Op>({"scan", "one_wave", type_and_operator<T, Op>() + more}, n, {n},
                                scan_in_workspace<T>(scan, cleared));
    if (suite.timed()) return;
    const long long bytes = n * static_cast<long long>(sizeof(T));
    c.on_single_core().predict("launches", 1).predict("global_bytes_read", bytes);
}

}  // namespace harness
