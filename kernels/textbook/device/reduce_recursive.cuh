// Recursive reduction of a vector of any length: reduce tiles, then reduce their sums with the same kernel,
// until one value is left.
//
//     n elements           | tile 0 | tile 1 | tile 2 | tile 3 | ..
//     level 1                  s0       s1       s2       s3     ..
//                          |           tile 0            | ..
//     level 2                            s'0               ..
//     ..
//     level L                             *              the total
//
// L = max(1, ceil(log_TILE n)) levels, one launch each. Work n - 1. Bytes: n elements read; the levels after
// the first add about n / TILE read and n / TILE written. Every level waits for the one before it, although
// the last ones occupy only a few blocks.
// Source: Harris, "Optimizing parallel reduction in CUDA", 2007, "kernel decomposition".
#pragma once
#include <cuda_runtime.h>

#include "kernels/device_array.cuh"
#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/textbook/block/reduce_tree.cuh"
#include "kernels/textbook/device/reduce_tiles.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// The reduction of no elements. Grid: 1 block of 1 thread.
template <class T, class Op>
__global__ void write_identity(T* out, Op) {
    *out = Op::identity();
}

/// Op: any associative operator; the order of elements is preserved. TILE: a power of two, at most 2,048.
template <class T, class Op, int TILE = 1024>
class RecursiveReduction {
   public:
    /// Make room for the sums of up to `capacity` elements. Throws nothing; see status().
    explicit RecursiveReduction(long long capacity) : sums_(sums_of_all_levels(capacity)) {}

    /// cudaSuccess, or why there is no room for the sums.
    cudaError_t status() const { return sums_.status(); }

    /// *out = in[0] op .. op in[n - 1], 0 <= n <= capacity, on the device; the neutral element if n is 0.
    void operator()(const T* in, T* out, long long n, Op op, cudaStream_t stream) {
        if (n <= 0) {
            launch(write_identity<T, Op>, 1, 1, stream, out, op);
            return;
        }
        T* level = sums_.data();
        for (long long blocks = ceil_div(n, TILE); blocks > 1; blocks = ceil_div(n, TILE)) {
            reduce_level(in, level, n, op, stream);
            in = level;
            n = blocks;
            level += blocks;
        }
        reduce_level(in, out, n, op, stream);
    }

   private:
    using Algorithm = ReduceTree<Threads::contiguous>;

    static long long sums_of_all_levels(long long capacity) {
        long long sums = 0;
        for (long long n = ceil_div(capacity, TILE); n > 1; n = ceil_div(n, TILE)) sums += n;
        return sums;
    }

    static void reduce_level(const T* in, T* sums, long long n, Op op, cudaStream_t stream) {
        constexpr int THREADS = Algorithm::threads(TILE);
        launch(reduce_tiles<Algorithm, TILE, THREADS, Padded<>, T, Op>,
               static_cast<unsigned>(ceil_div(n, TILE)), THREADS, stream, in, sums, n, op);
    }

    DeviceArray<T> sums_;  // one level after the other
};

}  // namespace trial
