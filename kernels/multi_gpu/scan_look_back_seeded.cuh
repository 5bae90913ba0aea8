// The scan of one part of a longer vector by fast/detail/scan_look_back_seeded, whose seed, the part's
// prefix, lies on the device.
#pragma once
#include <cuda_runtime.h>

#include "kernels/device_array.cuh"
#include "kernels/fast/detail/scan_look_back_seeded.cuh"
#include "kernels/launch.cuh"

namespace trial {

/// A seed that lies on the device when the kernel runs, or does not exist.
template <class T>
struct SeedAt {
    const Prefix<T>* place;
    __device__ Prefix<T> load_seed() const {
        Prefix<T> seed = {{}, place->exists};
        if (seed.exists) seed.value = place->value;
        return seed;
    }
};

/// The scan of one part as PartScan wants it.
template <class T, class Op, Form FORM = Form::inclusive, int ITEMS_PER_THREAD = seeded_look_back_items<T>(),
          int THREADS = 256>
class SeededLookBackScan {
   public:
    static constexpr int TILE = ITEMS_PER_THREAD * THREADS;

    /// Make room for the statuses of up to `capacity` elements. Throws nothing; see status().
    explicit SeededLookBackScan(long long capacity) : words_(words(capacity)) {}

    /// cudaSuccess, or why there is no room for the statuses.
    cudaError_t status() const { return words_.status(); }

    /// out[i] = seed op in[0] op .. op in[i], or in[i - 1] in the exclusive form, for 0 <= i < n <= capacity,
    /// on the device; out may be in. The seed is left out if it does not exist.
    cudaError_t operator()(const T* in, T* out, long long n, const Prefix<T>* seed, Op op,
                           cudaStream_t stream) {
        if (n <= 0) return cudaSuccess;
        const cudaError_t status = cudaMemsetAsync(words_.data(), 0, words(n) * sizeof(Word), stream);
        if (status != cudaSuccess) return status;
        return launch(scan_look_back_seeded<FORM, ITEMS_PER_THREAD, THREADS, T, Op, SeedAt<T>>,
                      static_cast<unsigned>(ceil_div(n, TILE)), THREADS, stream, in, out, n,
                      ChainStatus<T>(words_.data() + 1), words_.data(), op, SeedAt<T>{seed});
    }

    /// This scan has no one-wave form; see multi_gpu/device_scan for one.
    bool fits_one_wave(long long) const { return false; }
    template <class Totals>
    cudaError_t scan_one_wave(const T*, T*, long long, Op, cudaStream_t, const Totals&) {
        return cudaErrorInvalidValue;
    }

   private:
    using Word = typename ChainStatus<T>::Word;

    /// The ticket, then the statuses; none for no elements.
    static long long words(long long n) { return n > 0 ? 1 + ceil_div(n, TILE) * ChainStatus<T>::WORDS : 0; }

    DeviceArray<Word> words_;
};

}  // namespace trial
