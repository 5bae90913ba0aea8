// What the experiments on device-wide scans share: the work of each scan, and its closed forms. Inclusive
// sums, counted on the SIMT machine.
#pragma once
#include <memory>

#include "experiments/closed_forms/device_scans.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/harness/suite.h"
#include "kernels/operators.cuh"
#include "kernels/textbook/device/scan_look_back.cuh"
#include "kernels/textbook/device/scan_reduce_then_scan.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"

namespace harness {

template <class T, Spine SPINE = Spine::device>
struct ThreePhase : ThreePhaseScan<T, Sum<T>> {
    explicit ThreePhase(long long capacity) : ThreePhaseScan<T, Sum<T>>(SPINE, capacity) {}
};

template <class T>
using TwoReads = ReduceThenScan<T, Sum<T>>;

template <class T, int ITEMS_PER_THREAD = look_back_items<T>(), int THREADS = 256>
using LookBack = LookBackScan<T, Sum<T>, Form::inclusive, ITEMS_PER_THREAD, THREADS>;

/// The scan as work, which owns a scan with room for v.n elements.
template <class Scan, class T>
Work device_scan(Vectors<T> v) {
    auto scan = std::make_shared<Scan>(v.n);
    check(scan->status(), "room for a scan");
    return [v, scan] { (*scan)(v.in, v.out, v.n, Sum<T>{}, v.stream); };
}

/// Predict launches, operations and traffic by a cost of closed_forms/.
template <class Cost>
Case& predict_device_scan(Case& c, const Cost& cost, long long ops) {
    return c.predict("launches", cost.launches)
        .predict("ops", ops)
        .predict("global_bytes_read", 32 * cost.load_sectors)
        .predict("global_bytes_written", 32 * cost.store_sectors);
}

/// Predictions for 4-byte elements.
inline Case& predict_three_phase(Case& c, bool host_spine = false) {
    const auto cost = closed_form::three_phase(c.n, host_spine);
    return predict_device_scan(c, cost, cost.ops);
}
inline Case& predict_two_reads(Case& c) {
    const auto cost = closed_form::reduce_then_scan(c.n);
    return predict_device_scan(c, cost, cost.ops);
}

/// Elements of `bytes` bytes. The case is counted on one core: the blocks run one after the other.
inline Case& predict_look_back(Case& c, long long items, long long threads, long long bytes = 4) {
    const auto cost = closed_form::look_back(c.n, items * threads, bytes);
    return predict_device_scan(c.on_single_core(), cost,
                               closed_form::look_back_ops_in_order(c.n, items, threads));
}

}  // namespace harness
