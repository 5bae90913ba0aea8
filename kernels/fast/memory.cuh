// The memory that a call works in: bytes of the caller's, or a Workspace, which owns some.
//
//     | control |  versioned words ..  |        all 0 at first, see kernels/versioned_words
//
// A Workspace is cleared once, when it is made, and serves any number of calls, of any kind, type and length
// that it is large enough for: each call is one launch. Plain bytes may hold anything, so each call clears
// what it uses: one memset more.
//
// Calls that share memory must not overlap: they share a stream, or are ordered by events. If two on a
// Workspace do, results since are invalid; once a kernel has noticed, status() and later calls say
// cudaErrorIllegalState until reset(). On plain bytes nothing is reported, and nothing lasts: the next call
// clears them.
#pragma once
#include <cuda_runtime.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "kernels/versioned_words.cuh"

namespace trial {

inline constexpr std::size_t CONTROL_BYTES = 128;  ///< a cache line of its own

/// Bytes for `values` published values of T.
template <class T>
std::size_t bytes_of_words(long long values) {
    return CONTROL_BYTES +
           static_cast<std::size_t>(values) * Versioned<T>::WORDS * sizeof(VersionedWords::Word);
}

/// Flags in pinned memory that kernels set and the host reads. They are never freed, only handed on: a kernel
/// may still be running when the Workspace that it reports to is gone.
class OverlapFlags {
   public:
    /// A flag that is 0, or null and why.
    static cudaError_t take(unsigned*& flag) {
        OverlapFlags& all = one();
        const std::lock_guard<std::mutex> lock(all.mutex_);
        if (all.free_ == nullptr) {
            Flag* page = nullptr;
            constexpr int FLAGS = 256;
            const cudaError_t status =
                cudaHostAlloc(reinterpret_cast<void**>(&page), FLAGS * sizeof(Flag), cudaHostAllocPortable);
            if (status != cudaSuccess) return status;
            for (int k = 0; k < FLAGS; ++k) give(all, page + k);
        }
        Flag* const taken = all.free_;
        all.free_ = taken->next;
        taken->set = 0;
        flag = &taken->set;
        return cudaSuccess;
    }
    static void give_back(unsigned* flag) {
        if (flag == nullptr) return;
        OverlapFlags& all = one();
        const std::lock_guard<std::mutex> lock(all.mutex_);
        give(all, reinterpret_cast<Flag*>(flag));
    }

   private:
    struct Flag {
        unsigned set;
        Flag* next;
    };
    static OverlapFlags& one() {
        static auto* const flags = new OverlapFlags;  // outlives every other static object
        return *flags;
    }
    static void give(OverlapFlags& all, Flag* flag) {
        flag->next = all.free_;
        all.free_ = flag;
    }

    std::mutex mutex_;
    Flag* free_ = nullptr;
};

class Workspace {
   public:
    /// Allocate `bytes` bytes on the current device, in the order of `stream`, on which the first calls are
    /// queued, or which they are ordered after. Throws nothing; see status().
    Workspace(std::size_t bytes, cudaStream_t stream) : bytes_(bytes), stream_(stream) {
        if (bytes <= CONTROL_BYTES) return;
        status_ = cudaGetDevice(&device_);
        if (status_ == cudaSuccess) status_ = OverlapFlags::take(overlaps_);
        if (status_ == cudaSuccess) status_ = cudaMallocAsync(&memory_, bytes, stream);
        if (status_ == cudaSuccess) status_ = cudaMemsetAsync(memory_, 0, bytes, stream);
    }
    /// Frees in the order of the same stream, which must still exist.
    ~Workspace() {
        if (memory_ != nullptr) (void)cudaFreeAsync(memory_, stream_);
        OverlapFlags::give_back(overlaps_);
    }
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    /// cudaSuccess; why the allocation failed; or cudaErrorIllegalState if a call that has ended noticed that
    /// calls overlapped.
    cudaError_t status() const {
        if (status_ != cudaSuccess) return status_;
        return have_overlapped() ? cudaErrorIllegalState : cudaSuccess;
    }

    /// Make the workspace as new, in the order of `stream`. All calls on it must have ended.
    cudaError_t reset(cudaStream_t stream) {
        if (memory_ == nullptr) return status_;
        *overlaps_ = 0;
        return cudaMemsetAsync(memory_, 0, bytes_, stream);
    }

    void* data() const { return memory_; }
    std::size_t size() const { return bytes_; }

   private:
    friend class Memory;
    bool have_overlapped() const {
        return overlaps_ != nullptr && *static_cast<const volatile unsigned*>(overlaps_) != 0;
    }

    std::size_t bytes_;
    cudaStream_t stream_;
    cudaError_t status_ = cudaSuccess;
    int device_ = 0;
    void* memory_ = nullptr;
    unsigned* overlaps_ = nullptr;            ///< kernels set it, the host reads it
    mutable std::atomic<unsigned> calls_{1};  ///< the mark of the next, see VersionedWords
};

/// The first argument of every call. Made of a Workspace, or of {pointer, bytes} on the current device, a
/// multiple of 16 bytes.
class Memory {
   public:
    Memory(void* bytes, std::size_t size) : data_(bytes), size_(size) {}
    Memory(const Workspace& workspace)
        : data_(workspace.memory_), size_(workspace.bytes_), workspace_(&workspace) {}

    void* data() const { return data_; }
    std::size_t size() const { return size_; }

    /// Whether a call that needs so many bytes may begin on this device; cudaErrorInvalidValue if not, or
    /// what a Workspace says.
    cudaError_t check(std::size_t bytes, int device) const {
        if (workspace_ != nullptr && workspace_->status() != cudaSuccess) return workspace_->status();
        const bool fits =
            data_ != nullptr && size_ >= bytes && reinterpret_cast<std::uintptr_t>(data_) % 16 == 0;
        const bool here = workspace_ == nullptr || workspace_->device_ == device;
        return fits && here ? cudaSuccess : cudaErrorInvalidValue;
    }

    /// The kernel argument of a call that needs so many bytes, check()ed before. Captured in a CUDA graph, it
    /// serves all replays.
    cudaError_t words(std::size_t bytes, cudaStream_t stream, VersionedWords& words) const {
        auto* const control = static_cast<Word*>(data_);
        words = {control, control + CONTROL_BYTES / sizeof(Word),
                 static_cast<unsigned>(((workspace_ ? size_ : bytes) - CONTROL_BYTES) / sizeof(Word))};
        if (workspace_ != nullptr) {
            words.step |= workspace_->calls_++ << 24;
            words.overlaps = workspace_->overlaps_;
            return cudaSuccess;
        }
        words.overlaps = reinterpret_cast<volatile unsigned*>(control + 1);
        return cudaMemsetAsync(data_, 0, bytes, stream);
    }

    /// The words alone, for calls that clear them themselves.
    void* after_control() const { return static_cast<char*>(data_) + CONTROL_BYTES; }

   private:
    using Word = VersionedWords::Word;
    void* data_;
    std::size_t size_;
    const Workspace* workspace_ = nullptr;
};

}  // namespace trial
