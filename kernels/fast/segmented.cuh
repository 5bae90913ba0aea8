// Calls by segment: segment s is elements offsets[s] .. offsets[s + 1] - 1, s < segments; any may be empty.
// offsets[0] is 0, offsets[segments] is n, and they ascend. Each call is one pass over elements,
// fast/detail/single_pass; totals of segments of middle length are fast/detail/segment_blocks, of others of
// long vectors fast/detail/segment_totals, of a single one fast/reduce. The time depends on n and the number
// of segments, little on how they are cut. launches 1; for the totals of long vectors 2.
//
//     offsets                               0     2  2        5         4 segments would end at 6
//     in                                    1  2  3  4  5  6
//     segmented_inclusive_scan    out       1  3  3  7 12  6
//     segmented_exclusive_scan    out       0  1  0  3  7  0            or from a seed in the place of 0
//     segmented_reduce            out       3     0  12       6         empty: neutral element or seed
//
// Iterators, operators, reproducibility: as fast/by_key. Bytes beyond those of elements and results: the
// offsets, once, and a search of log32(segments) steps a tile.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>

#include "kernels/fast/by_key.cuh"
#include "kernels/fast/detail/segment_blocks.cuh"
#include "kernels/fast/detail/segment_totals.cuh"
#include "kernels/fast/reduce.cuh"

namespace trial {
namespace segmented_detail {

template <class Policy, Form FORM, class In, class Store, class Offsets, class Op, class Seed>
cudaError_t queue(const Memory& memory, In in, Store store, long long n, Offsets offsets, long long segments,
                  Op op, Seed seed, cudaStream_t stream) {
    using V = typename Seed::Value;
    using Task =
        ScanByFlagsTask<policy_or<Policy, SegmentPass<V>>, FORM, OffsetFlags<Offsets>, In, Store, Op, Seed>;
    const Task task = {{offsets, segments}, in, store, op, seed};
    if constexpr (Store::TOTALS_ONLY) {
        using Out = decltype(store.out);
        if (std::is_void_v<Policy> && segments == 1)
            return Seed::EXISTS ? reduce_detail::reduce_any<void, V>(
                                      memory, in, AfterSeed<Out, V, Op>{store.out, seed.prefix().value, op},
                                      n, op, stream)
                                : reduce_detail::reduce_any<void, V>(memory, in, store.out, n, op, stream);
        Device device;
        const cudaError_t status = Device::current(device);
        if (status != cudaSuccess) return status;
        using Blocks = SegmentBlocks<SegmentTask<In, Out, Offsets, V, Op>>;
        if (std::is_void_v<Policy> && Blocks::are_for(n, segments, device))
            return Blocks::run(memory, {in, store.out, offsets, n, segments, op, seed.prefix(), store.empty},
                               device, stream);
        return SegmentTotals<Task>::run(memory, task, n, stream);
    } else {
        return run_pass(memory, task, n, stream);
    }
}

template <Form FORM, class Policy = void>
struct Scan {
    template <class In, class Out, class Offsets, class Op>
    cudaError_t operator()(const Memory& memory, In in, Out out, long long n, Offsets offsets,
                           long long segments, Op op, cudaStream_t stream) const {
        using V = accumulator_of<In, Op>;
        static_assert(FORM == Form::inclusive || HAS_IDENTITY<Op, V>,
                      "an exclusive scan needs a seed, or an operator with a static identity()");
        return any(memory, in, out, n, offsets, segments, operator_of<In, Op>(op), NoRunSeed<V>{}, stream);
    }
    template <class In, class Out, class Offsets, class Op>
    cudaError_t operator()(const Memory& memory, In in, Out out, long long n, Offsets offsets,
                           long long segments, Op op, accumulator_of<In, Op> seed,
                           cudaStream_t stream) const {
        return any(memory, in, out, n, offsets, segments, operator_of<In, Op>(op),
                   RunSeed<accumulator_of<In, Op>>{seed}, stream);
    }

   private:
    template <class In, class Out, class Offsets, class Op, class Seed>
    static cudaError_t any(const Memory& memory, In in, Out out, long long n, Offsets offsets,
                           long long segments, Op op, Seed seed, cudaStream_t stream) {
        if (n < 0 || segments < 0 || (n > 0 && segments == 0)) return cudaErrorInvalidValue;
        if (n == 0) return cudaSuccess;
        if (!may_hold(in) || !may_hold(out) || !may_hold(offsets)) return cudaErrorInvalidValue;
        if (!are_apart(ranges::SEGMENTED_SCAN, memory, {{in, n}, {offsets, segments + 1}, {out, n}}))
            return cudaErrorInvalidValue;
        return queue<Policy, FORM>(memory, in, StoreAll<Out>{out}, n, offsets, segments, op, seed, stream);
    }
};

}  // namespace segmented_detail

/// (memory, in, out, n, offsets, segments, op, [seed,] stream)
inline constexpr segmented_detail::Scan<Form::inclusive> segmented_inclusive_scan;
inline constexpr segmented_detail::Scan<Form::exclusive> segmented_exclusive_scan;

/// out[s] = seed op the elements of segment s; the seed alone if there are none.
template <class Policy = void, class In, class Out, class Offsets, class Op>
cudaError_t segmented_reduce(const Memory& memory, In in, Out out, long long n, Offsets offsets,
                             long long segments, Op op, accumulator_of<In, Op> seed, cudaStream_t stream) {
    using V = accumulator_of<In, Op>;
    if (n < 0 || segments < 0 || (n > 0 && segments == 0)) return cudaErrorInvalidValue;
    if (segments == 0) return cudaSuccess;
    if (!may_hold(out)) return cudaErrorInvalidValue;
    if (n == 0) {
        const auto blocks = static_cast<unsigned>(std::min<long long>(ceil_div(segments, 256), 4096));
        return launch(store_empty_segments<Out, V>, blocks, 256, stream, out, seed, segments);
    }
    if (!may_hold(in) || !may_hold(offsets)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::SEGMENTED_REDUCE, memory, {{in, n}, {offsets, segments + 1}, {out, segments}}))
        return cudaErrorInvalidValue;
    return segmented_detail::queue<Policy, Form::inclusive>(memory, in, StoreSegments<Out, V>{out, seed}, n,
                                                            offsets, segments, operator_of<In, Op>(op),
                                                            RunSeed<V>{seed}, stream);
}

/// The same without a seed; the neutral element where there are no elements.
template <class Policy = void, class In, class Out, class Offsets, class Op>
cudaError_t segmented_reduce(const Memory& memory, In in, Out out, long long n, Offsets offsets,
                             long long segments, Op op, cudaStream_t stream) {
    using V = accumulator_of<In, Op>;
    static_assert(HAS_IDENTITY<Op, V>,
                  "a reduction of segments needs a seed, or an operator with an identity()");
    const V seed = static_cast<V>(Op::identity());
    if (n <= 0 || segments <= 0)
        return segmented_reduce<Policy>(memory, in, out, n, offsets, segments, op, seed, stream);
    if (!may_hold(in) || !may_hold(out) || !may_hold(offsets)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::SEGMENTED_REDUCE, memory, {{in, n}, {offsets, segments + 1}, {out, segments}}))
        return cudaErrorInvalidValue;
    return segmented_detail::queue<Policy, Form::inclusive>(memory, in, StoreSegments<Out, V>{out, seed}, n,
                                                            offsets, segments, operator_of<In, Op>(op),
                                                            NoRunSeed<V>{}, stream);
}

}  // namespace trial
