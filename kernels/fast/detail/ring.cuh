// The ring of pipeline stages in shared memory through which the warps of a block pass tiles:
// fast/detail/scan_ring and fast/select.
//
//     producer --full--> reduce --reduced--> store --empty--> producer
//                 \----> look-ahead --prefixed--/
//
// Each stage has one barrier for each arrow. The warp that publishes a tile's sum arrives at `empty` as well,
// because it may read the sums of the warps after the other warps have moved on. What orders the accesses:
//
//     what            written by    after      read by              after      overwritten after
//     space           copy engine   empty      reduce, store        full       reduced: by store, in place
//     sums            reduce        full       store, publisher     reduced    empty, full
//     prefixes        look-ahead    full       store                prefixed   empty, full
//     tiles           producer      empty      all others           full       empty
//
// After __syncwarp() one lane arrives for its warp. Race detectors attribute an arrival to that lane alone;
// for them a policy sets ARRIVALS = 32, and every lane arrives.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/fast/detail/bulk_copy.cuh"
#include "kernels/fast/detail/copy_bytes.cuh"
#include "kernels/fast/detail/device.cuh"
#include "kernels/fast/memory.cuh"
#include "kernels/launch.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"
#include "kernels/versioned_words.cuh"

namespace trial {

/// Shared memory of a block. The barriers of stage s complete phase p when stage s is used for the p-th time.
/// Sum: of a warp's chunk of a tile. Total: of tiles.
template <class Policy, class Tiles, class Sum, class Total>
struct RingStages {
    static constexpr int STAGES = Policy::STAGES, WARPS = Tiles::THREADS / 32;
    alignas(128) char space[STAGES][Tiles::SPACE];
    alignas(16) Sum sums[STAGES][WARPS];
    Total prefixes[STAGES];   ///< seed and all tiles before; unset for tile 0 without a seed
    long long tiles[STAGES];  ///< number of the tile, or END
    unsigned version;         ///< of the call
    Mbarrier full[STAGES], reduced[STAGES], prefixed[STAGES], empty[STAGES];

    static constexpr long long END = -1;

    struct WarpSums {
        Sum of[WARPS];
    };
    /// The sums of all warps, loaded in words of 16 bytes if they fill whole ones.
    __device__ WarpSums sums_of_warps(int stage) const {
        using Word = std::conditional_t<sizeof(WarpSums) % 16 == 0, unsigned __int128, Sum>;
        Word words[sizeof(WarpSums) / sizeof(Word)];
#pragma unroll
        for (unsigned k = 0; k < sizeof(words) / sizeof(Word); ++k)
            words[k] = reinterpret_cast<const Word*>(sums[stage])[k];
        WarpSums found;
        memcpy(&found, words, sizeof(words));
        return found;
    }

    __device__ void init() {
        for (int s = 0; s < STAGES; ++s) {
            full[s].init(Policy::ARRIVALS);
            reduced[s].init(WARPS * Policy::ARRIVALS);
            prefixed[s].init(1);
            empty[s].init(WARPS + 1);  // the store warps, and the publishing warp
        }
    }
};

/// A stage of the ring, and the parity of its phase.
template <int STAGES>
struct RingPlace {
    int stage = 0;
    unsigned parity = 0;
    __device__ void advance() {
        if (++stage < STAGES) return;
        stage = 0;
        parity ^= 1;
    }
};

// The warp roles that fast/detail/scan_ring and fast/select share: load tiles, publish their sums, look
// ahead, and release stages.
//
//     warp             0          1            2 .. WARPS + 1     the other WARPS
//     role             produce    look_ahead   reduce_tiles       store_tiles

/// Threads of a block: a producer warp, a look-ahead warp, and Tiles::THREADS each to reduce and to store.
template <class Tiles>
constexpr int ring_threads() {
    return 64 + 2 * Tiles::THREADS;
}

/// The warp roles of a block. Whole warps call each role, once. Memory: RingStages.
template <class Policy, class Tiles, class Problem_, class Op_, class Memory_>
struct RingRoles {
    using Problem = Problem_;
    using Op = Op_;
    using Memory = Memory_;
    using T = typename Problem::Element;
    using Sums = typename Policy::Sums;  ///< the published sums of tiles
    using Place = RingPlace<Policy::STAGES>;
    static constexpr int WARPS = Memory::WARPS, CHUNK = 32 * Tiles::ITEMS_PER_THREAD;  // elements of a warp
    static_assert(Policy::STAGES >= 3, "one is stored, one is processed, one is loaded");
    static_assert(sizeof(Memory) <= 227 * 1024, "exceeds the shared memory of a block on sm_90");

