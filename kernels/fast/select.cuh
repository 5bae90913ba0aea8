// Stream compaction of long vectors at the speed of a copy: the ring of fast/detail/scan_ring, with counts
// instead of sums.
//
//     producer          ticket, bulk load | next     | next      | ..           1 warp
//     count             .        counts of warps and tile: published | ..       8 warps
//     look-ahead        .        .         selected in all tiles before | ..    1 warp
//     pack              .        rank      .           pack in place, bulk store 8 warps
//                       stage 0 of the ring; stage 1 follows one step later, ..
//
// Each element is read from global memory once, and the predicate is evaluated twice on it in shared memory:
// the count warps publish at once, and the pack warps rank while the sum of all tiles before is still
// outstanding. Each warp packs and stores its chunk without a block barrier. The order of elements is
// preserved. A tile's count has 32 bits, so a status is one 8-byte word; sums of groups of counts have 64
// bits. Forward progress: as for fast/detail/scan_ring.
//
// Work: 2 n predicates; to rank, 6 shuffles of a warp for 4 rows of 32 words of up to 7 elements, or for 2
// rows of larger words; and less than 2 additions a tile and block for the look-ahead. Bytes: n elements
// read, the selected ones written, and the statuses. launches 1; for n = 0, a memset instead.
// Source: Billeter, Olsson and Assarsson, "Efficient stream compaction on wide SIMD many-core architectures",
// HPG 2009; in one pass: Merrill and Garland, NVR-2016-002, 2016, section 5; the ring: fast/detail/scan_ring.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <type_traits>

#include "kernels/fast/detail/arguments.cuh"
#include "kernels/fast/detail/compact_look_ahead.cuh"
#include "kernels/fast/detail/compact_ring.cuh"
#include "kernels/fast/detail/device.cuh"
#include "kernels/fast/detail/operation.cuh"
#include "kernels/fast/detail/ranges.cuh"
#include "kernels/fast/detail/select_task.cuh"
#include "kernels/fast/memory.cuh"

