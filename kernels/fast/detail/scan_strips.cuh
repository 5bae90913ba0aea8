// Scan of every column of a row-major matrix in one pass over tiles of strips of columns.
//
//     strip            0          1                  a strip: 32 columns, all if there are fewer, and more
//     tile 0     | 32 columns | 32 columns |         if a tile has all rows then
//     tile 1     | 32 columns | 32 columns |         a tile: slices of ROWS rows, as many as there are
//     tile 2     | 32 columns | 32 columns |         threads for, one for each column of each
//
//     a block:   copy a tile to shared memory, row by row; each thread adds up its ROWS elements, and slices
//                are scanned by Hillis and Steele
//                publish the tile's sums, one for each column                  kernels/versioned_words
//                add up what is above the tile, all columns together
//                finish: each thread goes over its elements again, from its prefix; store row by row
//
// Tickets go along the strips, then down. A warp reads and writes neighbours of a row; of a narrow matrix,
// whose tiles are whole pieces of memory, also of the next rows. There an empty row between slices in shared
// memory keeps threads free of bank conflicts, if elements have 4 bytes and columns are a power of two.
//
// What is above a tile comes by groups of 32 tiles and of 32 groups, as in fast/detail/single_pass: a tile
// waits for no prefix of its neighbour, and the grouping depends on the shape alone, so float results are
// bitwise reproducible. A block publishes before it waits, and waits for lower tickets only, so blocks may
// run in any order. A tile that has all rows needs neither a ticket nor sums of others.
//
// Work: 2 n; log2(slices) + 1 for a column of a slice; and, where there are tiles above, less than 70 for a
// column of a tile, and 16 at most for one of a slice. Bytes: each element is read once, each result written
// once; for each column of each tile a sum is published, which 31 others read at most, from the L2 cache.
// launches 1. Runs on any GPU. Source: Merrill and Garland, NVR-2016-002, 2016; along columns by tiles as in
// textbook/device/scan_columns_look_back, which was the fastest textbook scan of 2^26 floats in 2^5 to 2^15
// columns (claim two_dimensional, NVIDIA H200). Groups, and more columns where there are few rows, are ours.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "kernels/fast/detail/columns.cuh"
#include "kernels/fast/detail/device.cuh"
#include "kernels/fast/detail/single_pass.cuh"
#include "kernels/fast/memory.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"
#include "kernels/versioned_words.cuh"

namespace trial {

/// Rows of a thread: 32 of up to 4 bytes, 16 of 8, 8 of 16. About as many threads as the pass of vectors has.
using StripsPass = PassPolicy<256, 4, 128, 0>;

/// How a matrix of values of V is cut. rows >= 1, columns >= 1.
template <class Policy, class V>
struct Strips {
    static constexpr int THREADS = Policy::THREADS, WIDTH = 32;
    /// Of a thread.
    static constexpr int ROWS = std::clamp<int>(Policy::BYTES / sizeof(V), 1, 32);
    int width;                ///< of a tile
    long long strips, tiles;  ///< of the matrix; tiles of a strip

    Strips(long long rows, long long columns) : width(THREADS) {
        while (width > WIDTH && THREADS / width * ROWS < rows) width /= 2;
        width = static_cast<int>(std::min<long long>(width, columns));
        strips = ceil_div(columns, width);
        tiles = ceil_div(rows, THREADS / width * ROWS);
    }

    /// Words for the sums of all tiles but the last of each strip, and of the groups above others.
    __host__ __device__ static long long words_of_tiles(long long tiles, long long columns) {
        return (tiles - 1) * columns * Versioned<V>::WORDS;
    }
    long long words(long long columns) const {
        return words_of_tiles(tiles, columns) + (tiles - 1) / 32 * columns * Versioned<V>::WORDS;
    }
    /// As many of a matrix of up to n elements have room in these bytes, whatever its shape.
    static std::size_t bytes_of_any(long long n) {
        const long long sums = n / (THREADS / WIDTH * ROWS);
        return bytes_of_words<V>(sums + sums / 32) + sizeof(VersionedWords::Word);
    }
};

/// A tile, counted from the top of a strip.
struct TileOfStrip {
    unsigned tile, strip;
};

/// What there is to do. rows and columns are not 0.
template <class Policy_, Form FORM_, class In, class Out, class V, class Op>
struct StripsTask {
    using Policy = Policy_;
    using Value = V;
    using Cut = Strips<Policy, V>;
    static constexpr Form FORM = FORM_;
    In in;
    Out out;
    long long rows, columns;
    Op op;
    Prefix<V> before;            ///< what is before every column
    const Prefix<V>* before_at;  ///< if not null, on the device

