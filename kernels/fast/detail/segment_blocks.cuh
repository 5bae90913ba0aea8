// Totals of segments without a pass over all tiles: a warp or a block a segment, blocks for the long ones.
//
//     some blocks    each takes a piece of so many elements, by ticket     | all others take a segment each,
//     a piece        of the segment that goes on after it: a part          | or one for each of its warps;
//                    of the segment that began before it: another          | if it is not long: its total
//     long segment     | tail |  head   |  head   | head |                 longer than `limit`
//                         published ........ the last one waits for those before, and combines them
//
// Most pieces meet no long segment and end at once. If all blocks are resident together, pieces begin first,
// as their search takes longest; else last, since first they would delay the others. Only the last part of a
// long segment waits, for pieces of lower tickets, so blocks may run in any order; what a piece publishes, it
// publishes before it waits. The time depends little on how the vector is cut: no block goes through more
// than 32,768 elements or 32 batches.
//
// Of an operator that commutes a lane combines all its units that are whole, a few lanes take an element
// each of the others, and the warp combines lanes once; of others the warp combines lanes in each batch, to
// keep the order.
//
// Work: n - 1, plus the redundant lane operations of reduce_rows. Bytes: elements and offsets read once,
// results written once. launches 1.
// Source: Bell and Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented
// processors", SC 2009 (a warp a row); parts of long rows: Merrill and Garland, "Merge-based parallel sparse
// matrix-vector multiplication", SC 2016, in the place of their merge by pieces of fixed length.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/fast/detail/columns.cuh"
#include "kernels/fast/detail/device.cuh"
#include "kernels/fast/detail/flags.cuh"
#include "kernels/fast/detail/warp_reduce.cuh"
#include "kernels/fast/memory.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"
#include "kernels/versioned_words.cuh"

namespace trial {

template <class In, class Out, class Offsets, class V, class Op>
struct SegmentTask {
    using Value = V;
    In in;
    Out out;
    Offsets offsets;
    long long n, segments;
    Op op;
    Prefix<V> start;
    V empty;

    __device__ long long offset(long long segment) const { return static_cast<long long>(offsets[segment]); }
    __device__ void put(long long segment, const V& total) const {
        out[segment] = start.exists ? op(start.value, total) : total;
    }
};

/// Elements of a segment, in units of a few: a vector's in aligned words of 16 bytes, others one by one.
///
///     the vector     .. x | x  x  b  b | b  b  b  b | b  b  b  x | ..       b: of the segment
///     units                     0            1            2
///
/// The first and the last word are read whole, too, where all of it belongs to the vector. A WideVector,
/// which reads their elements one by one, takes longer (kernels/fast/README.md, the last section).
template <class In, class V>
class SegmentUnits {
   public:
    static constexpr bool IN_WORDS = std::is_pointer_v<In> && std::is_same_v<element_of<In>, V> &&
                                     16 % sizeof(V) == 0 && alignof(V) == sizeof(V);
    static constexpr int PER_UNIT = IN_WORDS ? 16 / sizeof(V) : sizeof(V) <= 4 ? 8 : sizeof(V) <= 8 ? 4 : 1;
    struct Items {
        V item[PER_UNIT];
    };

    /// Elements begin .. end - 1 of n; at least one, at most 2^30.
    __device__ SegmentUnits(In in, long long n, long long begin, long long end) : in_(in) {
        if constexpr (IN_WORDS)
            skip_ = static_cast<int>(reinterpret_cast<std::uintptr_t>(in + begin) % 16 / sizeof(V));
        base_ = begin - skip_;
        end_ = static_cast<int>(end - base_);
        first_loadable_ = base_ < 0 ? 1 : 0;
        loadable_end_ = base_ + units() * PER_UNIT > n ? units() - 1 : units();
    }

    __device__ int units() const { return (end_ + PER_UNIT - 1) / PER_UNIT; }
    /// Whether all places of these units are of the segment.
    __device__ bool are_whole(int first, int count) const {
        return (first > 0 || skip_ == 0) && (first + count) * PER_UNIT <= end_;
    }

