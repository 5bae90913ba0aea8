// Stream compaction of long vectors at the speed of a copy: the ring of fast/detail/scan_ring, with counts for
// sums.
//
//     producer          ticket, bulk load | next     | next      | ..           1 warp
//     count             .        what each warp and the tile keep: published | 8 warps
//     look-ahead        .        .         what all tiles before keep | ..      1 warp
//     pack              .        rank      .           pack in place, bulk store 8 warps
//                       stage 0 of the ring, stage 1 follows one step behind, ..
//
// Each element is read from global memory once, and asked for twice in shared memory: whoever counts a tile
// publishes at once, and whoever packs it ranks while the sum of all tiles before is still on its way. Each
// warp packs and stores its share by itself, without a block barrier. Order is kept. A tile's count has 32
// bits, so statuses are words of 8 bytes; sums of groups of them have 64.
// Forward progress: as of fast/detail/scan_ring.
//
// Work: 2 n predicates, 6 shuffles of a warp for 4 rows of 32 words of up to 7 elements, or 2 rows of more,
// to rank, and less than 2 additions a tile and block for looking ahead. Bytes: n elements read, the kept
// ones written, and the statuses. launches 1, and 0 for n = 0, which is a memset. Nothing is initialised
// between calls. Source: Billeter, Olsson and Assarsson, "Efficient stream compaction on wide SIMD many-core
// architectures", HPG 2009; in one pass: Merrill and Garland, NVR-2016-002, 2016, section 5; the ring:
// fast/detail/scan_ring.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "kernels/fast/detail/compact_ring.cuh"
#include "kernels/fast/detail/workspace.cuh"
#include "kernels/launch.cuh"

/// Elements: trivially copyable, made without arguments, 1 to 16 bytes. For GPUs from sm_90 on; the same on
/// others: fast/detail/compact_look_ahead.
template <class T, class Predicate, class Policy = CompactRingPolicy<T>>
class RingCompaction {
   public:
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "an element is its bytes, 16 at most");

    /// Make room on the current device for the counts of up to `capacity` elements. Throws nothing; see
    /// status().
    explicit RingCompaction(long long capacity)
        : workspace_(ring_bytes<Policy>(capacity)), status_(workspace_.status()) {
        if (status_ == cudaSuccess && !workspace_.has_bulk_copies()) status_ = cudaErrorNotSupported;
        if constexpr (Policy::HAS_WORDS) make_room<true>();
        if constexpr (Policy::HAS_OTHERS) make_room<false>();
    }

    /// cudaSuccess, or why this cannot be used.
    cudaError_t status() const { return status_; }

    /// Copy those of in[0 .. n-1] that `keep` wants to out[0 .. *number-1], in their order, 0 <= n <=
    /// capacity, all on the device. out has room for them, and must not overlap in; nothing behind them is
    /// written. Calls on one workspace must not overlap; a CUDA graph may capture them. Errors show in
    /// cudaGetLastError.
    void operator()(const T* in, T* out, long long* number, long long n, Predicate keep,
                    cudaStream_t stream) {
        const CompactProblem<T> problem = {in, out, number, n};
        if (n == 0) {
            (void)cudaMemsetAsync(number, 0, sizeof(*number), stream);
        } else if constexpr (!Policy::HAS_WORDS) {
            run<false>(problem, keep, stream);
        } else if constexpr (!Policy::HAS_OTHERS) {
            run<true>(problem, keep, stream);
        } else {
            const bool has_words = reinterpret_cast<std::uintptr_t>(in) % sizeof(T) == 0;
            has_words ? run<true>(problem, keep, stream) : run<false>(problem, keep, stream);
        }
    }

   private:
    template <bool IN_WORDS>
    using Tiles = typename Policy::template Tiles<IN_WORDS>;
    template <bool IN_WORDS>
    static constexpr auto KERNEL = compact_ring<Policy, Tiles<IN_WORDS>, T, Predicate>;
    template <bool IN_WORDS>
    static constexpr std::size_t ROOM = sizeof(CompactStages<Policy, Tiles<IN_WORDS>>);

    template <bool IN_WORDS>
    void make_room() {
        if (status_ != cudaSuccess) return;
        status_ = cudaFuncSetAttribute(KERNEL<IN_WORDS>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(ROOM<IN_WORDS>));
    }
    template <bool IN_WORDS>
    void run(const CompactProblem<T>& problem, Predicate keep, cudaStream_t stream) {
        const long long count = Tiles<IN_WORDS>(problem.in, problem.n).count();
        const long long blocks = std::min<long long>(workspace_.multiprocessors(), count);
        launch_with_shared_memory(KERNEL<IN_WORDS>, blocks, ring_threads<Tiles<IN_WORDS>>(), ROOM<IN_WORDS>,
                                  stream, problem, workspace_.words(), keep);
    }

    Workspace workspace_;
    cudaError_t status_;
};
