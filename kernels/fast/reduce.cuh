// Reduction of a vector of any length in one launch: warps reduce chunks of it in registers, and the block
// that starts last combines the sums of the blocks.
//
//     warp          0           1           2           3           4           5         ..
//     its chunk   | b | b | b | b | b | b | b | b | b | b | b | b | b | b | b | b | ..       batches
//     a batch     ROWS rows of 32 vector units, one a lane and row; all loads are in flight together
//     block            0, drawn with 2 warps    1                       2
//     publishes        s0                       s1                      s2                   versioned words
//     ticket           second                   last                    first
//                                               *out = s0 + s1 + s2     polls for them
//
// One block alone reduces a short vector, without ticket and workspace.
//
// Nothing is combined out of order: a lane adds up each of its units, reduce_rows the lanes and rows of a
// batch, and a warp its batches, in sequence; the grouping depends on length and address alone. So the
// operator need not commute, and floats are bitwise reproducible. If the operator says that left and right
// may be swapped, a lane combines its units of all batches instead, where these come from an iterator or
// carry an index, and combining lanes would take long.
//
// A block publishes its sum and exits; the last block to start can wait for all sums, because all other
// blocks have started. Compared with textbook/device/reduce_last_block, a sum crosses the L2 cache once;
// there the sum, the counter and the sums again cross it one after another. The ticket is in flight while
// the vector is read.
//
// Work n - 1, plus the redundant lane operations of reduce_rows. Bytes: n elements read, and one sum a block
// written and read. launches 1. Atomic operations: 1 a block. Bytes in flight: 16 ROWS a thread. By Little's
// law an H200 (4.8 TB/s, 132 multiprocessors, about 0.8 us) needs 29 KB on each multiprocessor: 450 threads
// with 4 rows, if they did nothing but wait.
//
// Source: Harris, "Optimizing parallel reduction in CUDA", 2007, "algorithm cascading"; bytes in flight:
// Volkov, "Better performance at lower occupancy", GTC 2010.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/fast/detail/arguments.cuh"
#include "kernels/fast/detail/columns.cuh"
#include "kernels/fast/detail/device.cuh"
#include "kernels/fast/detail/operation.cuh"
#include "kernels/fast/detail/ranges.cuh"
#include "kernels/fast/detail/warp_reduce.cuh"
#include "kernels/fast/detail/wide_vector.cuh"
#include "kernels/fast/memory.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/prefix.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// THREADS: of a block, 32 .. 1,024. ROWS: vector units that a lane loads together, a power of two. BLOCKS:
/// at most; it determines the order of operations. RESIDENT_BLOCKS: blocks of a multiprocessor for which
/// registers must suffice. DESCENDING: the blocks that start first take the last chunks, so the front of the
/// vector is read last and is in the cache for the next kernel that reads it; chunks should then be short.
/// ONE_BLOCK_THREADS: of the largest block that reduces a short vector alone; 0: none does. BY_LANE: see
/// UnitBatches.
template <int THREADS_, int ROWS_, int BLOCKS_, int RESIDENT_BLOCKS_, bool DESCENDING_ = false>
struct WarpChunksPolicy {
    static constexpr int ONE_BLOCK_THREADS = 0;
    static constexpr bool DESCENDING = DESCENDING_, BY_LANE = false;
    static constexpr int THREADS = THREADS_, ROWS = ROWS_, BLOCKS = BLOCKS_,
                         RESIDENT_BLOCKS = RESIDENT_BLOCKS_;
    static constexpr int WARPS = THREADS / 32, MOST_BLOCKS = BLOCKS;
    static int blocks(const Device&) { return BLOCKS; }
};

/// 128 bytes a lane in flight, if a vector unit is one word. There are more blocks than can be resident, so a
/// multiprocessor does not run idle when a block ends. Share of a read's throughput, NVIDIA H200, 2^28
/// elements of 4 bytes, from benchmarks not in this repository:
///
///     threads x rows, blocks      512 x 8, 2,112: 0.985      256 x 8, 4,224: 0.98      256 x 4, 1,320: 0.95
///
/// For 2^18 elements, one call at a time, 14 shapes of 128 to 1,024 threads and 1 to 8 rows take 7.2 to 8.0
/// microseconds; an empty kernel takes 4.8 and CUB 10.1.
template <class T>
struct DefaultWarpChunks {
    static constexpr int WORDS = WideVector<T>::WORDS;
    static constexpr int ROWS = WORDS == 1 ? 8 : WORDS <= 3 ? 2 : 1;
    static constexpr int THREADS = 512, WARPS = THREADS / 32, MOST_BLOCKS = 4096;
    static constexpr bool DESCENDING = false, BY_LANE = false;
    static constexpr int RESIDENT_BLOCKS = WORDS == 1 ? 2 : 1;
    static constexpr int ONE_BLOCK_THREADS = WORDS <= 3 ? 1024 : 256;
    /// Of elements of 8 bytes one round of resident blocks takes less time, 3% at 2^28; why, was not found.
    static int blocks(const Device& device) {
        return std::min((sizeof(T) == 8 ? RESIDENT_BLOCKS : 16) * device.multiprocessors, MOST_BLOCKS);
    }
};