    __device__ Prefix<V> seed() const { return before_at == nullptr ? before : *before_at; }
};

/// Values that the threads of a block show one another, by turns in two places: each time takes one barrier.
template <class V, int THREADS>
class Board {
   public:
    using Space = V[2][THREADS];
    __device__ explicit Board(Space& space) : space_(space) {}
    /// The values of all threads, until the next but one is shown. Called by all threads of the block.
    __device__ const V* show(const V& value) {
        turn_ ^= 1;
        space_[turn_][threadIdx.x] = value;
        __syncthreads();
        return space_[turn_];
    }

   private:
    Space& space_;
    int turn_ = 0;
};

/// What a thread works on: a column of a slice of a tile. WIDTH: of the tile, if known when compiled; or 0.
template <int WIDTH, class Cut>
struct ColumnOfSlice {
    static constexpr int ROWS = Cut::ROWS, THREADS = Cut::THREADS;
    int any_width;        ///< of the tile
    int slice, place;     ///< the slice in the tile, the column in the strip
    int rows;             ///< of the tile that the matrix has; 0 if this thread has no column
    long long tile, top;  ///< from 0 at the top, and the first row
    long long column;     ///< in the matrix
    bool is_last;         ///< whether there is no tile below

    /// Of a matrix of so many rows and columns.
    __device__ ColumnOfSlice(const Cut& cut, TileOfStrip of, long long all_rows, long long columns)
        : any_width(cut.width), tile(of.tile) {
        slice = static_cast<int>(threadIdx.x) / width();
        place = static_cast<int>(threadIdx.x) % width();
        top = 1LL * of.tile * (slices() * ROWS);
        column = 1LL * of.strip * width() + place;
        is_last = tile + 1 == cut.tiles;
        const bool exists = slice < slices() && column < columns;
        rows = exists ? static_cast<int>(min(all_rows - top, 1LL * slices() * ROWS)) : 0;
    }
    __device__ int width() const { return WIDTH > 0 ? WIDTH : any_width; }
    __device__ int slices() const { return THREADS / width(); }
    __device__ bool exists() const { return rows > 0; }
    __device__ bool is_lowest() const { return exists() && slice + 1 == slices(); }
    /// Where an element of the column lies in shared memory: but for WIDTH a row is left free between slices.
    __device__ int at(int row) const { return (WIDTH > 0 ? row : row + row / ROWS) * width() + place; }

    /// Of the rows slice, slice + slices(), .. , and of the slice's: how many there are.
    __device__ int rows_in_turn() const { return max(0, (rows - slice + slices() - 1) / slices()); }
    /// The minimum is taken last: nvcc 13.0 compares min(ROWS, x), no less than 0, with ROWS wrongly
    /// (simt/test/fuzz/compiler/clamp.cu).
    __device__ int rows_of_slice() const { return min(ROWS, max(0, rows - slice * ROWS)); }
};

/// The published sums of tiles and of groups of 32 tiles, by column.
///
///     groups[g]     the sum of group g; if 32 divides g + 1, of the seed and all groups up to g
template <int WIDTH, class Task>
class SumsOfStrips {
    using V = typename Task::Value;
    using Cut = typename Task::Cut;
    using Own = ColumnOfSlice<WIDTH, Cut>;
    using Values = VersionedArray<V>;
    using Shared = Board<V, Cut::THREADS>;

   public:
    __device__ SumsOfStrips(const VersionedWords& workspace, unsigned version, long long tiles,
                            long long columns)
        : tiles_(workspace, version),
          groups_(workspace, version, Cut::words_of_tiles(tiles, columns)),
          columns_(columns) {}

    /// Publish the tile's sum, which the lowest slice has.
    __device__ void publish(const Own& own, const V& sum) const {
        if (own.is_lowest() && !own.is_last) tiles_.write(own.tile * columns_ + own.column, sum);
    }