    Memory& ring;
    const Problem& problem;
    const Tiles& tiles;
    const VersionedWords& workspace;
    Op op;
    int lane = threadIdx.x % 32;
    int warp = (threadIdx.x / 32 - 2) % WARPS;  // of those that reduce or store

    /// Prefetch the first tiles into the L2 cache while the first tickets are in flight. Whichever block
    /// takes them, these are the first tiles that the grid loads.
    __device__ void prefetch() const {
        const long long tile = blockIdx.x + static_cast<long long>(lane) * gridDim.x;
        if (lane >= static_cast<int>(Policy::LOADS_IN_FLIGHT) || tile >= tiles.count()) return;
        const T* const from = problem.in + tiles.first(tile) + tiles.begin(tile);
        const Pieces pieces(from, bytes_of(tile));
        if (pieces.body > 0) bulk_prefetch(reinterpret_cast<const char*>(from) + pieces.head, pieces.body);
    }

    /// ticket: the block's first, in lane 0.
    __device__ void produce(Ticket ticket) {
        const unsigned count = static_cast<unsigned>(tiles.count());
        Place at, loading;
        for (unsigned k = 0;; ++k, at.advance()) {
            ring.empty[at.stage].wait(at.parity ^ 1);                  // does not block in the first round
            if (lane == 0 && k > 0) ticket = workspace.take_ticket();  // in flight while the warp waits
            if (k >= Policy::LOADS_IN_FLIGHT) {
                ring.full[loading.stage].wait(loading.parity);
                loading.advance();
            }
            ticket.word = __shfl_sync(ALL_LANES, ticket.word, 0);
            const unsigned tile = ticket.number(), version = ticket.version();
            if (lane == 0 && k == 0) ring.version = version;
            const bool ends = tile >= count;
            if (lane == 0) ring.tiles[at.stage] = ends ? Memory::END : tile;
            if (ends) {
                if (lane == 0) workspace.end_call(ticket, count + gridDim.x, count * Sums::WORDS);
                if (lane < Policy::ARRIVALS) ring.full[at.stage].arrive();
                return;
            }
            const int begin = tiles.begin(tile);
            char* const to = ring.space[at.stage] + tiles.shift + begin * sizeof(T);
            copy_in<Policy::ARRIVALS>(to,
                                      reinterpret_cast<const char*>(problem.in + tiles.first(tile) + begin),
                                      bytes_of(tile), ring.full[at.stage]);
        }
    }

    /// reduce(tile, place) writes the sum of the warp's chunk to the ring. add_up(place) returns the sum of
    /// all warps' sums, once all warps have reduced the tile; one lane calls it, of one warp after the other.
    template <class Reduce, class AddUp>
    __device__ void reduce_tiles(Reduce reduce, AddUp add_up) {
        int publisher = 0;
        for (Place at;; at.advance(), publisher = (publisher + 1) % WARPS) {
            const long long tile = wait_until_full(at);
            if (tile == Memory::END) return;
            reduce(tile, at);
            __syncwarp();
            if (lane < Policy::ARRIVALS) ring.reduced[at.stage].arrive();
            if (warp != publisher) continue;

            ring.reduced[at.stage].wait(at.parity);
            if (lane == 0) Sums(workspace, ring.version).write(tile, add_up(at));
            __syncwarp();
            if (lane == 0) ring.empty[at.stage].arrive();
        }
    }