namespace trial {

namespace select_detail {

/// Whether a policy is of fast/detail/single_pass.
template <class Policy>
inline constexpr bool IS_PASS = false;
template <int... NUMBERS>
inline constexpr bool IS_PASS<PassPolicy<NUMBERS...>> = true;

template <class Of, bool IN_WORDS>
using StagesOf = CompactStages<Of, typename Of::template Tiles<IN_WORDS>>;
/// Shared memory of a block, for tiles of either kind.
template <class Of>
inline constexpr int MAX_RING_BYTES = static_cast<int>(
    std::max(sizeof(StagesOf<Of, Of::HAS_WORD_TILES>), sizeof(StagesOf<Of, !Of::HAS_ELEMENT_TILES>)));

template <class Of, class T, class Predicate>
cudaError_t ring(const CompactProblem<T>& problem, const VersionedWords& words, Predicate predicate,
                 const Device& device, cudaStream_t stream) {
    return by_kind_of_tiles<Of>(problem.in, [&](auto in_words) {
        using Tiles = typename Of::template Tiles<decltype(in_words)::value>;
        static SharedMemoryLeave leave;
        return queue_ring<Tiles, CompactStages<Of, Tiles>>(compact_ring<Of, Tiles, T, Predicate>, leave,
                                                           device, stream, problem, words, predicate);
    });
}

}  // namespace select_detail

/// Bytes that select_if needs on a vector of up to n elements of T, n >= 0, on any device.
template <class T, class Policy = CompactRingPolicy<T>>
std::size_t select_bytes(long long n) {
    return std::max({ring_bytes<Policy>(n), ring_bytes<SmallCompactRingPolicy<T>>(n),
                     select_detail::look_ahead_bytes<T>(n)});
}

namespace select_detail {

/// Whether an n is one, and the number of selected elements has a place.
template <class Count>
bool may_begin(const Count* num_selected, long long n) {
    return n >= 0 && may_hold(num_selected);
}

template <class Policy, class T, class Predicate>
cudaError_t select_vector(const Memory& memory, const T* in, T* out, long long* num_selected, long long n,
                          Predicate predicate, cudaStream_t stream) {
    using Small = SmallCompactRingPolicy<T>;
    if (!may_hold(in) || !may_hold(out)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::SELECT, memory, {{in, n}, {out, n}, {num_selected, 1}}))
        return cudaErrorInvalidValue;
    Device device;
    cudaError_t status = Device::current(device);
    if (status != cudaSuccess) return status;
    const std::size_t bytes = select_bytes<T, Policy>(n);
    status = memory.check(bytes, device.ordinal);
    if (status != cudaSuccess) return status;
    if (!device.has_bulk_copies)
        return look_ahead(memory, bytes, in, out, num_selected, n, predicate, device, stream);
    VersionedWords words;
    status = memory.words(bytes, stream, words);
    if (status != cudaSuccess) return status;
    const CompactProblem<T> problem = {in, out, num_selected, n};
    return device.shared_bytes >= MAX_RING_BYTES<Policy>
               ? ring<Policy>(problem, words, predicate, device, stream)
               : ring<Small>(problem, words, predicate, device, stream);
}

/// A selection by flags, as a pass.
template <class Policy, bool REST, class Flags, class FlagOut, class In, class Out, class Count>
cudaError_t select_by(const Memory& memory, const Flags& flags, const FlagOut& flag_out, const In& in,
                      const Out& out, Count* num_selected, long long n, cudaStream_t stream) {
    using Moved = std::conditional_t<std::is_same_v<In, Nothing>, typename Flags::Key*, In>;
    using T = element_of<Moved>;
    using Own =
        std::conditional_t<std::is_pointer_v<Moved> && Flags::IS_VECTOR, VectorPass<T>, SelectPass<T>>;
    using Used = policy_or<Policy, Own>;
    return run_pass(
        memory,
        SelectTask<Used, REST, Flags, FlagOut, In, Out, Count>{flags, flag_out, in, out, num_selected, n}, n,
        stream);
}

}  // namespace select_detail

// All calls: (memory, in, [flags,] out, num_selected, n, [predicate,] stream). They copy elements of
// in[0 .. n-1], n >= 0, all on the device, to out[0 .. *num_selected-1], in their order; out has room for
// them and overlaps nothing; no place after them is written. Iterators: any random-access ones; elements
// trivially copyable, default-constructible, 1 to 16 bytes. *num_selected: of any integer type.
// cudaErrorInvalidValue: n is negative, a pointer is null or not aligned, ranges overlap, or the memory is
// too small; then nothing is queued.

/// The elements for which the predicate holds. Vectors on sm_90 or newer take the ring; all else
/// fast/detail/single_pass, or fast/detail/compact_look_ahead. Policy: of the one that is taken, or void.
template <class Policy = void, class In, class Out, class Count, class Predicate>
cudaError_t select_if(const Memory& memory, In in, Out out, Count* num_selected, long long n,
                      Predicate predicate, cudaStream_t stream) {
    using T = element_of<In>;
    using Holds = predicate_of<In, Predicate>;
    if (!select_detail::may_begin(num_selected, n)) return cudaErrorInvalidValue;
    if (n == 0) return cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream);
    constexpr bool VECTORS =
        std::is_pointer_v<In> && std::is_same_v<Out, T*> && std::is_same_v<Count, long long>;
    if constexpr (VECTORS && !select_detail::IS_PASS<Policy>) {
        using Used = std::conditional_t<std::is_void_v<Policy>, CompactRingPolicy<T>, Policy>;
        return select_detail::select_vector<Used>(memory, static_cast<const T*>(in), out, num_selected, n,
                                                  Holds(predicate), stream);
    } else {
        if (!may_hold(in) || !may_hold(out)) return cudaErrorInvalidValue;
        if (!are_apart(ranges::SELECT, memory, {{in, n}, {out, n}, {num_selected, 1}}))
            return cudaErrorInvalidValue;
        return select_detail::select_by<Policy, false>(memory,
                                                       PredicateFlags<In, Holds>{in, Holds(predicate)}, out,
                                                       Nothing{}, Nothing{}, num_selected, n, stream);
    }
}

