// Inclusive scans of any type and operator, as cases: by kernels/fast/scan.cuh, by the toolkit's CUB and by
// the newest CUB, and the copy that they are compared with. GPU only.
//
//     scan/ours/type:int32/operator:sum/submit:stream        scan/cub_device/..        scan/cub_newest/..
//     copy/device_to_device/type:int32/submit:stream
//
// submit:stream  calls that the host has queued ahead      submit:live  a call at a time, from an idle host
// submit:graph   replays of a graph, launched ahead
#pragma once
#include <memory>
#include <string>
#include <type_traits>

#include "experiments/harness/cub.h"
#include "experiments/harness/operands.h"
#include "experiments/harness/suite.h"
#include "experiments/support/type_names.h"
#include "kernels/fast/scan.cuh"

namespace harness {

inline Levels submitted_as(Submitted how, Queued when = Queued::ahead) {
    if (when == Queued::live) return {{"submit", "live"}};
    return {{"submit", how == Submitted::graph ? "graph" : "stream"}};
}

template <class T, class Op>
Work scan_by_ours(Vectors<T> v) {
    const auto workspace = std::make_shared<Workspace>(scan_bytes<T>(v.n), v.stream);
    check(workspace->status(), "room for a scan");
    return [v, workspace] { check(inclusive_scan(*workspace, v.in, v.out, v.n, Op{}, v.stream), "scan"); };
}

template <class T, class Op>
Work scan_by_cub(Vectors<T> v) {
    if constexpr (std::is_same_v<Op, Sum<T>>)
        return cub_device_scan<T>(v);
    else
        return cub_device_scan_by<T, Op>(v);
}

template <class T, class Op>
Work scan_by_newest_cub(Vectors<T> v) {
    if constexpr (std::is_same_v<Op, Sum<T>>)
        return newest::cub_device_scan<T>(v);
    else
        return newest::cub_device_scan_by<T, Op>(v);
}

/// All of them for n elements, each with this many repetitions.
template <class T, class Op>
void add_scans_beside_copy(Suite& suite, long long n, int repetitions, Submitted how = Submitted::stream,
                           Queued when = Queued::ahead) {
    const Levels submit = submitted_as(how, when);
    const auto add_scan = [&](const std::string& algorithm, Prepare<T> prepare) {
        suite.scan<T, Op>({"scan", algorithm, type_and_operator<T, Op>() + submit}, n, {n}, prepare)
            .repeat(repetitions)
            .submit(how)
            .queue(when);
    };
    add_scan("ours", scan_by_ours<T, Op>);
    add_scan("cub_device", scan_by_cub<T, Op>);
    if (has_newest_cub()) add_scan("cub_newest", scan_by_newest_cub<T, Op>);
    suite.copy<T>({"copy", "device_to_device", type_factor<T>() + submit}, n)
        .repeat(repetitions)
        .submit(how)
        .queue(when);
}

}  // namespace harness