    /// Units all of whose places are of the segment: first_whole .. whole_end - 1, possibly none.
    __device__ int first_whole() const { return skip_ > 0 ? 1 : 0; }
    __device__ int whole_end() const { return end_ / PER_UNIT; }
    /// One of the elements before and after these units, to each of a few lanes. first: whether those before
    /// are wanted, last: those after.
    __device__ Prefix<V> edge(bool first, bool last) const {
        constexpr int HALF = 16;  // at most so many are at either side
        const int lane = threadIdx.x % 32, after = max(first_whole(), whole_end()) * PER_UNIT;
        const int place = lane < HALF ? lane : after + lane - HALF;
        const bool exists = lane < HALF
                                ? first && place >= skip_ && place < min(first_whole() * PER_UNIT, end_)
                                : last && place < end_;
        Prefix<V> element = {{}, exists};
        if (exists) element.value = static_cast<V>(in_[base_ + place]);
        return element;
    }

    /// A unit all of whose places are of the vector, of which there may be none.
    __device__ Items load(int unit) const {
        const long long first = base_ + unit * PER_UNIT;
        Items items;
        if constexpr (IN_WORDS) {
            const auto word = *reinterpret_cast<const unsigned __int128*>(in_ + first);
            memcpy(&items, &word, sizeof(word));
        } else {
#pragma unroll
            for (int k = 0; k < PER_UNIT; ++k) items.item[k] = static_cast<V>(in_[first + k]);
        }
        return items;
    }
    __device__ bool has_loadable() const { return first_loadable_ < loadable_end_; }
    __device__ int nearest_loadable(int unit) const {
        return max(first_loadable_, min(unit, loadable_end_ - 1));
    }
    /// The elements of the segment in a unit that is not loadable; of a loadable one, nothing.
    __device__ void load_rest(int unit, Items& items) const {
        if (unit >= first_loadable_ && unit < loadable_end_) return;
        const int begin = begin_of(unit), end = end_of(unit);
#pragma unroll
        for (int k = 0; k < PER_UNIT; ++k)
            if (k >= begin && k < end) items.item[k] = static_cast<V>(in_[base_ + unit * PER_UNIT + k]);
    }
    /// The elements of a unit, combined; WHOLE: all places are of the segment.
    template <bool WHOLE, class Op>
    __device__ V sum(int unit, const Items& items, Op op) const {
        const int begin = WHOLE ? 0 : begin_of(unit), end = WHOLE ? PER_UNIT : end_of(unit);
        V sum = items.item[0];
#pragma unroll
        for (int k = 1; k < PER_UNIT; ++k)
            sum = !WHOLE && k <= begin ? items.item[k] : WHOLE || k < end ? op(sum, items.item[k]) : sum;
        return sum;
    }

   private:
    __device__ int begin_of(int unit) const { return unit == 0 ? skip_ : 0; }
    __device__ int end_of(int unit) const { return end_ - unit * PER_UNIT; }

    In in_;
    long long base_;      ///< element of place 0
    int skip_ = 0, end_;  ///< places skip .. end - 1 are of the segment
    int first_loadable_, loadable_end_;
};

/// Units first .. end - 1, combined in order, by a warp; at least one. The loads of ROWS units are in flight
/// together.
template <int ROWS, class V, class Units, class Op>
__device__ V total_in_order(const Units& units, int first, int end, Op op) {
    constexpr int BATCH = 32 * ROWS;
    const int lane = threadIdx.x % 32;
    V total = {};
    for (int batch = first; batch < end; batch += BATCH) {
        typename Units::Items items[ROWS];
        V sums[ROWS], sum;
        if (units.are_whole(batch, BATCH)) {
#pragma unroll
            for (int k = 0; k < ROWS; ++k) items[k] = units.load(batch + lane + 32 * k);
#pragma unroll
            for (int k = 0; k < ROWS; ++k)
                sums[k] = units.template sum<true>(batch + lane + 32 * k, items[k], op);
            sum = reduce_rows(sums, FullTile<BATCH>{}, op);
        } else {
#pragma unroll
            for (int k = 0; units.has_loadable() && k < ROWS; ++k)
                items[k] = units.load(units.nearest_loadable(batch + lane + 32 * k));
#pragma unroll
            for (int k = 0; k < ROWS; ++k) units.load_rest(batch + lane + 32 * k, items[k]);
#pragma unroll
            for (int k = 0; k < ROWS; ++k)
                sums[k] = units.template sum<false>(batch + lane + 32 * k, items[k], op);
            sum = reduce_rows(sums, min(end - batch, BATCH), op);
        }
        total = batch == first ? sum : op(total, sum);
    }
    return total;
}

/// What lanes have, at least one of them, combined in any order, to all lanes of a warp.
template <class V, class Op>
__device__ V combine_lanes_in_any_order(Prefix<V> own, Op op) {
    const bool all = __all_sync(ALL_LANES, own.exists);
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
        const V other = shuffle_xor(own.value, distance);
        if (all) {
            own.value = op(own.value, other);
        } else {
            const unsigned have = __ballot_sync(ALL_LANES, own.exists);
            if ((have >> (threadIdx.x % 32 ^ distance) & 1) != 0) own = {combine(own, other, op), true};
        }
    }
    return own.value;
}

