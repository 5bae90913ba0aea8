// Workspace of fast/scan: what is kept between calls, made once.
//
//     | control | wide statuses | narrow statuses |        all 0 at first, see epoch_status.cuh
//
// Calls on one workspace must follow one another, on one stream or ordered by events; elements and operators
// may differ from call to call.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

#include "kernels/fast/detail/epoch_status.cuh"
#include "kernels/fast/detail/scan_policies.cuh"
#include "kernels/textbook/device/scan_look_back.cuh"
#include "kernels/tile.cuh"

/// Nothing. Its attributes tell for which GPUs this program was compiled.
template <int = 0>
__global__ void compiled_kernel() {}

class ScanWorkspace {
   public:
    /// Bytes that scans of up to n elements of T need on any device, n >= 0.
    template <class T>
    static std::size_t bytes(long long n) {
        return std::max(ring_bytes<RingPolicy<T>>(n), look_back_bytes<T>(n));
    }
    /// Bytes that a ring of this policy needs for up to n elements, or one wave for as many as it holds.
    template <class Policy>
    static std::size_t ring_bytes(long long n) {
        constexpr int LEAD = 16;  // elements of tile 0 before the vector, fewer than this
        constexpr int GROUP = 32 * Policy::TILES_A_LANE;  // which the look-ahead reads to its end
        const long long groups = tiles(tiles(n + LEAD, Policy::SMALLEST_TILE), GROUP);
        return CONTROL + static_cast<std::size_t>(std::max(MOST_OF_ONE_WAVE, groups * GROUP)) * TILE;
    }

    /// Make room for `bytes` bytes on the current device. Throws nothing; see status().
    explicit ScanWorkspace(std::size_t bytes) : bytes_(bytes) {
        if (bytes < CONTROL + TILE) return;
        status_ = cudaGetDevice(&device_);
        if (status_ == cudaSuccess)
            status_ = cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device_);
        if (status_ == cudaSuccess) status_ = cudaFuncGetAttributes(&compiled_, compiled_kernel<0>);
        if (status_ == cudaSuccess) status_ = cudaMalloc(&memory_, bytes);
        if (status_ == cudaSuccess) status_ = cudaMemset(memory_, 0, bytes);
        if (status_ == cudaSuccess) status_ = cudaDeviceSynchronize();  // before calls on any stream
    }
    ~ScanWorkspace() { (void)cudaFree(memory_); }
    ScanWorkspace(const ScanWorkspace&) = delete;
    ScanWorkspace& operator=(const ScanWorkspace&) = delete;

    /// cudaSuccess, or why there is no room.
    cudaError_t status() const { return status_; }
    std::size_t size() const { return bytes_; }
    int device() const { return device_; }
    int multiprocessors() const { return multiprocessors_; }
    /// Whether this program has code for bulk copies, and so runs on a GPU that has them.
    bool has_bulk_copies() const { return compiled_.ptxVersion >= 90; }

    ScanMemory memory() const {
        const unsigned capacity = static_cast<unsigned>((bytes_ - CONTROL) / TILE);
        auto* const wide = reinterpret_cast<WideWord*>(memory_ + CONTROL);
        auto* const narrow =
            reinterpret_cast<unsigned long long*>(wide + ScanMemory::WIDE * std::size_t{capacity});
        return {reinterpret_cast<unsigned long long*>(memory_), narrow, wide, capacity};
    }

    /// The ticket and statuses of textbook/device/scan_look_back, and their bytes.
    unsigned long long* look_back_memory() const { return reinterpret_cast<unsigned long long*>(memory_); }
    static constexpr int LOOK_BACK_THREADS = 256;
    template <class T>
    static std::size_t look_back_bytes(long long n) {
        return (1 + tiles(n, look_back_items<T>() * LOOK_BACK_THREADS) * TileStatus<T>::WORDS) *
               sizeof(typename TileStatus<T>::Word);
    }

   private:
    static constexpr std::size_t CONTROL = 128;  ///< bytes; a line of its own
    static constexpr std::size_t TILE = ScanMemory::WIDE * sizeof(WideWord) + sizeof(unsigned long long);
    static constexpr long long MOST_OF_ONE_WAVE = WaveTiles<char, 1, WavePolicy<1, 1>::THREADS>::MOST;

    std::size_t bytes_;
    cudaError_t status_ = cudaSuccess;
    int device_ = 0, multiprocessors_ = 0;
    cudaFuncAttributes compiled_ = {};
    char* memory_ = nullptr;
};