/// The elements whose flag is not 0.
template <class Policy = void, class In, class Flags, class Out, class Count>
cudaError_t select_flagged(const Memory& memory, In in, Flags flags, Out out, Count* num_selected,
                           long long n, cudaStream_t stream) {
    if (!select_detail::may_begin(num_selected, n)) return cudaErrorInvalidValue;
    if (n == 0) return cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream);
    if (!may_hold(in) || !may_hold(flags) || !may_hold(out)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::SELECT_FLAGGED, memory, {{in, n}, {flags, n}, {out, n}, {num_selected, 1}}))
        return cudaErrorInvalidValue;
    return select_detail::select_by<Policy, false>(memory, ColumnFlags<Flags>{flags, {}}, Nothing{}, in, out,
                                                   num_selected, n, stream);
}

/// The same two in place, by fast/detail/single_pass: data is in and out. Places after the selected elements
/// keep what they had, or take elements that moved.
template <class T, class Count, class Predicate>
cudaError_t select_if(const Memory& memory, T* data, Count* num_selected, long long n, Predicate predicate,
                      cudaStream_t stream) {
    using Flags = PredicateFlags<T*, predicate_of<T*, Predicate>>;
    using Task = SelectTask<VectorPass<T>, false, Flags, T*, Nothing, Nothing, Count>;
    if (!select_detail::may_begin(num_selected, n)) return cudaErrorInvalidValue;
    if (n == 0) return cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream);
    if (!may_hold(data) || !are_apart(ranges::PARTITION, memory, {{}, {data, n}, {num_selected, 1}}))
        return cudaErrorInvalidValue;
    const Flags flags = {data, predicate_of<T*, Predicate>(predicate)};
    return run_pass(memory, InPlace<Task>{{flags, data, {}, {}, num_selected, n}}, n, stream);
}
template <class T, class Flags, class Count>
cudaError_t select_flagged(const Memory& memory, T* data, Flags flags, Count* num_selected, long long n,
                           cudaStream_t stream) {
    using Task = SelectTask<VectorPass<T>, false, ColumnFlags<Flags>, Nothing, T*, T*, Count>;
    if (!select_detail::may_begin(num_selected, n)) return cudaErrorInvalidValue;
    if (n == 0) return cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream);
    if (!may_hold(data) || !may_hold(flags) ||
        !are_apart(ranges::PARTITION_FLAGGED, memory, {{}, {flags, n}, {data, n}, {num_selected, 1}}))
        return cudaErrorInvalidValue;
    return run_pass(memory, InPlace<Task>{{{flags, {}}, {}, data, data, num_selected, n}}, n, stream);
}

