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
// fast/detail/scan_ring.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "kernels/fast/detail/compact_ring.cuh"
#include "kernels/fast/detail/workspace.cuh"
#include "kernels/launch.cuh"

/// Elements: trivially copyable, default-constructible, 1 to 16 bytes. Requires sm_90 or newer;
/// for older GPUs: fast/detail/compact_look_ahead.
template <class T, class Predicate, class Policy = CompactRingPolicy<T>>
class RingCompaction {
   public:
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "elements are copied as <= 16 bytes");

    /// Allocate the counts for up to `capacity` elements on the current device. Does not throw; see status().
    explicit RingCompaction(long long capacity)
        : workspace_(ring_bytes<Policy>(capacity)), status_(workspace_.status()) {
        if (status_ == cudaSuccess && !workspace_.has_bulk_copies()) status_ = cudaErrorNotSupported;
        if constexpr (Policy::HAS_WORD_TILES) allow_shared_memory<true>();
        if constexpr (Policy::HAS_ELEMENT_TILES) allow_shared_memory<false>();
    }

    /// cudaSuccess; cudaErrorNotSupported on a GPU without bulk copies; or why the allocation failed.
    cudaError_t status() const { return status_; }

    /// Copy the elements of in[0 .. n-1] that `predicate` selects to out[0 .. *num_selected-1], in their
    /// order, 0 <= n <= capacity, all on the device. out has room for them and must not overlap in; no place
    /// after them is written. Calls on one object must not overlap; a CUDA graph may capture them.
    /// cudaGetLastError reports errors.
    void operator()(const T* in, T* out, long long* num_selected, long long n, Predicate predicate,
                    cudaStream_t stream) {
        const CompactProblem<T> problem = {in, out, num_selected, n};
        if (n == 0) {
            (void)cudaMemsetAsync(num_selected, 0, sizeof(*num_selected), stream);
        } else if constexpr (!Policy::HAS_WORD_TILES) {
            run<false>(problem, predicate, stream);
        } else if constexpr (!Policy::HAS_ELEMENT_TILES) {
            run<true>(problem, predicate, stream);
        } else {
            const bool in_words = reinterpret_cast<std::uintptr_t>(in) % sizeof(T) == 0;
            in_words ? run<true>(problem, predicate, stream) : run<false>(problem, predicate, stream);
        }
    }

   private:
    template <bool IN_WORDS>
    using Tiles = typename Policy::template Tiles<IN_WORDS>;
    template <bool IN_WORDS>
    static constexpr auto KERNEL = compact_ring<Policy, Tiles<IN_WORDS>, T, Predicate>;
    template <bool IN_WORDS>
    static constexpr std::size_t SHARED_BYTES = sizeof(CompactStages<Policy, Tiles<IN_WORDS>>);

    template <bool IN_WORDS>
    void allow_shared_memory() {
        if (status_ != cudaSuccess) return;
        status_ = cudaFuncSetAttribute(KERNEL<IN_WORDS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(SHARED_BYTES<IN_WORDS>));
    }
    template <bool IN_WORDS>
    void run(const CompactProblem<T>& problem, Predicate predicate, cudaStream_t stream) {
        const long long count = Tiles<IN_WORDS>(problem.in, problem.n).count();
        const long long blocks = std::min<long long>(workspace_.multiprocessors(), count);
        launch_with_shared_memory(KERNEL<IN_WORDS>, blocks, ring_threads<Tiles<IN_WORDS>>(),
                                  SHARED_BYTES<IN_WORDS>, stream, problem, workspace_.words(), predicate);
    }

    Workspace workspace_;
    cudaError_t status_;
};
