// Reduction of elements whose place in a vector only the device knows, as n found by an earlier call:
//
//     trial::reduce(workspace, in, out, trial::OnDevice{n_at, most}, op, stream);
//
// As fast/reduce, but each block reads begin and end before it finds its chunks: one access more, and blocks
// for `most` elements are started. launches 1. Float results have the same bits for the same most, begin and
// end.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/fast/detail/length.cuh"
#include "kernels/fast/reduce.cuh"

namespace trial {

/// An iterator from `first` on.
template <class In>
struct From {
    using value_type = element_of<In>;
    In in;
    long long first;
    __device__ value_type operator[](long long i) const { return in[first + i]; }
};

/// Elements begin .. end - 1 as units: see fast/reduce.
template <class V, class In>
__host__ __device__ auto units_of_part(const In& in, long long begin, long long end) {
    if constexpr (std::is_pointer_v<In> && std::is_same_v<element_of<In>, V> && sizeof(V) <= 16)
        return WideVector<V>(in + begin, end - begin);
    else
        return ItemVector<From<In>, V>{{in, begin}, end - begin};
}
template <class V, class In>
using UnitsOfPart = decltype(units_of_part<V>(std::declval<In>(), 0, 0));
template <class Units>
using PartChunks = std::conditional_t<Units::IN_WORDS, DefaultWarpChunks<typename Units::Value>,
                                      reduce_detail::AnyChunks<Units, false>>;

/// *out = start op the elements; `nothing` if there are none.
template <class Out, class V>
struct PartResult {
    Out out;
    Prefix<V> start;
    V nothing;

    template <class Op>
    __device__ void write(V total, bool any, Op op) const {
        *out = !any ? nothing : start.exists ? op(start.value, total) : total;
    }
};

/// Bounds: begin(0) and end(0) on the device; what lies outside 0 .. most is left out.
template <class Policy, class In, class Bounds, class Out, class V, class Op>
__global__ void __launch_bounds__(Policy::THREADS, Policy::RESIDENT_BLOCKS)
    reduce_part(In in, Bounds bounds, long long most, PartResult<Out, V> to, VersionedWords workspace,
                Op op) {
    using Units = UnitsOfPart<V, In>;
    constexpr int WARPS = Policy::WARPS, BATCH = 32 * Policy::ROWS;
    __shared__ V partial[WARPS];
    __shared__ unsigned version;
    __shared__ bool last;

    const bool alone = gridDim.x == 1;  // no block waits for another's sum
    Ticket ticket;
    if (threadIdx.x == 0 && !alone) ticket = workspace.take_ticket();
    const long long begin = max(0LL, bounds.begin(0)), end = max(begin, min(most, bounds.end(0)));
    const Units units = units_of_part<V>(in, begin, end);
    const EvenChunks chunks(ceil_div(units.units(), BATCH), 1LL * gridDim.x * WARPS);
    const int sums = static_cast<int>(ceil_div(chunks.chunks, WARPS));
    const UnitBatches<Policy::ROWS, Units, Op, Policy::BY_LANE> batches = {units, op};
    V total = reduce_chunks_of_block(batches, chunks, 1LL * blockIdx.x * WARPS, partial, op);
    if (alone) {
        if (threadIdx.x == 0) to.write(total, sums > 0, op);
        return;
    }
    if (threadIdx.x == 0) {
        VersionedArray<V>(workspace, ticket.version()).write(blockIdx.x, total);
        last = ticket.number() >= gridDim.x - 1;  // beyond only if calls overlap
        version = ticket.version();
    }
    __syncthreads();
    if (!last) return;

    const SumBatches<Policy::ROWS, V, Op> published = {{workspace, version}, sums, op};
    const EvenChunks collected(ceil_div(sums, BATCH), WARPS);
    total = reduce_chunks_of_block(published, collected, 0, partial, op);
    if (threadIdx.x == 0) {
        to.write(total, sums > 0, op);
        workspace.end_call(ticket, gridDim.x, gridDim.x * VersionedArray<V>::WORDS);
    }
}

namespace reduce_detail {

template <class In, class Bounds, class Out, class V, class Op>
cudaError_t part(const Memory& memory, const In& in, const Bounds& bounds, long long most,
                 const PartResult<Out, V>& to, Op op, cudaStream_t stream) {
    using Policy = PartChunks<UnitsOfPart<V, In>>;
    constexpr int PER_UNIT = UnitsOfPart<V, In>::PER_UNIT;
    Device device;
    cudaError_t status = Device::current(device);
    const std::size_t bytes = reduce_bytes<V, Policy>();
    if (status == cudaSuccess) status = memory.check(bytes, device.ordinal);
    VersionedWords words;
    if (status == cudaSuccess) status = memory.words(bytes, stream, words);
    if (status != cudaSuccess) return status;
    const long long wanted = ceil_div(most, 1LL * PER_UNIT * 32 * Policy::ROWS * Policy::WARPS);
    const auto blocks =
        static_cast<unsigned>(std::min<long long>(std::max(wanted, 1LL), Policy::blocks(device)));
    return launch(reduce_part<Policy, In, Bounds, Out, V, Op>, blocks, Policy::THREADS, stream, in, bounds,
                  most, to, words, op);
}

template <class In, class Out, class N, class V, class Op>
cudaError_t on_device(const Memory& memory, const In& in, const Out& out, OnDevice<N> n, Prefix<V> start,
                      V nothing, Op op, cudaStream_t stream) {
    if (n.most < 0 || !may_hold(n.at) || !may_hold(in) || !may_hold(out)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::REDUCE, memory, {{in, n.most}, {out, 1}}) ||
        !are_apart(ranges::REDUCE, memory, {{n.at, 1}, {out, 1}}))
        return cudaErrorInvalidValue;
    return part(memory, in, n, n.most, PartResult<Out, V>{out, start, nothing}, op, stream);
}

}  // namespace reduce_detail

/// As reduce() of *n.at elements, which the device reads; n.most: at least as many. Of more, n.most are
/// combined. cudaErrorInvalidValue: as reduce(), n.most < 0, or n.at is null or overlaps out.
template <class In, class Out, class N, class Op>
cudaError_t reduce(const Memory& memory, In in, Out out, OnDevice<N> n, Op op, cudaStream_t stream) {
    using V = accumulator_of<In, Op>;
    static_assert(
        HAS_IDENTITY<Op, V>,
        "a reduction of n on the device, which may be 0, needs a seed, or an operator with identity()");
    return reduce_detail::on_device<In, Out, N, V>(
        memory, in, out, n, {{}, false}, static_cast<V>(Op::identity()), operator_of<In, Op>(op), stream);
}
template <class In, class Out, class N, class Op>
cudaError_t reduce(const Memory& memory, In in, Out out, OnDevice<N> n, Op op, accumulator_of<In, Op> seed,
                   cudaStream_t stream) {
    using V = accumulator_of<In, Op>;
    return reduce_detail::on_device<In, Out, N, V>(memory, in, out, n, {seed, true}, seed,
                                                   operator_of<In, Op>(op), stream);
}

}  // namespace trial