/// Units first .. end - 1, combined in any order, by a warp; at least one. Each lane adds up its units; those
/// of which not all is of the segment are left to a few lanes, an element each.
template <int ROWS, class V, class Units, class Op>
__device__ V total_in_any_order(const Units& units, int first, int end, Op op) {
    constexpr int BATCH = 32 * ROWS;
    const int lane = threadIdx.x % 32, last = min(end, units.whole_end());
    Prefix<V> own = units.edge(first == 0, end == units.units());
    for (int batch = max(first, units.first_whole()); batch < last; batch += BATCH) {
        const bool all = batch + BATCH <= last;
        const int mine = batch + lane;
        typename Units::Items items[ROWS];
        V sum;
        if (all) {
#pragma unroll
            for (int k = 0; k < ROWS; ++k) items[k] = units.load(mine + 32 * k);
#pragma unroll
            for (int k = 0; k < ROWS; ++k) {
                const V of_unit = units.template sum<true>(0, items[k], op);
                sum = k == 0 ? of_unit : op(sum, of_unit);
            }
        } else {
#pragma unroll
            for (int k = 0; k < ROWS; ++k)
                if (mine + 32 * k < last) items[k] = units.load(mine + 32 * k);
#pragma unroll
            for (int k = 0; k < ROWS; ++k) {
                const V of_unit = units.template sum<true>(0, items[k], op);
                sum = k == 0 ? of_unit : mine + 32 * k < last ? op(sum, of_unit) : sum;
            }
        }
        if (all || mine < last) own = {combine(own, sum, op), true};
    }
    return combine_lanes_in_any_order(own, op);
}

template <int ROWS, class V, class Units, class Op>
__device__ V total_by_warp(const Units& units, int first, int end, Op op) {
    if constexpr (COMMUTES<Op>)
        return total_in_any_order<ROWS, V>(units, first, end, op);
    else
        return total_in_order<ROWS, V>(units, first, end, op);
}

/// All units by the warps of a block, a chunk of batches each; the result is warp 0's. partial: in shared
/// memory, not in use. Has one barrier.
template <int ROWS, int WARPS, class V, class Units, class Op>
__device__ V total_by_block(const Units& units, V (&partial)[WARPS], Op op) {
    constexpr int BATCH = 32 * ROWS;
    const int warp = threadIdx.x / 32, count = units.units();
    const int chunk = (count + BATCH * WARPS - 1) / (BATCH * WARPS) * BATCH, first = warp * chunk;
    V total = {};
    if (first < count) {
        total = total_by_warp<ROWS, V>(units, first, min(count, first + chunk), op);
        if (threadIdx.x % 32 == 0) partial[warp] = total;
    }
    const int warps = __syncthreads_count(first < count) / 32;
    if (warp == 0)
#pragma unroll
        for (int w = 1; w < WARPS; ++w)
            if (w < warps) total = op(total, partial[min(w, warps - 1)]);  // may be read in any case
    return total;
}

/// Warps of a multiprocessor for which registers must suffice.
template <int ROWS>
constexpr int RESIDENT_WARPS = ROWS <= 2   ? 48
                               : ROWS <= 4 ? 40
                                           : 24;

