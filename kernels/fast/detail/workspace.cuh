// The workspace of the fast scan, reduction and compaction: their state between calls, allocated once.
//
//     | control |  versioned words ..  |        all 0 at first, see kernels/versioned_words
//
// Calls on one workspace must not overlap: they share a stream, or are ordered by events. Their element types
// and operators may differ.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>

#include "kernels/versioned_words.cuh"

/// An empty kernel, whose attributes tell for which architecture this program was compiled.
template <int = 0>
__global__ void compiled_kernel() {}

class Workspace {
   public:
    /// Bytes for `values` values of T.
    template <class T>
    static std::size_t bytes(long long values) {
        return CONTROL + values * Versioned<T>::WORDS * sizeof(Word);
    }

    /// Allocate `bytes` bytes on the current device, and `padding` bytes after them, which polls may read and
    /// no call writes. Does not throw; see status().
    explicit Workspace(std::size_t bytes, std::size_t padding = 0) : bytes_(bytes) {
        if (bytes <= CONTROL) return;
        status_ = cudaGetDevice(&device_);
        if (status_ == cudaSuccess)
            status_ = cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device_);
        if (status_ == cudaSuccess) status_ = cudaFuncGetAttributes(&compiled_, compiled_kernel<0>);
        if (status_ == cudaSuccess) status_ = cudaMalloc(&memory_, bytes + padding);
        if (status_ == cudaSuccess) status_ = cudaMemset(memory_, 0, bytes + padding);
        if (status_ == cudaSuccess) status_ = cudaDeviceSynchronize();  // before calls on any stream
    }
    ~Workspace() { (void)cudaFree(memory_); }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    /// cudaSuccess, or why the allocation failed.
    cudaError_t status() const { return status_; }
    std::size_t size() const { return bytes_; }
    int device() const { return device_; }
    int multiprocessors() const { return multiprocessors_; }
    /// Whether this program has code for bulk copies; if so, the current GPU supports them.
    bool has_bulk_copies() const { return compiled_.ptxVersion >= 90; }

    VersionedWords words() const {
        auto* const control = static_cast<Word*>(memory_);
        return {control, control + CONTROL / sizeof(Word),
                static_cast<unsigned>((bytes_ - CONTROL) / sizeof(Word))};
    }

    /// The whole allocation, for scans that clear it before every call.
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