/// `count` consecutive batches, cut into chunks of nearly equal size: one a warp, or one a batch.
struct EvenChunks {
    __host__ __device__ EvenChunks(long long count, long long warps)
        : chunks(count < warps ? count : warps),
          size(chunks > 0 ? count / chunks : 0),
          larger(count - size * chunks) {}

    __device__ long long begin(long long chunk) const { return size * chunk + min(chunk, larger); }

    long long chunks;
    long long size, larger;  ///< batches of a chunk; chunks with one batch more
};

/// The published sums of the blocks, in batches of 32 ROWS.
template <int ROWS, class T, class Op>
struct SumBatches {
    VersionedArray<T> published;
    int sums;
    Op op;

    __device__ T reduce(long long begin, long long end) const {
        return reduce_in_order<T>(*this, begin, end, op);
    }
    __device__ T reduce(long long batch) const {
        const int first = static_cast<int>(batch) * 32 * ROWS;
        T values[ROWS];
        published.await(values, first, sums - 1);
        return reduce_rows(values, sums - first, op);
    }
};

/// The combined chunks of warps first .. first + WARPS - 1, in warp 0, if there are any. partial: one sum for
/// each warp, in shared memory. Called by all threads of the block.
template <int WARPS, class Batches, class T, class Op>
__device__ T reduce_chunks_of_block(const Batches& batches, const EvenChunks& chunks, long long first,
                                    T (&partial)[WARPS], Op op) {
    const long long chunk = first + threadIdx.x / 32, end = chunks.begin(chunk + 1);
    T sum = {};
    if (chunk < chunks.chunks) {
        sum = batches.reduce(chunks.begin(chunk), end);
        if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    const int warps = static_cast<int>(min(static_cast<long long>(WARPS), chunks.chunks - first));
    if (threadIdx.x < 32 && warps > 0) {
        T sums[1] = {partial[min(static_cast<int>(threadIdx.x), warps - 1)]};
        sum = reduce_rows(sums, warps, op);
    }
    return sum;
}

/// Where the result goes: to *out, or to *out after it is combined with a seed.
template <class Out, class T>
__device__ void put_result(Out out, const T& total) {
    *out = total;
}
template <class Out, class T, class Op>
struct AfterSeed {
    Out out;
    T seed;
    Op op;
};
template <class Out, class T, class Op>
__device__ void put_result(const AfterSeed<Out, T, Op>& to, const T& total) {
    *to.out = to.op(to.seed, total);
}
template <class Out, class T>
__global__ void put_seed(Out out, T seed) {
    *out = seed;
}

/// The reduction of a short vector by one block: a batch of ROWS rows a warp, then the sums of the warps.
/// n >= 1. WHOLE: all batches are complete, so the code for incomplete ones, which would take longer to fetch
/// than to run, is left out. Block: a warp for each batch begun, at most THREADS threads.
template <int THREADS, int ROWS, bool WHOLE, class Vector, class Out, class Op>
__global__ void __launch_bounds__(THREADS) reduce_one_block(Vector in, Out out, Op op) {
    using T = typename Vector::Value;
    __shared__ T sums[THREADS / 32];
    const int warp = threadIdx.x / 32, warps = blockDim.x / 32;
    const UnitBatches<ROWS, Vector, Op> batches = {in, op};
    T sum = WHOLE ? batches.reduce_whole(warp) : batches.reduce(warp);
    if (warps > 1) {
        if (threadIdx.x % 32 == 0) sums[warp] = sum;
        __syncthreads();
        if (warp > 0) return;
        T own[1] = {sums[min(static_cast<int>(threadIdx.x), warps - 1)]};
        sum = reduce_rows(own, warps, op);
    }
    if (threadIdx.x == 0) put_result(out, sum);
}

/// *out = the neutral element.
template <class T, class Op, class Out = T*>
__global__ void reduce_nothing(Out out) {
    *out = static_cast<T>(Op::identity());
}

/// chunks: of the batches of in, over the warps of all blocks. collected: of the batches of block sums, over
/// the warps of one block. Grid: one block of Policy::THREADS threads for every WARPS chunks begun.
template <class Policy, class Vector, class Out, class Op>
__global__ void __launch_bounds__(Policy::THREADS, Policy::RESIDENT_BLOCKS)
    reduce_warp_chunks(Vector in, Out out, EvenChunks chunks, EvenChunks collected, VersionedWords workspace,
                       Op op) {
    using T = typename Vector::Value;
    constexpr int WARPS = Policy::WARPS;
    __shared__ T partial[WARPS];
    __shared__ unsigned version;
    __shared__ bool last;

    Ticket ticket;
    if (threadIdx.x == 0) ticket = workspace.take_ticket();
    const unsigned number = Policy::DESCENDING ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    const UnitBatches<Policy::ROWS, Vector, Op, Policy::BY_LANE> batches = {in, op};
    const T sum = reduce_chunks_of_block(batches, chunks, 1LL * number * WARPS, partial, op);

    if (threadIdx.x == 0) {
        VersionedArray<T>(workspace, ticket.version()).write(number, sum);
        last = ticket.number() >= gridDim.x - 1;  // beyond only if calls overlap
        version = ticket.version();
    }
    __syncthreads();
    if (!last) return;

    const SumBatches<Policy::ROWS, T, Op> sums = {{workspace, version}, static_cast<int>(gridDim.x), op};
    const T total = reduce_chunks_of_block(sums, collected, 0, partial, op);
    if (threadIdx.x == 0) {
        put_result(out, total);
        workspace.end_call(ticket, gridDim.x, gridDim.x * VersionedArray<T>::WORDS);
    }
}

/// Bytes that a reduction of any number of elements to one of T needs, on any device.
template <class T, class Policy = DefaultWarpChunks<T>>
std::size_t reduce_bytes() {
    return bytes_of_words<T>(Policy::MOST_BLOCKS);
}

namespace reduce_detail {

/// In batches of as few rows, from ROWS down to 2, as the warps of half of the largest block hold: more warps
/// take fewer steps each.
template <class Policy, int ROWS, class Vector, class Out, class Op>
cudaError_t one_block(const Vector& vector, const Out& out, Op op, cudaStream_t stream) {
    if constexpr (ROWS > 2)
        if (vector.units() <= Policy::ONE_BLOCK_THREADS / 2 * (ROWS / 2))
            return one_block<Policy, ROWS / 2>(vector, out, op, stream);
    constexpr int THREADS = Policy::ONE_BLOCK_THREADS;
    const auto warps = static_cast<unsigned>(ceil_div(vector.units(), 32 * ROWS));
    const bool whole = vector.is_whole() && vector.units() % (32 * ROWS) == 0;
    const auto kernel = whole ? reduce_one_block<THREADS, ROWS, true, Vector, Out, Op>
                              : reduce_one_block<THREADS, ROWS, false, Vector, Out, Op>;
    return launch(kernel, 1, 32 * warps, stream, vector, out, op);
}

/// vector: not empty. out: see put_result().
template <class Policy, class Vector, class Out, class Op>
cudaError_t reduce(const Memory& memory, const Vector& vector, const Out& out, Op op, cudaStream_t stream) {
    using T = typename Vector::Value;
    static_assert(std::is_trivially_copyable_v<T>, "elements are copied as bytes");
    constexpr int WARPS = Policy::WARPS, BATCH = 32 * Policy::ROWS;
    Device device;
    cudaError_t status = Device::current(device);
    if (status != cudaSuccess) return status;
    const std::size_t bytes = reduce_bytes<T, Policy>();
    status = memory.check(bytes, device.ordinal);
    if (status != cudaSuccess) return status;
    if constexpr (Policy::ONE_BLOCK_THREADS > 0) {
        if (vector.units() <= Policy::ONE_BLOCK_THREADS * Policy::ROWS)
            return one_block<Policy, Policy::ROWS>(vector, out, op, stream);
    }
    VersionedWords words;
    status = memory.words(bytes, stream, words);
    if (status != cudaSuccess) return status;
    const EvenChunks chunks(ceil_div(vector.units(), BATCH), 1LL * Policy::blocks(device) * WARPS);
    const auto blocks = static_cast<unsigned>(ceil_div(chunks.chunks, WARPS));
    const EvenChunks collected(ceil_div(blocks, BATCH), WARPS);
    return launch(reduce_warp_chunks<Policy, Vector, Out, Op>, blocks, Policy::THREADS, stream, vector, out,
                  chunks, collected, words, op);
}

}  // namespace reduce_detail

namespace reduce_detail {

/// Of vectors whose elements are mapped to larger values, and of iterators. SHORT: of few elements, in
/// smaller batches and blocks, so that more multiprocessors take part; else one round of resident blocks.
template <class Vector, bool SHORT>
struct AnyChunks : DefaultWarpChunks<typename Vector::Value> {
    static constexpr int BYTES = sizeof(typename Vector::Near);
    static constexpr int MOST_ROWS = Vector::WORDS == 1 && (Vector::IN_WORDS || BYTES <= 4) ? 4
                                     : Vector::WORDS <= 3                                   ? 2
                                                                                            : 1;
    static constexpr int ROWS = SHORT && MOST_ROWS > 2 ? 2 : MOST_ROWS;
    static constexpr int THREADS = SHORT ? 128 : 256, WARPS = THREADS / 32;
    static constexpr int RESIDENT_BLOCKS = (BYTES <= 16 && Vector::WORDS == 1 ? 1024 : 512) / THREADS;
    static constexpr int ONE_BLOCK_THREADS = 512;
    static constexpr bool BY_LANE = true;
    static int blocks(const Device& device) {
        return std::min((SHORT ? 16 : RESIDENT_BLOCKS) * device.multiprocessors, AnyChunks::MOST_BLOCKS);
    }
};

/// The elements as units: words of a vector, or one by one.
template <class V, class In>
auto units_of(In in, long long n) {
    if constexpr (std::is_pointer_v<In> && std::is_same_v<element_of<In>, V> && sizeof(V) <= 16)
        return WideVector<V>(in, n);
    else
        return ItemVector<In, V>{in, n};
}

template <class Vector, class To, class Op>
cudaError_t reduce_of_any(const Memory& memory, const Vector& units, const To& to, Op op,
                          cudaStream_t stream) {
    constexpr long long SHORT = 1 << 21;  // elements
    if constexpr (!Vector::IN_WORDS)
        if (units.units() * Vector::PER_UNIT <= SHORT)
            return reduce<AnyChunks<Vector, true>>(memory, units, to, op, stream);
    return reduce<AnyChunks<Vector, false>>(memory, units, to, op, stream);
}

/// to: where the result goes, see put_result().
template <class Policy, class V, class In, class To, class Op>
cudaError_t reduce_any(const Memory& memory, const In& in, const To& to, long long n, Op op,
                       cudaStream_t stream) {
    const auto units = units_of<V>(in, n);
    if constexpr (!std::is_void_v<Policy>)
        return reduce<Policy>(memory, units, to, op, stream);
    else if constexpr (std::is_same_v<std::decay_t<decltype(units)>, WideVector<V>>)
        return reduce<DefaultWarpChunks<V>>(memory, units, to, op, stream);
    else
        return reduce_of_any(memory, units, to, op, stream);
}

}  // namespace reduce_detail

/// *out = in[0] op .. op in[n - 1], n >= 0, on the device; the neutral element if n is 0. in: any
/// random-access iterator, read in words of 16 bytes if it is a pointer; out: any iterator.
/// cudaErrorInvalidValue, here and below: n is negative, a pointer is null or not aligned, or the memory is
/// too small; then nothing is queued.
template <class Policy = void, class In, class Out, class Op>
cudaError_t reduce(const Memory& memory, In in, Out out, long long n, Op op, cudaStream_t stream) {
    using V = accumulator_of<In, Op>;
    using Used = operator_of<In, Op>;
    if (n < 0 || !may_hold(out)) return cudaErrorInvalidValue;
    if constexpr (HAS_IDENTITY<Op, V>) {
        if (n == 0) return launch(reduce_nothing<V, Op, Out>, 1, 1, stream, out);
    } else {
        if (n == 0) return cudaErrorInvalidValue;  // there is no value to write
    }
    if (!may_hold(in)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::REDUCE, memory, {{in, n}, {out, 1}})) return cudaErrorInvalidValue;
    return reduce_detail::reduce_any<Policy, V>(memory, in, out, n, Used(op), stream);
}