/// The same two of *n.at elements, at most n.most, which the device reads, by fast/detail/single_pass.
template <class In, class Out, class Count, class N, class Predicate>
cudaError_t select_if(const Memory& memory, In in, Out out, Count* num_selected, OnDevice<N> n,
                      Predicate predicate, cudaStream_t stream) {
    using Flags = PredicateFlags<In, predicate_of<In, Predicate>>;
    using Task = SelectTask<SelectPass<element_of<In>>, false, Flags, Out, Nothing, Nothing, Count>;
    if (!select_detail::may_begin(num_selected, n.most)) return cudaErrorInvalidValue;
    if (n.most == 0) return cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream);
    if (!may_hold(n.at) || !may_hold(in) || !may_hold(out)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::SELECT, memory, {{in, n.most}, {out, n.most}, {num_selected, 1}}) ||
        !are_apart(ranges::SELECT, memory, {{n.at, 1}, {out, n.most}, {num_selected, 1}}))
        return cudaErrorInvalidValue;
    const Flags flags = {in, predicate_of<In, Predicate>(predicate)};
    return run_pass(memory, Task{flags, out, {}, {}, num_selected, n.most}, n, stream);
}
template <class In, class Flags, class Out, class Count, class N>
cudaError_t select_flagged(const Memory& memory, In in, Flags flags, Out out, Count* num_selected,
                           OnDevice<N> n, cudaStream_t stream) {
    using Task = SelectTask<SelectPass<element_of<In>>, false, ColumnFlags<Flags>, Nothing, In, Out, Count>;
    if (!select_detail::may_begin(num_selected, n.most)) return cudaErrorInvalidValue;
    if (n.most == 0) return cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream);
    if (!may_hold(n.at) || !may_hold(in) || !may_hold(flags) || !may_hold(out)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::SELECT_FLAGGED, memory,
                   {{in, n.most}, {flags, n.most}, {out, n.most}, {num_selected, 1}}) ||
        !are_apart(ranges::SELECT, memory, {{n.at, 1}, {out, n.most}, {num_selected, 1}}))
        return cudaErrorInvalidValue;
    return run_pass(memory, Task{{flags, {}}, {}, in, out, num_selected, n.most}, n, stream);
}

/// The first of every run of equal elements, compared with ==.
template <class Policy = void, class In, class Out, class Count>
cudaError_t unique(const Memory& memory, In in, Out out, Count* num_selected, long long n,
                   cudaStream_t stream) {
    if (!select_detail::may_begin(num_selected, n)) return cudaErrorInvalidValue;
    if (n == 0) return cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream);
    if (!may_hold(in) || !may_hold(out)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::SELECT, memory, {{in, n}, {out, n}, {num_selected, 1}}))
        return cudaErrorInvalidValue;
    return select_detail::select_by<Policy, false>(memory, KeyFlags<In>{in}, out, Nothing{}, Nothing{},
                                                   num_selected, n, stream);
}

/// As select_if; the other elements follow, in reverse order: out[n - 1] is the first of them.
template <class Policy = void, class In, class Out, class Count, class Predicate>
cudaError_t partition_if(const Memory& memory, In in, Out out, Count* num_selected, long long n,
                         Predicate predicate, cudaStream_t stream) {
    using Holds = predicate_of<In, Predicate>;
    if (!select_detail::may_begin(num_selected, n)) return cudaErrorInvalidValue;
    if (n == 0) return cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream);
    if (!may_hold(in) || !may_hold(out)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::PARTITION, memory, {{in, n}, {out, n}, {num_selected, 1}}))
        return cudaErrorInvalidValue;
    return select_detail::select_by<Policy, true>(memory, PredicateFlags<In, Holds>{in, Holds(predicate)},
                                                  out, Nothing{}, Nothing{}, num_selected, n, stream);
}

/// As select_flagged; the other elements follow as in partition_if.
template <class Policy = void, class In, class Flags, class Out, class Count>
cudaError_t partition_flagged(const Memory& memory, In in, Flags flags, Out out, Count* num_selected,
                              long long n, cudaStream_t stream) {
    if (!select_detail::may_begin(num_selected, n)) return cudaErrorInvalidValue;
    if (n == 0) return cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream);
    if (!may_hold(in) || !may_hold(flags) || !may_hold(out)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::PARTITION_FLAGGED, memory, {{in, n}, {flags, n}, {out, n}, {num_selected, 1}}))
        return cudaErrorInvalidValue;
    return select_detail::select_by<Policy, true>(memory, ColumnFlags<Flags>{flags, {}}, Nothing{}, in, out,
                                                  num_selected, n, stream);
}

}  // namespace trial
