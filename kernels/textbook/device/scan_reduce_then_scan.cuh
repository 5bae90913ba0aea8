// Reduce-then-scan of any length: the vector is read twice and written once.
//
//     1  reduce tiles        | tile 0 | tile 1 | tile 2 | .. |     sums s0 s1 s2 .., except of the last tile
//     2  scan the sums       the spine:  s0, s0+s1, s0+s1+s2, ..   on the device, recursively
//     3  scan tiles          | tile 0 | s0, tile 1 | s0+s1, tile 2 | ..
//
// The exclusive prefix of a tile is added to the tile's first element, then an inclusive scan does the rest.
// The exclusive form writes each result one place further, and the tile's prefix to the first place. Bytes: 3
// n elements and the spine, where scan_three_phase moves 4 n and a single pass 2 n. Levels: one if a tile
// holds all elements, and one more for every factor of TILE; launches 2 levels - 1. Work: the reductions and
// scans of the tiles, and one operation a tile. Source: Dotsenko et al., "Fast scan algorithms on graphics
// processors", ICS 2008; Merrill and Grimshaw, "Parallel scan for stream architectures", CS2009-14,
// University of Virginia, 2009.
#pragma once
#include <cuda_runtime.h>

#include "kernels/device_array.cuh"
#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/device/reduce_tiles.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Scan in[0 .. count-1] into out, 1 <= count <= TILE. prefix: the tile's exclusive prefix.
template <Form FORM, class Algorithm, int TILE, int THREADS, class Map, class T, class Count, class Op>
__device__ void scan_tile_with_prefix(T* tile, const T* in, T* out, Prefix<T> prefix, Count count, Op op) {
    constexpr int ITEMS_PER_THREAD = (TILE + THREADS - 1) / THREADS;
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        const int i = threadIdx.x + k * THREADS;
        if (i >= count) continue;
        const T x = in[i];
        tile[Map::at(i)] = i == 0 ? combine(prefix, x, op) : x;
    }
    __syncthreads();

    Algorithm::template scan<TILE, THREADS, Map>(tile, count, op);

    if constexpr (FORM == Form::inclusive) {
        store_tile<TILE, THREADS, Map>(tile, out, count);
    } else {
        store_tile_shifted<TILE, THREADS, Map>(tile, value_or_identity(prefix, op), out, count);
    }
}

/// out: n elements, the scan of in; may be in. prefixes[b]: the inclusive prefix of tile b, for every tile
/// but the last. Grid: ceil_div(n, TILE) blocks of THREADS threads.
template <Form FORM, class Algorithm, int TILE, int THREADS, class Map, class T, class Op>
__global__ void __launch_bounds__(THREADS)
    scan_with_prefixes(const T* in, T* out, const T* prefixes, long long n, Op op) {
    __shared__ T tile[Map::size(TILE)];
    const long long base = blockIdx.x * static_cast<long long>(TILE);
    Prefix<T> prefix = {{}, blockIdx.x > 0};
    if (prefix.exists && threadIdx.x == 0) prefix.value = prefixes[blockIdx.x - 1];

    if (base + TILE <= n) {
        scan_tile_with_prefix<FORM, Algorithm, TILE, THREADS, Map>(tile, in + base, out + base, prefix,
                                                                   FullTile<TILE>{}, op);
    } else {
        const int count = static_cast<int>(n - base);
        scan_tile_with_prefix<FORM, Algorithm, TILE, THREADS, Map>(tile, in + base, out + base, prefix, count,
                                                                   op);
    }
}

template <class T, class Op, Form FORM = Form::inclusive, int TILE = 1024,
          class Reduction = ReduceTree<Threads::contiguous>, class Algorithm = BrentKung<>,
          class Map = Padded<>>
class ReduceThenScan {
   public:
    static_assert(Algorithm::inclusive, "the exclusive form is made from an inclusive scan of the tile");

    /// Allocate the sums for up to `capacity` elements. Does not throw; see status().
    explicit ReduceThenScan(long long capacity) {
        for (long long n = ceil_div(capacity, TILE); n > 1; n = ceil_div(n - 1, TILE)) sums_.add(n - 1);
    }

    /// cudaSuccess, or why there is no room for the sums.
    cudaError_t status() const { return sums_.status(); }

    /// out[i] = in[0] op .. op in[i], or in[i - 1] in the exclusive form, for 0 <= i < n <= capacity, on the
    /// device; out may be in. Calls on one object must not overlap.
    void operator()(const T* in, T* out, long long n, Op op, cudaStream_t stream) {
        if (n > 0) scan<FORM>(in, out, n, op, stream, 0);
    }

   private:
    template <Form LEVEL_FORM>
    void scan(const T* in, T* out, long long n, Op op, cudaStream_t stream, int level) {
        const unsigned blocks = static_cast<unsigned>(ceil_div(n, TILE));
        T* const sums = blocks > 1 ? sums_[level] : nullptr;
        if (blocks > 1) {
            constexpr int THREADS = Reduction::threads(TILE);
            const long long whole = (blocks - 1LL) * TILE;
            launch(reduce_tiles<Reduction, TILE, THREADS, Map, T, Op>, blocks - 1, THREADS, stream, in, sums,
                   whole, op);
            scan<Form::inclusive>(sums, sums, blocks - 1, op, stream, level + 1);
        }
        constexpr int THREADS = Algorithm::threads(TILE);
        launch(scan_with_prefixes<LEVEL_FORM, Algorithm, TILE, THREADS, Map, T, Op>, blocks, THREADS, stream,
               in, out, sums, n, op);
    }

    DeviceLevels<T> sums_;
};

}  // namespace trial
