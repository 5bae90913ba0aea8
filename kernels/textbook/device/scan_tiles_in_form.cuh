// Scan every tile of a vector in the other form than the block scan's own: exclusive from an inclusive scan,
// or inclusive from an exclusive one.
//
//     in                    x0   x1   x2   x3
//     inclusive             0    01   02   03
//     exclusive             e    0    01   02            e: the neutral element
//
//     exclusive, from an inclusive scan:   shift the input     scan    e   x0  x1  x2
//                                          shift the output    write   e   0   01  02
//     inclusive, from an exclusive scan:   add the input       write   0 = e + x0, 01 = 0 + x1, ..
//                                          shift the output    write   0   01  02  02 + x3
//
// Work beyond the scan's, for tiles of n elements: n for adding the input; none for shifting, except one
// operation where the total is missing. Loads of the shifted input are misaligned: one more sector for each
// warp. Bytes: n elements read and written. The operator needs no inverse, and the order of its operands is
// preserved. Source: shifted input: lecture notes "Programação paralela em GPU: Redução e Scan com CUDA";
// input added: lecture notes "Algorithmes fondamentaux: opération scan".
#pragma once
#include <cuda_runtime.h>

#include "kernels/tile.cuh"

namespace trial {

enum class Change { none, shift_input, shift_output, add_input };

/// Scan in[0 .. count-1] into out through shared memory, count <= TILE.
template <class Algorithm, Change CHANGE, int TILE, int THREADS, class Map, class T, class Count, class Op>
__device__ void scan_one_tile_in_form(T* tile, const T* in, T* out, Count count, Op op) {
    constexpr int ITEMS_PER_THREAD = (TILE + THREADS - 1) / THREADS;
    T own[ITEMS_PER_THREAD];
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        const int i = threadIdx.x + k * THREADS;
        if (i >= count) continue;
        if constexpr (CHANGE == Change::shift_input) {
            own[k] = i == 0 ? Op::identity() : in[i - 1];
        } else {
            own[k] = in[i];
        }
        tile[Map::at(i)] = own[k];
    }
    __syncthreads();

    Algorithm::template scan<TILE, THREADS, Map>(tile, count, op);

#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        const int i = threadIdx.x + k * THREADS;
        if (i >= count) continue;
        if constexpr (CHANGE == Change::add_input) {
            out[i] = op(tile[Map::at(i)], own[k]);
        } else if constexpr (CHANGE != Change::shift_output) {
            out[i] = tile[Map::at(i)];
        } else if constexpr (Algorithm::inclusive) {
            out[i] = i == 0 ? Op::identity() : tile[Map::at(i - 1)];
        } else {
            const T prefix = tile[Map::at(i + 1 < count ? i + 1 : i)];
            out[i] = i + 1 < count ? prefix : op(prefix, own[k]);
        }
    }
}

/// out: n elements, each tile of TILE scanned by Algorithm and converted by CHANGE to the other form; may be
/// in. Grid: ceil_div(n, TILE) blocks of THREADS threads.
template <class Algorithm, Change CHANGE, int TILE, int THREADS, class Map, class T, class Op>
__global__ void __launch_bounds__(THREADS, blocks_to_fill(THREADS))
    scan_tiles_in_form(const T* in, T* out, long long n, Op op) {
    static_assert(CHANGE != Change::shift_input || Algorithm::inclusive, "the scan is exclusive already");
    static_assert(CHANGE != Change::add_input || !Algorithm::inclusive, "the scan is inclusive already");
    __shared__ T memory[1 + Map::size(TILE)];  // the tile begins at element 1, as in scan_tiles
    T* const tile = memory + 1;
    const long long base = blockIdx.x * static_cast<long long>(TILE);

    if (base + TILE <= n) {
        scan_one_tile_in_form<Algorithm, CHANGE, TILE, THREADS, Map>(tile, in + base, out + base,
                                                                     FullTile<TILE>{}, op);
    } else {
        const int count = static_cast<int>(n - base);
        scan_one_tile_in_form<Algorithm, CHANGE, TILE, THREADS, Map>(tile, in + base, out + base, count, op);
    }
}

}  // namespace trial
