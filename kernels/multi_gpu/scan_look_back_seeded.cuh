// Scan of one part of a longer vector: decoupled look-back that starts from a seed, the part's prefix.
//
//     seed                            all elements before the part, or nothing
//     tile 0    publishes the prefix  seed + sum of tile 0, and scans, starting from the seed
//     tile k    as in scan_look_back: the prefixes that it looks back at contain the seed
//
// Only the block that takes tile 0 reads the seed, so it may be written until the kernel starts, by another
// kernel or a copy on the same stream. A seed that does not exist enters no operation: the scan then equals
// scan_look_back, operation by operation. With a seed the inclusive form takes 1 + p operations more, where p
// threads have elements of tile 0: for the tile's prefix, the first element, and the exclusive prefix of each
// other thread. Bytes: 2 n elements, the statuses of the tiles, and the seed. launches 1, and a memset.
// Source: Merrill and Garland, "Single-pass parallel prefix scan with decoupled look-back", NVR-2016-002,
// 2016; the seed is ours.
#pragma once
#include <cuda_runtime.h>

#include "kernels/textbook/device/scan_look_back.cuh"

/// A seed that lies on the device when the kernel runs, or does not exist.
template <class T>
struct SeedAt {
    static constexpr bool MAY_EXIST = true;
    const Prefix<T>* place;
    __device__ Prefix<T> load_seed() const {
        Prefix<T> seed = {{}, place->exists};
        if (seed.exists) seed.value = place->value;
        return seed;
    }
};

/// The scan of one part as PartScan wants it.
template <class T, class Op, Form FORM = Form::inclusive, int ITEMS_PER_THREAD = look_back_items<T>(),
          int THREADS = 256>
class SeededLookBackScan {
   public:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;

    /// Make room for the statuses of up to `capacity` elements. Throws nothing; see status().
    explicit SeededLookBackScan(long long capacity) : scan_(capacity) {}

    /// cudaSuccess, or why there is no room for the statuses.
    cudaError_t status() const { return scan_.status(); }

    /// out[i] = seed op in[0] op .. op in[i], or in[i - 1] in the exclusive form, for 0 <= i < n <= capacity,
    /// on the device; out may be in. The seed is left out if it does not exist.
    cudaError_t operator()(const T* in, T* out, long long n, const Prefix<T>* seed, Op op,
                           cudaStream_t stream) {
        return scan_(in, out, n, op, stream, SeedAt<T>{seed});
    }

    /// This scan has no one-wave form; see multi_gpu/device_scan for one.
    bool fits_one_wave(long long) const { return false; }
    template <class Totals>
    cudaError_t scan_one_wave(const T*, T*, long long, Op, cudaStream_t, const Totals&) {
        return cudaErrorInvalidValue;
    }

   private:
    LookBackScan<T, Op, FORM, ITEMS_PER_THREAD, THREADS> scan_;
};
