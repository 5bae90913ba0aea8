// The workspace of the fast scan, reduction and compaction: their state between calls, allocated once.
//
//     | control |  versioned words ..  |        all 0 at first, see kernels/versioned_words
//
// Calls on one workspace must not overlap: they share a stream, or are ordered by events. Their element types
// and operators may differ. An overlap invalidates the results of all calls since; it is reported once a
// kernel notices it, to status() and to later calls, which are refused until reset().
#pragma once
#include <cuda_runtime.h>

#include <atomic>
#include <cstddef>

#include "kernels/call_result.cuh"
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

    /// Allocate `bytes` bytes on the current device. Does not throw; see status().
    explicit Workspace(std::size_t bytes) : bytes_(bytes) {
        if (bytes <= CONTROL) return;
        status_ = cudaGetDevice(&device_);
        ask(cudaDevAttrMultiProcessorCount, multiprocessors_);
        ask(cudaDevAttrMaxSharedMemoryPerBlockOptin, shared_bytes_);
        if (status_ == cudaSuccess) status_ = cudaFuncGetAttributes(&compiled_, compiled_kernel<0>);
        if (status_ == cudaSuccess) status_ = cudaMallocHost(&overlaps_, sizeof(*overlaps_));
        if (status_ == cudaSuccess) status_ = cudaMalloc(&memory_, bytes);
        if (status_ == cudaSuccess) status_ = reset(nullptr);
        if (status_ == cudaSuccess) status_ = cudaDeviceSynchronize();  // before calls on any stream
    }
    ~Workspace() {
        (void)cudaFree(memory_);
        (void)cudaFreeHost(overlaps_);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    /// cudaSuccess; why the allocation failed; or cudaErrorIllegalState if a call that has ended noticed that
    /// calls overlapped.
    cudaError_t status() const {
        if (status_ != cudaSuccess) return status_;
        return have_overlapped() ? cudaErrorIllegalState : cudaSuccess;
    }

    /// Make the workspace as new. No call on it may be running on another stream; waits for this stream.
    cudaError_t reset(cudaStream_t stream) {
        if (memory_ == nullptr) return status_;
        cudaError_t status = cudaMemsetAsync(memory_, 0, bytes_, stream);
        if (status == cudaSuccess) status = cudaStreamSynchronize(stream);
        if (status == cudaSuccess) *overlaps_ = 0;
        return status;
    }

    /// Whether a call for n elements may begin. bytes_for(n): of the workspace that it needs.
    template <class BytesFor>
    CallResult check(long long n, BytesFor bytes_for) const {
        if (n < 0) return CallResult::negative_length;
        if (status_ != cudaSuccess) return CallResult::workspace_unusable;
        if (bytes_ < bytes_for(n)) return CallResult::workspace_too_small;
        int device = 0;
        if (cudaGetDevice(&device) != cudaSuccess || device != device_)
            return CallResult::workspace_of_other_device;
        return have_overlapped() ? CallResult::calls_overlapped : CallResult::success;
    }

    std::size_t size() const { return bytes_; }
    int device() const { return device_; }
    int multiprocessors() const { return multiprocessors_; }
    /// Whether this program has code for bulk copies; if so, the current GPU supports them.
    bool has_bulk_copies() const { return compiled_.ptxVersion >= 90; }
    /// Bytes of shared memory that a block of the device may have.
    std::size_t shared_bytes() const { return shared_bytes_; }

    /// The kernel argument of one call. Captured in a CUDA graph, it serves all replays.
    VersionedWords words() const {
        VersionedWords words = {control(), control() + CONTROL / sizeof(Word),
                                static_cast<unsigned>((bytes_ - CONTROL) / sizeof(Word))};
        words.step |= calls_++ << 24;
        words.overlaps = overlaps_;
        return words;
    }

    /// The words alone, for scans that clear them before every call.
    void* memory() const { return control() + CONTROL / sizeof(Word); }
    std::size_t memory_bytes() const { return bytes_ - CONTROL; }

   private:
    using Word = VersionedWords::Word;
    static constexpr std::size_t CONTROL = 128;  ///< bytes; a cache line of its own

    void ask(cudaDeviceAttr attribute, int& value) {
        if (status_ == cudaSuccess) status_ = cudaDeviceGetAttribute(&value, attribute, device_);
    }
    Word* control() const { return static_cast<Word*>(memory_); }
    bool have_overlapped() const {
        return overlaps_ != nullptr && *static_cast<const volatile unsigned*>(overlaps_) != 0;
    }

    std::size_t bytes_;
    cudaError_t status_ = cudaSuccess;
    int device_ = 0, multiprocessors_ = 0, shared_bytes_ = 0;
    cudaFuncAttributes compiled_ = {};
    void* memory_ = nullptr;
    unsigned* overlaps_ = nullptr;  ///< pinned: kernels set it, the host reads it
    mutable std::atomic<unsigned> calls_{0};
};