/// ROWS: of a batch. piece: elements of one. limit: of the longest that is not long, at least a piece.
/// Grid: a block for each SEGMENTS segments begun, and one for each of `pieces` pieces, of which the first is
/// first_piece; pieces is 0 if n <= limit.
template <int WARPS, int SEGMENTS, int ROWS, class Task>
__global__ void __launch_bounds__(32 * WARPS, RESIDENT_WARPS<ROWS> / WARPS)
    total_segments(const __grid_constant__ Task task, int piece, int limit, unsigned first_piece,
                   unsigned pieces, const __grid_constant__ VersionedWords workspace) {
    using V = typename Task::Value;
    using Units = SegmentUnits<decltype(task.in), V>;
    static_assert(SEGMENTS == 1 || SEGMENTS == WARPS, "a block a segment, or a warp a segment");
    __shared__ V partial[WARPS];
    __shared__ Ticket taken;
    __shared__ long long segment_at[2];
    const int warp = threadIdx.x / 32;

    if (blockIdx.x - first_piece >= pieces) {
        const long long block = blockIdx.x - (blockIdx.x < first_piece ? 0 : pieces);
        const long long segment = block * SEGMENTS + (SEGMENTS > 1 ? warp : 0);
        if (segment >= task.segments) return;
        const long long begin = task.offset(segment), end = task.offset(segment + 1);
        if (end - begin > limit) return;
        const bool writes = SEGMENTS > 1 ? threadIdx.x % 32 == 0 : threadIdx.x == 0;
        if (begin == end) {
            if (writes) task.out[segment] = task.empty;
            return;
        }
        const Units units(task.in, task.n, begin, end);
        V total;
        if constexpr (SEGMENTS > 1)
            total = total_by_warp<ROWS, V>(units, 0, units.units(), task.op);
        else
            total = total_by_block<ROWS>(units, partial, task.op);
        if (writes) task.put(segment, total);
        return;
    }

    // Most blocks begin in order: one searches for the piece of its index while its ticket is under way.
    Ticket ticket;
    if (threadIdx.x == 0) ticket = workspace.take_ticket();
    unsigned number = blockIdx.x - first_piece;
    long long first, last;
    for (bool is_known = false;; is_known = true) {
        first = static_cast<long long>(number) * piece;
        last = min(task.n, first + piece) - 1;
        if (warp < 2) {  // the segments of its first and its last element
            const long long element = warp == 0 ? first : last;
            const float share = static_cast<float>(element) / static_cast<float>(task.n);
            const auto guess = static_cast<long long>(share * static_cast<float>(task.segments));
            const long long at = lower_bound_near(task.offsets, task.segments, element + 1, guess) - 1;
            if (threadIdx.x % 32 == 0) segment_at[warp] = at;
        }
        if (threadIdx.x == 0 && !is_known) taken = ticket;
        __syncthreads();
        ticket = taken;
        if (number == ticket.number()) break;
        number = ticket.number();  // nobody has read segment_at
    }
    const VersionedArray<V> heads(workspace, ticket.version()),
        tails(workspace, ticket.version(), 1LL * pieces * VersionedArray<V>::WORDS);
    for (int side = 1; side >= 0; --side) {
        const long long segment = segment_at[side];
        if (segment < 0 || (side == 1 && segment == segment_at[0])) continue;
        const long long begin = task.offset(segment), end = task.offset(segment + 1);
        if (end - begin <= limit || end <= first) continue;  // short, or before elements of no segment
        const Units units(task.in, task.n, max(first, begin), min(last + 1, end));
        const V total = total_by_block<ROWS>(units, partial, task.op);
        const bool ends = end <= last + 1;
        if (!ends) {
            if (threadIdx.x == 0) (begin <= first ? heads : tails).write(number, total);
        } else if (warp == 0) {
            const unsigned begun = static_cast<unsigned>(begin / piece);
            const bool at_boundary = begin % piece == 0;
            V before;
            unsigned next = begun;
            if (!at_boundary) {
                V values[1];
                tails.await(values, begun, begun);
                before = values[0];
                ++next;
            }
            for (; next < number; next += 32) {
                V values[1];
                heads.await(values, next, number - 1);
                const V batch = reduce_rows(values, static_cast<int>(min(number - next, 32u)), task.op);
                before = next == begun ? batch : task.op(before, batch);
            }
            if (threadIdx.x == 0) task.put(segment, task.op(before, total));
        }
        __syncthreads();  // the sums of the warps have been read
    }
    if (threadIdx.x == 0) workspace.end_call(ticket, pieces, 2 * pieces * VersionedArray<V>::WORDS);
}