    /// The seed and the sums of all tiles above, of this thread's column. sum: of the tile, published.
    /// Waits until all are. Called by all threads of the block.
    __device__ Prefix<V> above(const Own& own, const V& sum, Shared& board, const Task& task) const {
        const long long group = own.tile / 32, first = group / 32 * 32, place = group * columns_ + own.column;
        const bool ends_group = own.tile % 32 == 31 && own.is_lowest() && !own.is_last;
        const bool ends_groups = group % 32 == 31;
        const Prefix<V> tiles = add_up(tiles_, 32 * group, own.tile, own, board, task);
        if (ends_group && !ends_groups) groups_.write(place, combine(tiles, sum, task.op));
        Prefix<V> groups = add_up(groups_, max(first - 1, 0LL), group, own, board, task);
        if (first == 0) groups = combine(task.seed(), groups, task.op);
        const Prefix<V> all = combine(groups, tiles, task.op);
        if (ends_group && ends_groups) groups_.write(place, combine(all, sum, task.op));
        return all;
    }

   private:
    static constexpr int PARTS = Task::Policy::WARPS,
                         VALUES = 32 / PARTS;  // no tile below another has fewer slices

    /// Values first .. end - 1 of this thread's column, at most 32, combined: VALUES by each of the first
    /// PARTS slices. Called by all threads of the block.
    __device__ Prefix<V> add_up(const Values& published, long long first, long long end, const Own& own,
                                Shared& board, const Task& task) const {
        const int count = static_cast<int>(end - first), before = own.slice * VALUES;
        if (count <= 0) return {{}, false};
        const int mine = own.exists() && own.slice < PARTS ? min(VALUES, count - before) : 0;
        const V* const sums = board.show(await(published, first + before, mine, own.column, task));
        if (!own.exists()) return {{}, false};
        V sum = sums[own.place];
        for (int part = 1; part * VALUES < count; ++part)
            sum = task.op(sum, sums[part * own.width() + own.place]);
        return {sum, true};
    }

    /// `count` values of a column from `first` on, combined, if there are any. A warp polls as a whole.
    __device__ V await(const Values& published, long long first, int count, long long column,
                       const Task& task) const {
        V values[VALUES] = {};
        unsigned polls = 0;
        bool here = true;
        do {
            here = true;
#pragma unroll
            for (int k = 0; k < VALUES; ++k)
                if (k < count) here = here & published.read((first + k) * columns_ + column, values[k]);
        } while (!__all_sync(ALL_LANES, here) && !published.give_up(++polls));
#pragma unroll
        for (int k = 1; k < VALUES; ++k)
            if (k < count) values[0] = task.op(values[0], values[k]);
        return values[0];
    }

