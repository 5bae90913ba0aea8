// Stream compaction of long vectors at the speed of a copy: the ring of fast/detail/scan_ring, with counts
// instead of sums.
//
//     producer          ticket, bulk load | next     | next      | ..           1 warp
//     count             .        counts of warps and tile: published | ..       8 warps
//     look-ahead        .        .         selected in all tiles before | ..    1 warp
//     pack              .        rank      .           pack in place, bulk store 8 warps
//                       stage 0 of the ring; stage 1 follows one step later, ..
//
// Each element is read from global memory once, and the predicate is evaluated twice on it in shared memory:
// the count warps publish at once, and the pack warps rank while the sum of all tiles before is still
// outstanding. Each warp packs and stores its chunk without a block barrier. The order of elements is
// preserved. A tile's count has 32 bits, so a status is one 8-byte word; sums of groups of counts have 64
// bits. Forward progress: as for fast/detail/scan_ring.
//
// Work: 2 n predicates; to rank, 6 shuffles of a warp for 4 rows of 32 words of up to 7 elements, or for 2
// rows of larger words; and less than 2 additions a tile and block for the look-ahead. Bytes: n elements
// read, the selected ones written, and the statuses. launches 1; for n = 0, a memset instead. Nothing is
// initialised between calls.
// Source: Billeter, Olsson and Assarsson, "Efficient stream compaction on wide SIMD many-core architectures",
// HPG 2009; in one pass: Merrill and Garland, NVR-2016-002, 2016, section 5; the ring: fast/detail/scan_ring.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "kernels/call_result.cuh"
#include "kernels/fast/detail/compact_look_ahead.cuh"
#include "kernels/fast/detail/compact_ring.cuh"
#include "kernels/fast/detail/workspace.cuh"
#include "kernels/launch.cuh"

/// Elements: trivially copyable, default-constructible, 1 to 16 bytes. On GPUs older than sm_90:
/// fast/detail/compact_look_ahead.
template <class T, class Predicate, class Policy = CompactRingPolicy<T>>
class FastCompaction {
   public:
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "elements are copied as <= 16 bytes");

    /// Allocate the counts for up to `capacity` elements on the current device. Does not throw; see status().
    explicit FastCompaction(long long capacity) : workspace_(bytes_for(capacity)) {
        if (workspace_.status() == cudaSuccess && !workspace_.has_bulk_copies()) portable_.emplace(capacity);
    }

    /// As that of Workspace.
    cudaError_t status() const { return portable_ ? portable_->status() : workspace_.status(); }
    cudaError_t reset(cudaStream_t stream) {
        return portable_ ? portable_->reset(stream) : workspace_.reset(stream);
    }

    /// Copy the elements of in[0 .. n-1] that `predicate` selects to out[0 .. *num_selected-1], in their
    /// order, 0 <= n <= capacity, all on the device. out has room for them and must not overlap in; no place
    /// after them is written. Calls on one object must not overlap; a CUDA graph may capture them.
    CallResult operator()(const T* in, T* out, long long* num_selected, long long n, Predicate predicate,
                          cudaStream_t stream) {
        if (portable_) return (*portable_)(in, out, num_selected, n, predicate, stream);
        const CallResult result = workspace_.check(n, bytes_for);
        if (result != CallResult::success) return result;
        if (n == 0) return result_of(cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream));
        const CompactProblem<T> problem = {in, out, num_selected, n};
        const bool fits = workspace_.shared_bytes() >= MAX_BYTES<Policy>;
        return fits ? run<Policy>(problem, predicate, stream) : run<Small>(problem, predicate, stream);
    }

   private:
    using Small = SmallCompactRingPolicy<T>;
    template <class Of, bool IN_WORDS>
    using Tiles = typename Of::template Tiles<IN_WORDS>;
    template <class Of, bool IN_WORDS>
    static constexpr std::size_t BYTES = sizeof(CompactStages<Of, Tiles<Of, IN_WORDS>>);
    /// Shared memory of a block, for tiles of either kind.
    template <class Of>
    static constexpr std::size_t MAX_BYTES =
        std::max(BYTES<Of, Of::HAS_WORD_TILES>, BYTES<Of, !Of::HAS_ELEMENT_TILES>);

    static std::size_t bytes_for(long long n) {
        return std::max(ring_bytes<Policy>(n), ring_bytes<Small>(n));
    }

    /// By tiles of whole words if the vector has any, else by tiles of single elements.
    template <class Of>
    CallResult run(const CompactProblem<T>& problem, Predicate predicate, cudaStream_t stream) {
        if constexpr (!Of::HAS_WORD_TILES) {
            return run<Of, false>(problem, predicate, stream);
        } else {
            if constexpr (Of::HAS_ELEMENT_TILES) {
                if (reinterpret_cast<std::uintptr_t>(problem.in) % sizeof(T) != 0)
                    return run<Of, false>(problem, predicate, stream);
            }
            return run<Of, true>(problem, predicate, stream);
        }
    }
    template <class Of, bool IN_WORDS>
    CallResult run(const CompactProblem<T>& problem, Predicate predicate, cudaStream_t stream) {
        const auto kernel = compact_ring<Of, Tiles<Of, IN_WORDS>, T, Predicate>;
        const cudaError_t status =
            cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, BYTES<Of, IN_WORDS>);
        if (status != cudaSuccess) return CallResult::cuda_error;
        const long long count = Tiles<Of, IN_WORDS>(problem.in, problem.n).count();
        const long long blocks = std::min<long long>(workspace_.multiprocessors(), count);
        return result_of(launch_with_shared_memory(kernel, blocks, ring_threads<Tiles<Of, IN_WORDS>>(),
                                                   BYTES<Of, IN_WORDS>, stream, problem, workspace_.words(),
                                                   predicate));
    }

    Workspace workspace_;
    std::optional<LookAheadCompaction<T, Predicate>> portable_;
};