/// The call, for vectors and segments of middle length.
template <class Task>
struct SegmentBlocks {
    using V = typename Task::Value;

    /// Of others, a pass over all tiles takes less time. This and the choice of blocks: found on an H200.
    static bool are_for(long long n, long long segments, const Device& device) {
        constexpr long long LONGEST = 1 << 24, LONGEST_OF_SHORT = 1 << 20;
        constexpr int LONG_MEAN = 1 << 14, MEAN_OF_LONGEST = 2048;
        if (n > LONG_MEAN * segments || (n > LONGEST && n < MEAN_OF_LONGEST * segments)) return false;
        return n >= SHORT_MEAN * segments ||
               (n <= LONGEST_OF_SHORT && segments <= 128LL * device.multiprocessors);
    }
    static std::size_t bytes(long long n) { return bytes_of_words<V>(2 * ceil_div(n, LEAST_PIECE)); }

    static cudaError_t run(const Memory& memory, const Task& task, const Device& device,
                           cudaStream_t stream) {
        constexpr int MEAN_FOR_BLOCK = 512, MEAN_FOR_LARGE = 1536, MEAN_FOR_LONG = 4096;
        constexpr bool IS_LARGE = sizeof(V) >= 8;
        const bool few = task.segments <= RESIDENT_WARPS<4> / 8 * device.multiprocessors;
        const auto mean_is = [&](int least) { return task.n >= least * task.segments; };
        if (mean_is(MEAN_FOR_LONG) || (mean_is(MEAN_FOR_LARGE) && few))
            return queue<8, 1, 4>(memory, task, 2 * LEAST_PIECE, 8 * LEAST_PIECE, device, stream);
        if (mean_is(MEAN_FOR_BLOCK) && few)
            return queue<IS_LARGE ? 8 : 2, 1, IS_LARGE ? 2 : 8>(memory, task, LEAST_PIECE, 2 * LEAST_PIECE,
                                                                device, stream);
        if (mean_is(MEAN_FOR_BLOCK))
            return queue<2, 1, IS_LARGE ? 8 : 4>(memory, task, LEAST_PIECE, 2 * LEAST_PIECE, device, stream);
        return queue<4, 4, 2>(memory, task, LEAST_PIECE, LEAST_PIECE, device, stream);
    }

   private:
    static constexpr int SHORT_MEAN = 256;  ///< elements of a segment
    static constexpr int LEAST_PIECE = 4096;
    template <int WARPS, int SEGMENTS, int ROWS>
    static cudaError_t queue(const Memory& memory, const Task& task, int piece, int limit,
                             const Device& device, cudaStream_t stream) {
        constexpr int BATCH = 32 * ROWS * WARPS / SEGMENTS * SegmentUnits<decltype(task.in), V>::PER_UNIT;
        while (ceil_div(task.n, piece) > 8LL * device.multiprocessors && piece < 32 * BATCH) piece *= 2;
        limit = std::max(limit, piece);
        const auto pieces = static_cast<unsigned>(task.n <= limit ? 0 : ceil_div(task.n, piece));
        const auto whole = static_cast<unsigned>(ceil_div(task.segments, SEGMENTS));
        const bool one_wave = whole + pieces <= RESIDENT_WARPS<ROWS> / WARPS * device.multiprocessors;
        cudaError_t status = memory.check(bytes(task.n), device.ordinal);
        VersionedWords words = {};
        if (status == cudaSuccess && pieces > 0) status = memory.words(bytes(task.n), stream, words);
        if (status != cudaSuccess) return status;
        return launch(total_segments<WARPS, SEGMENTS, ROWS, Task>, whole + pieces, 32 * WARPS, stream, task,
                      piece, limit, one_wave ? 0 : whole, pieces, words);
    }
};

}  // namespace trial
