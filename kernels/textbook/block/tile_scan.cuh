// What the scans of a tile by one block have in common: form, threads, and how they are called.
#pragma once
#include <cuda_runtime.h>

#include "kernels/prefix.cuh"

namespace trial {

/// A tile scan derives from this and has
///
///     template <int TILE, int THREADS, class Map, class T, class Count, class Op>
///     __device__ static void scan(T* tile, Count count, Op op);
///
/// which scans tile[Map::at(0 .. count-1)] in shared memory in place, count <= TILE (an int, or
/// FullTile<TILE>). It is called by all THREADS >= threads(TILE) threads of the block after a barrier; the
/// result may be read after it without another one.
template <Form FORM, int ITEMS_PER_THREAD>
struct TileScan {
    static constexpr bool inclusive = FORM == Form::inclusive;
    /// Threads for a tile of so many elements, at most 1,024.
    __host__ __device__ static constexpr int threads(int tile) {
        return tile / ITEMS_PER_THREAD < 1024 ? tile / ITEMS_PER_THREAD : 1024;
    }
};

}  // namespace trial
