// Calls by segment: segment s is elements offsets[s] .. offsets[s + 1] - 1, s < segments; any may be empty.
// Offsets ascend from 0 or more up to n or less; elements outside belong to no segment: a reduction leaves
// them out, of a scan any value is written to their places. EqualSegments{length} are offsets, too.
// Segments{begins, ends} in the place of offsets need neither ascend nor cover the vector, and no place
// outside them is written; those of a scan must not overlap.
//
// Each call by offsets is one pass over elements, fast/detail/single_pass; totals of segments of middle
// length are fast/detail/segment_blocks, of others of long vectors fast/detail/segment_totals, of a single
// one fast/reduce_part. The time depends on n and the number of segments, little on how they are cut. By
// begins and ends each segment has a block, fast/detail/listed_segments. launches 1; for the totals of long
// vectors 2.
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
#include "kernels/fast/detail/length.cuh"
#include "kernels/fast/detail/listed_segments.cuh"
#include "kernels/fast/detail/segment_blocks.cuh"
#include "kernels/fast/detail/segment_totals.cuh"
#include "kernels/fast/reduce.cuh"
#include "kernels/fast/reduce_part.cuh"

namespace trial {
namespace segmented_detail {

template <class Offsets>
inline constexpr bool ARE_LISTED = false;
template <class Begins, class Ends>
inline constexpr bool ARE_LISTED<Segments<Begins, Ends>> = true;

/// Whether these may be the bounds of segments, and overlap nothing that the call writes.
template <class Offsets, class In, class Out>
bool may_bound(ranges::Call call, const Memory& memory, const In& in, long long n, const Offsets& offsets,
               long long segments, const Out& out, long long written) {
    if constexpr (ARE_LISTED<Offsets>)
        return may_hold(offsets.begins) && may_hold(offsets.ends) &&
               are_apart(call, memory, {{in, n}, {offsets.begins, segments}, {out, written}}) &&
               are_apart(call, memory, {{in, n}, {offsets.ends, segments}, {out, written}});
    else
        return may_hold(offsets) &&
               are_apart(call, memory, {{in, n}, {offsets, segments + 1}, {out, written}});
}

template <class Policy, Form FORM, class In, class Store, class Offsets, class Op, class Seed>
cudaError_t queue(const Memory& memory, In in, Store store, long long n, Offsets offsets, long long segments,
                  Op op, Seed seed, cudaStream_t stream) {
    using V = typename Seed::Value;
    if constexpr (ARE_LISTED<Offsets>) {
        Prefix<V> start = seed.prefix();
        V nothing = {};
        if constexpr (Store::TOTALS_ONLY) nothing = store.empty;
        using Task = ListedTask<In, decltype(store.out), Offsets, V, Op>;
        const Task task = {in, store.out, offsets, n, segments, op, start, nothing};
        if constexpr (Store::TOTALS_ONLY)
            return queue_listed(reduce_listed<Task>, task, stream);
        else
            return queue_listed(scan_listed<FORM, Task>, task, stream);
    } else {
        using Flags =
            std::conditional_t<Store::TOTALS_ONLY, OffsetAndEndFlags<Offsets>, OffsetFlags<Offsets>>;
        using Task = ScanByFlagsTask<policy_or<Policy, SegmentPass<V>>, FORM, Flags, In, Store, Op, Seed>;
        const Task task = {Flags{offsets, segments}, in, store, op, seed};
        if constexpr (Store::TOTALS_ONLY) {
            using Out = decltype(store.out);
            if (std::is_void_v<Policy> && segments == 1)
                return reduce_detail::part(memory, in, OffsetBounds<Offsets>{offsets}, n,
                                           PartResult<Out, V>{store.out, seed.prefix(), store.empty}, op,
                                           stream);
            Device device;
            const cudaError_t status = Device::current(device);
            if (status != cudaSuccess) return status;
            using Blocks = SegmentBlocks<SegmentTask<In, Out, Offsets, V, Op>>;
            if (std::is_void_v<Policy> && Blocks::are_for(n, segments, device))
                return Blocks::run(memory,
                                   {in, store.out, offsets, n, segments, op, seed.prefix(), store.empty},
                                   device, stream);
            return SegmentTotals<Task>::run(memory, task, n, stream);
        } else {
            return run_pass(memory, task, n, stream);
        }
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
        if (!may_hold(in) || !may_hold(out) ||
            !may_bound(ranges::SEGMENTED_SCAN, memory, in, n, offsets, segments, out, n))
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
    if (!may_hold(in) || !segmented_detail::may_bound(ranges::SEGMENTED_REDUCE, memory, in, n, offsets,
                                                      segments, out, segments))
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
    if (!may_hold(in) || !may_hold(out) ||
        !segmented_detail::may_bound(ranges::SEGMENTED_REDUCE, memory, in, n, offsets, segments, out,
                                     segments))
        return cudaErrorInvalidValue;
    return segmented_detail::queue<Policy, Form::inclusive>(memory, in, StoreSegments<Out, V>{out, seed}, n,
                                                            offsets, segments, operator_of<In, Op>(op),
                                                            NoRunSeed<V>{}, stream);
}

}  // namespace trial