    /// If DEFER_LOOKAHEAD, waits until the next tile is full before it polls for this one: by then most sums
    /// before it are published, and a failed poll slows all blocks down, because they load the same lines.
    /// Not in the last two rounds, where the delay would be visible. seed: the exclusive prefix of tile 0.
    template <class Total, class Op>
    __device__ void look_ahead(Prefix<Total> seed, Op op) {
        typename Policy::Ahead ahead(seed);
        const long long last_rounds = tiles.count() - 2LL * gridDim.x;
        for (Place at, next;; at = next) {
            const long long tile = wait_until_full(at);
            if (tile == Memory::END) return;
            next.advance();
            if (Policy::Ahead::DEFER_LOOKAHEAD && tile < last_rounds) ring.full[next.stage].wait(next.parity);
            const Prefix<Total> prefix = ahead.exclusive_prefix(tile, Sums(workspace, ring.version), op);
            __syncwarp();  // all lanes have read the tile's number, which the arrival lets go
            if (lane != 0) continue;
            ring.prefixes[at.stage] = prefix.value;
            ring.prefixed[at.stage].arrive();
        }
    }

    /// store(tile, place) stores the results of the warp's chunk. A stage is released one tile later, because
    /// the copy engine still reads it while the next tile is processed.
    template <class Store>
    __device__ void store_tiles(Store store) {
        Place at, stored;
        for (bool first = true;; at.advance(), first = false) {
            const long long tile = wait_until_full(at);
            if (tile == Memory::END) break;
            store(tile, at);
            __syncwarp();
            if (lane != 0) continue;
            cp_async_bulk_commit_group();
            if (first) continue;
            cp_async_bulk_wait_group_read<1>();
            ring.empty[stored.stage].arrive();
            stored.advance();
        }
        if (lane == 0) cp_async_bulk_wait_group_read<0>();
    }

   private:
    __device__ long long wait_until_full(Place at) {
        ring.full[at.stage].wait(at.parity);
        return ring.tiles[at.stage];
    }
    __device__ int bytes_of(long long tile) const {
        return (tiles.end(tile) - tiles.begin(tile)) * static_cast<int>(sizeof(T));
    }
};

/// Assign the roles to the warps of a block and run them.
template <class Roles>
__device__ void play_roles(Roles roles) {
    const int warp = threadIdx.x / 32;
    Ticket ticket;
    if (warp == 0) roles.prefetch();
    if (threadIdx.x == 0) {
        ticket = roles.workspace.take_ticket();
        roles.ring.init();
        fence_mbarrier_init();
    }
    __syncthreads();
    if (warp == 0)
        roles.produce(ticket);
    else if (warp == 1)
        roles.look_ahead();
    else if (warp < 2 + Roles::WARPS)
        roles.reduce();
    else
        roles.store();
}

/// Bytes of a workspace for a ring of this policy and vectors of up to n elements.
template <class Policy>
std::size_t ring_bytes(long long n) {
    constexpr int LEAD = 16;                            // places of tile 0 before the vector: fewer than this
    constexpr int GROUP = 32 * Policy::TILES_PER_LANE;  // the look-ahead loads whole groups
    const long long groups = ceil_div(ceil_div(n + LEAD, Policy::SMALLEST_TILE), GROUP);
    return bytes_of_words<typename Policy::Sums::Value>(groups * GROUP);
}

/// run(std::true_type) if the vector consists of whole words as Policy::Tiles divides it, else
/// run(std::false_type): by tiles of single elements.
template <class Policy, class T, class Run>
cudaError_t by_kind_of_tiles(const T* vector, Run run) {
    if constexpr (Policy::HAS_WORD_TILES && Policy::HAS_ELEMENT_TILES) {
        if (reinterpret_cast<std::uintptr_t>(vector) % sizeof(T) != 0) return run(std::false_type{});
    }
    return run(std::bool_constant<Policy::HAS_WORD_TILES>{});
}

/// Queue a ring's kernel, on at most one block for each multiprocessor.
template <class Tiles, class Stages, class Kernel, class Problem, class... Arguments>
cudaError_t queue_ring(Kernel kernel, SharedMemoryLeave& leave, const Device& device, cudaStream_t stream,
                       const Problem& problem, const Arguments&... arguments) {
    const cudaError_t status = leave.ask(kernel, sizeof(Stages), device);
    if (status != cudaSuccess) return status;
    const long long blocks =
        std::min<long long>(device.multiprocessors, Tiles(problem.in, problem.n).count());
    return launch_with_shared_memory(kernel, static_cast<unsigned>(blocks), ring_threads<Tiles>(),
                                     sizeof(Stages), stream, problem, arguments...);
}

}  // namespace trial
