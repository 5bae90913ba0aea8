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

#include "kernels/fast/detail/compact_ring_roles.cuh"
#include "kernels/fast/detail/workspace.cuh"

/// n >= 1. Grid: as many blocks as can be resident, or tiles, if they are fewer. Dynamic shared memory:
/// CompactStages.
template <class Policy, class Tiles, class T, class Predicate>
__global__ void __launch_bounds__(ring_threads<Tiles>(), 1)
    compact_ring(const __grid_constant__ CompactProblem<T> problem, const __grid_constant__ ScanMemory kept,
                 Predicate keep) {
#if __CUDA_ARCH__ >= 900  // bulk copies
    using Roles = CompactRoles<Policy, Tiles, T, Predicate>;
    extern __shared__ __align__(128) char memory[];
    auto& ring = *reinterpret_cast<typename Roles::Memory*>(memory);
    const Tiles tiles(problem.in, problem.n);
    const int warp = threadIdx.x / 32;

    Roles roles(ring, problem, tiles, kept, keep);
    unsigned long long ticket = 0;
    if (warp == 0) roles.prefetch();
    if (threadIdx.x == 0) {
        ticket = kept.take_ticket();
        ring.init();
        show_barriers();
    }
    __syncthreads();
    if (warp == 0)
        roles.produce(ticket);
    else if (warp == 1)
        roles.look_ahead();
    else if (warp < 2 + Roles::WARPS)
        roles.count();
    else
        roles.pack();
#endif
}

/// How the ring is cut. STAGES: of BYTES bytes a thread. LOADS: tiles on their way to a block at a time.
/// UNIT_BYTES: that a lane ranks at a time; 4, 8 or 16. By benchmarks that are not kept, on an NVIDIA H200,
/// 2^28 elements of 4 bytes of which half is kept, of the throughput of a copy of as many bytes: 7 stages of
/// 112 bytes 0.96, 6 of 128 0.96, 5 of 160 0.93, 7 of 80 0.82; units of 16 and 8 bytes 0.96, of 4 0.81.
template <class T, int STAGES_ = 7, unsigned LOADS_ = 2, int BYTES = 112, int UNIT_BYTES_ = 16>
struct CompactRingPolicy {
    static constexpr int STAGES = STAGES_, ARRIVALS = 1, THREADS = 256, TILES_A_LANE = 4, GROUPS = 3;
    static constexpr unsigned LOADS = LOADS_;
    static constexpr int UNIT_BYTES = UNIT_BYTES_;
    template <bool IN_WORDS>
    using Tiles = RingTiles<T, IN_WORDS, THREADS, BYTES, false>;  // rows have no conflicts to avoid
    static constexpr bool HAS_WORDS = 16 % sizeof(T) == 0;
    /// Whether an element may lie so that words of 16 bytes cut elements in two.
    static constexpr bool HAS_OTHERS = !HAS_WORDS || alignof(T) < sizeof(T);
    static constexpr int SMALLEST_TILE = Tiles<!HAS_OTHERS>::TILE;
    using Status = EpochStatus<unsigned>;  ///< by which blocks tell one another what tiles keep
    using Ahead = LookAhead<unsigned, TILES_A_LANE, GROUPS, true, long long>;
};

/// Elements: trivially copyable, made without arguments, 1 to 16 bytes. For GPUs from sm_90 on; the same on
/// others: fast/detail/compact_look_ahead.
template <class T, class Predicate, class Policy = CompactRingPolicy<T>>
class RingCompaction {
   public:
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 16, "an element is its bytes, 16 at most");

    /// Make room on the current device for the counts of up to `capacity` elements. Throws nothing; see
    /// status().
    explicit RingCompaction(long long capacity)
        : workspace_(ScanWorkspace::ring_bytes<Policy>(capacity)), status_(workspace_.status()) {
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
            launch<false>(problem, keep, stream);
        } else if constexpr (!Policy::HAS_OTHERS) {
            launch<true>(problem, keep, stream);
        } else {
            const bool has_words = reinterpret_cast<std::uintptr_t>(in) % sizeof(T) == 0;
            has_words ? launch<true>(problem, keep, stream) : launch<false>(problem, keep, stream);
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
    void launch(const CompactProblem<T>& problem, Predicate keep, cudaStream_t stream) {
        const long long count = Tiles<IN_WORDS>(problem.in, problem.n).count();
        cudaLaunchConfig_t config = {};
        config.gridDim =
            dim3(static_cast<unsigned>(std::min<long long>(workspace_.multiprocessors(), count)));
        config.blockDim = dim3(ring_threads<Tiles<IN_WORDS>>());
        config.dynamicSmemBytes = ROOM<IN_WORDS>;
        config.stream = stream;
        (void)cudaLaunchKernelEx(&config, KERNEL<IN_WORDS>, problem, workspace_.memory(), keep);
    }

    ScanWorkspace workspace_;
    cudaError_t status_;
};