/// *out = seed op in[0] op .. op in[n - 1].
template <class Policy = void, class In, class Out, class Op>
cudaError_t reduce(const Memory& memory, In in, Out out, long long n, Op op, accumulator_of<In, Op> seed,
                   cudaStream_t stream) {
    using V = accumulator_of<In, Op>;
    using Used = operator_of<In, Op>;
    if (n < 0 || !may_hold(out)) return cudaErrorInvalidValue;
    if (n == 0) return launch(put_seed<Out, V>, 1, 1, stream, out, seed);
    if (!may_hold(in)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::REDUCE, memory, {{in, n}, {out, 1}})) return cudaErrorInvalidValue;
    return reduce_detail::reduce_any<Policy, V>(memory, in, AfterSeed<Out, V, Used>{out, seed, Used(op)}, n,
                                                Used(op), stream);
}

/// An element and its index; the least and the greatest element.
template <class T>
struct Indexed {
    T value;
    long long index;
};
template <class T>
struct Extremes {
    T least, greatest;
};

namespace reduce_detail {

template <class T>
struct WithIndex {
    using Value = Indexed<T>;
    struct Near {
        T value;
        std::conditional_t<sizeof(T) <= 4, int, long long> index;  // of a place; no padding
    };
    __device__ Near near(const T& element, int place) const { return {element, place}; }
    __device__ Value value(const Near& near, long long first) const {
        return {near.value, first + near.index};
    }
};
template <class T>
struct Twice {
    using Value = Extremes<T>;
    using Near = Value;
    __device__ Near near(const T& element, int) const { return {element, element}; }
    __device__ Value value(const Near& near, long long) const { return near; }
};
/// The least or the greatest, the first of equal ones. A NaN is before all else, as with Min and Max.
template <bool LEAST, bool IN_ORDER = true>
struct FirstExtreme {
    using AnyOrder = FirstExtreme<LEAST, false>;
    template <class I>
    __device__ I operator()(const I& left, const I& right) const {
        const bool is_equal = !IN_ORDER && !is_before(left, right) && right.index < left.index;
        return is_before(right, left) || is_equal ? right : left;
    }