    Values tiles_, groups_;
    long long columns_;
};

/// Shared memory of a block.
template <class Task>
struct StripsMemory {
    using V = typename Task::Value;
    using Cut = typename Task::Cut;
    alignas(16) V tile[(Cut::ROWS + 1) * Cut::THREADS];
    typename Board<V, Cut::THREADS>::Space board;
    Ticket ticket;
    TileOfStrip of;
};

/// use(k) for 0 <= k < count, at most ROWS; of ROWS, as nearly always, without comparisons.
template <int ROWS, class Use>
__device__ void for_rows(int count, Use use) {
    if (count == ROWS) {
#pragma unroll
        for (int k = 0; k < ROWS; ++k) use(k);
    } else {
#pragma unroll
        for (int k = 0; k < ROWS; ++k)
            if (k < count) use(k);
    }
}

/// The scan of a tile, from loads to stores: rows go to shared memory and back in turn, a slice's threads
/// take one after another. Called by all threads of the block.
template <int WIDTH, class Task>
__device__ void scan_tile_of_strip(const Task& task, const ColumnOfSlice<WIDTH, typename Task::Cut>& own,
                                   const SumsOfStrips<WIDTH, Task>& sums, StripsMemory<Task>& shared) {
    using V = typename Task::Value;
    constexpr int ROWS = Task::Cut::ROWS;
    const long long first = (own.top + own.slice) * task.columns + own.column,
                    step = own.slices() * task.columns;
    const auto in_turn = [&](int k) { return shared.tile + own.at(k * own.slices() + own.slice); };
    for_rows<ROWS>(own.rows_in_turn(), [&](int k) { load_element(in_turn(k), task.in, first + k * step); });
    wait_for_copies();
    __syncthreads();

    V* const of_slice = shared.tile + own.at(own.slice * ROWS);
    const int rows = own.rows_of_slice();
    V sum = {};
    for_rows<ROWS>(rows, [&](int k) {
        const V& element = of_slice[k * own.width()];
        sum = k == 0 ? element : task.op(sum, element);
    });
    Board<V, Task::Cut::THREADS> board(shared.board);
    for (int delta = 1; delta < own.slices(); delta *= 2) {
        const V* const others = board.show(sum);
        if (rows > 0 && own.slice >= delta) sum = task.op(others[threadIdx.x - delta * own.width()], sum);
    }
    sums.publish(own, sum);
    const V* const slices = board.show(sum);
    Prefix<V> within = {{}, rows > 0 && own.slice > 0};
    if (within.exists) within.value = slices[threadIdx.x - own.width()];

    Prefix<V> prefix = combine(sums.above(own, sum, board, task), within, task.op);
    for_rows<ROWS>(rows, [&](int k) {
        V& element = of_slice[k * own.width()];
        const V inclusive = combine(prefix, element, task.op);
        element = Task::FORM == Form::inclusive ? inclusive : value_or_identity(prefix, task.op);
        prefix = {inclusive, true};
    });
    __syncthreads();
    for_rows<ROWS>(own.rows_in_turn(), [&](int k) { task.out[first + k * step] = *in_turn(k); });
}

/// Grid: a block for each tile. WIDTH: of tiles, or 0. used: words of the workspace.
template <int WIDTH, class Task>
__global__ void __launch_bounds__(Task::Policy::THREADS, Task::Policy::RESIDENT_BLOCKS)
    scan_strips(const __grid_constant__ Task task, const __grid_constant__ typename Task::Cut cut,
                unsigned used, const __grid_constant__ VersionedWords workspace) {
    extern __shared__ __align__(128) char memory[];
    auto& shared = *reinterpret_cast<StripsMemory<Task>*>(memory);
    const bool alone = cut.tiles == 1;
    Ticket ticket;
    TileOfStrip of = {0, blockIdx.x};
    if (!alone) {
        if (threadIdx.x == 0) {
            const auto strips = static_cast<unsigned>(cut.strips);
            ticket = workspace.take_ticket();
            shared.ticket = ticket;
            shared.of = {ticket.number() / strips, ticket.number() % strips};
        }
        __syncthreads();
        ticket = shared.ticket;
        of = shared.of;
    }
    if (of.tile < cut.tiles) {  // not of a ticket that an overlap left behind
        const ColumnOfSlice<WIDTH, typename Task::Cut> own(cut, of, task.rows, task.columns);
        const SumsOfStrips<WIDTH, Task> sums(workspace, ticket.version(), cut.tiles, task.columns);
        scan_tile_of_strip(task, own, sums, shared);
    }
    if (threadIdx.x == 0 && !alone) workspace.end_call(ticket, gridDim.x, used);
}

template <class Policy, class V>
std::size_t strips_bytes(long long rows, long long columns) {
    const long long words = Strips<Policy, V>(rows, columns).words(columns) + 1;  // one to renew
    return CONTROL_BYTES + words * sizeof(VersionedWords::Word);
}

/// Queue the task, if the memory suffices and tiles can be counted.
template <class Task>
cudaError_t run_strips(const Memory& memory, const Task& task, cudaStream_t stream) {
    constexpr std::size_t SHARED = sizeof(StripsMemory<Task>);
    static_assert(SHARED <= 48 * 1024, "what a kernel has without leave");
    Device device;
    cudaError_t status = Device::current(device);
    if (status != cudaSuccess) return status;
    const typename Task::Cut cut(task.rows, task.columns);
    constexpr long long MOST_BLOCKS = (1LL << 31) - 1, MOST_TICKETS = Ticket::MAX_NUMBER / 2;
    if (cut.strips > (cut.tiles == 1 ? MOST_BLOCKS : MOST_TICKETS / cut.tiles)) return cudaErrorInvalidValue;
    const std::size_t bytes =
        strips_bytes<typename Task::Policy, typename Task::Value>(task.rows, task.columns);
    status = memory.check(bytes, device.ordinal);
    VersionedWords words;
    if (status == cudaSuccess) status = memory.words(bytes, stream, words);
    if (status != cudaSuccess) return status;
    const auto kernel =
        cut.width == Task::Cut::WIDTH ? scan_strips<Task::Cut::WIDTH, Task> : scan_strips<0, Task>;
    return launch_with_shared_memory(kernel, static_cast<unsigned>(cut.strips * cut.tiles),
                                     Task::Policy::THREADS, SHARED, stream, task, cut,
                                     static_cast<unsigned>(cut.words(task.columns)), words);
}

}  // namespace trial
