// The workspace of the fast scan, reduction and compaction: what they keep between calls, made once.
//
//     | control |  versioned words ..  |        all 0 at first, see kernels/versioned_words
//
// Calls on one workspace must follow one another, on one stream or ordered by events; their elements and operators
// may differ.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>

#include "kernels/versioned_words.cuh"

/// Nothing. Its attributes tell for which GPUs this program was compiled.
template <int = 0>
__global__ void compiled_kernel() {}

class Workspace {
   public:
    /// Bytes for so many values of T.
    template <class T>
    static std::size_t bytes(long long values) {
        return CONTROL + values * Versioned<T>::WORDS * sizeof(Word);
    }

    /// Make room for `bytes` bytes on the current device. Throws nothing; see status().
    explicit Workspace(std::size_t bytes) : bytes_(bytes) {
        if (bytes <= CONTROL) return;
        status_ = cudaGetDevice(&device_);
        if (status_ == cudaSuccess)
            status_ = cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device_);
        if (status_ == cudaSuccess) status_ = cudaFuncGetAttributes(&compiled_, compiled_kernel<0>);
        if (status_ == cudaSuccess) status_ = cudaMalloc(&memory_, bytes);
        if (status_ == cudaSuccess) status_ = cudaMemset(memory_, 0, bytes);
        if (status_ == cudaSuccess) status_ = cudaDeviceSynchronize();  // before calls on any stream
    }
    ~Workspace() { (void)cudaFree(memory_); }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    /// cudaSuccess, or why there is no room.
    cudaError_t status() const { return status_; }
    std::size_t size() const { return bytes_; }
    int device() const { return device_; }
    int multiprocessors() const { return multiprocessors_; }
    /// Whether this program has code for bulk copies, and so runs on a GPU that has them.
    bool has_bulk_copies() const { return compiled_.ptxVersion >= 90; }

    VersionedWords words() const {
        auto* const control = static_cast<Word*>(memory_);
        return {control, control + CONTROL / sizeof(Word),
                static_cast<unsigned>((bytes_ - CONTROL) / sizeof(Word))};
    }

    /// All of it, for who clears it before every call.
    void* memory() const { return memory_; }

   private:
    using Word = VersionedWords::Word;
    static constexpr std::size_t CONTROL = 128;  ///< bytes; a cache line of its own

    std::size_t bytes_;
    cudaError_t status_ = cudaSuccess;
    int device_ = 0, multiprocessors_ = 0;
    cudaFuncAttributes compiled_ = {};
    void* memory_ = nullptr;
};