   private:
    template <class I>
    __device__ static bool is_before(const I& a, const I& b) {
        if (is_nan(a.value) || is_nan(b.value)) return !is_nan(b.value);
        return LEAST ? a.value < b.value : b.value < a.value;
    }
};
struct LessAndGreater {
    static constexpr bool COMMUTES = true;  // of equal elements it may take any
    template <class T>
    __device__ Extremes<T> operator()(const Extremes<T>& left, const Extremes<T>& right) const {
        return {Min<T>{}(left.least, right.least), Max<T>{}(left.greatest, right.greatest)};
    }
};

template <class Map, class In, class Out, class Op>
cudaError_t reduce_mapped(const Memory& memory, In in, Out out, long long n, Op op, cudaStream_t stream) {
    if (n <= 0 || !may_hold(in) || !may_hold(out)) return cudaErrorInvalidValue;
    if (!are_apart(ranges::REDUCE, memory, {{in, n}, {out, 1}})) return cudaErrorInvalidValue;
    const auto units = units_of<element_of<In>>(in, n);
    using Vector = MappedVector<std::decay_t<decltype(units)>, Map>;
    return reduce_of_any(memory, Vector(units, Map{}), out, op, stream);
}

}  // namespace reduce_detail

/// *out, an Indexed: the least or the greatest of n >= 1 elements, compared by <, and the first index of it;
/// if there are NaNs, the first of them.
template <class In, class Out>
cudaError_t arg_min(const Memory& memory, In in, Out out, long long n, cudaStream_t stream) {
    return reduce_detail::reduce_mapped<reduce_detail::WithIndex<element_of<In>>>(
        memory, in, out, n, reduce_detail::FirstExtreme<true>{}, stream);
}
template <class In, class Out>
cudaError_t arg_max(const Memory& memory, In in, Out out, long long n, cudaStream_t stream) {
    return reduce_detail::reduce_mapped<reduce_detail::WithIndex<element_of<In>>>(
        memory, in, out, n, reduce_detail::FirstExtreme<false>{}, stream);
}

/// *out, an Extremes: the least and the greatest of n >= 1 elements, compared by <; NaN both, if one is.
template <class In, class Out>
cudaError_t min_max(const Memory& memory, In in, Out out, long long n, cudaStream_t stream) {
    return reduce_detail::reduce_mapped<reduce_detail::Twice<element_of<In>>>(
        memory, in, out, n, reduce_detail::LessAndGreater{}, stream);
}

}  // namespace trial
