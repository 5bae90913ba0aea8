// The ring of stages in shared memory by which the warps of a block hand on tiles: fast/detail/scan_ring and
// fast/compact.
//
//     producer --landed--> reduce --reduced--> store --emptied--> producer
//                  \-----> look-ahead --prefixed--/
//
// One barrier a stage for each arrow. The warp that publishes a tile's sum empties the stage as well, as it
// reads the sums of the warps after the others may have gone on. What orders the accesses:
//
//     what            written by    after      read by              after      written anew after
//     space           copy engine   emptied    reduce, store        landed     reduced: by store, in place
//     sums            reduce        landed     store, publisher     reduced    emptied, landed
//     prefixes        look-ahead    landed     store                prefixed   emptied, landed
//     tiles           producer      emptied    all others           landed     emptied
//
// A warp that has met, __syncwarp(), arrives by one lane, which speaks for all. Tools that look for races
// know arrivals of the lane itself only: with ARRIVALS = 32 of a policy each speaks for itself.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/bulk_copy.cuh"
#include "kernels/fast/detail/copy_bytes.cuh"
#include "kernels/fast/detail/workspace.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"
#include "kernels/versioned_words.cuh"

/// Shared memory of a block. Barriers of stage s end phase p when stage s is used for the p-th time. Sum: of
/// a warp's share of a tile. Total: of tiles.
template <class Policy, class Tiles, class Sum, class Total>
struct RingStages {
    static constexpr int STAGES = Policy::STAGES, WARPS = Tiles::THREADS / 32;
    alignas(128) char space[STAGES][Tiles::SPACE];
    Sum sums[STAGES][WARPS];
    Total prefixes[STAGES];   ///< seed and all tiles before; none for tile 0 without a seed
    long long tiles[STAGES];  ///< number of the tile, or END
    unsigned version;         ///< of the call
    Mbarrier full[STAGES], reduced[STAGES], prefixed[STAGES], empty[STAGES];

    static constexpr long long END = -1;

    __device__ void init() {
        for (int s = 0; s < STAGES; ++s) {
            full[s].init(Policy::ARRIVALS);
            reduced[s].init(WARPS * Policy::ARRIVALS);
            prefixed[s].init(1);
            empty[s].init(WARPS + 1);  // warps that store, and the warp that reads the sums to publish
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

// The roles of the warps of a block with a ring of tiles, as far as fast/detail/scan_ring and fast/compact
// have them in common: to load tiles, to publish their sums, to look ahead, and to give stages back. Who
// waits for whom is told in fast/detail/ring_stages.
//
//     warp             0          1            2 .. WARPS + 1     the other WARPS
//     role             produce    look_ahead   reduce_tiles       store_tiles

/// Threads of a block: the producer, the look-ahead, warps that reduce, and as many that store.
template <class Tiles>
constexpr int ring_threads() {
    return 64 + 2 * Tiles::THREADS;
}

/// A block's roles. Each is played by whole warps, which call it once. Memory: RingStages.
template <class Policy, class Tiles, class Problem_, class Op_, class Memory_>
struct RingRoles {
    using Problem = Problem_;
    using Op = Op_;
    using Memory = Memory_;
    using T = typename Problem::Element;
    using Sums = typename Policy::Sums;  ///< by which blocks tell one another the sums of tiles
    using Place = RingPlace<Policy::STAGES>;
    static constexpr int WARPS = Memory::WARPS, CHUNK = 32 * Tiles::ITEMS_PER_THREAD;  // elements of a warp
    static_assert(Policy::STAGES >= 3, "one is stored, one is worked on, and one lands");
    static_assert(sizeof(Memory) <= 227 * 1024, "a block of sm_90 has no more shared memory");

    Memory& ring;
    const Problem& problem;
    const Tiles& tiles;
    const VersionedWords& workspace;
    Op op;
    int lane = threadIdx.x % 32;
    int warp = (threadIdx.x / 32 - 2) % WARPS;  // of those that reduce or store

    /// Have the first tiles brought to the cache while the first tickets are on their way: whoever gets them,
    /// all blocks together load these.
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
            ring.empty[at.stage].wait(at.parity ^ 1);                  // passes at once the first time round
            if (lane == 0 && k > 0) ticket = workspace.take_ticket();  // on its way while the warp waits
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
                if (lane == 0 && tile == count + gridDim.x - 1)
                    workspace.end_call(version, count * Sums::WORDS);
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

    /// reduce(tile, place) leaves the sum of the warp's share in the ring; add_up(place), of a tile that all
    /// warps are done with, returns the sum of their sums, which one warp after the other publishes.
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
            const auto sum = add_up(at);
            if (lane == 0) Sums(workspace, ring.version).write(tile, sum);
            __syncwarp();
            if (lane == 0) ring.empty[at.stage].arrive();
        }
    }

    /// If patient, looks for a tile when the next one has landed, as by then most sums before it are
    /// published: each look in vain slows all blocks down, as they read the same lines. Not so in the last
    /// two rounds, when time counts. seed: what comes before tile 0.
    template <class Total, class Op>
    __device__ void look_ahead(Prefix<Total> seed, Op op) {
        typename Policy::Ahead ahead(seed);
        const long long last_rounds = tiles.count() - 2LL * gridDim.x;
        for (Place at, next;; at = next) {
            const long long tile = wait_until_full(at);
            if (tile == Memory::END) return;
            next.advance();
            if (Policy::Ahead::DEFER_LOOKAHEAD && tile < last_rounds) ring.full[next.stage].wait(next.parity);
            const Prefix<Total> before = ahead.exclusive_prefix(tile, Sums(workspace, ring.version), op);
            if (lane == 0) ring.prefixes[at.stage] = before.value;
            if (lane == 0) ring.prefixed[at.stage].arrive();
        }
    }

    /// store(tile, place) stores what comes of the warp's share. A stage is emptied one tile late, as the
    /// engine reads it while the next tile is worked on.
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

/// Give each warp of a block its role.
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
    constexpr int LEAD = 16;                          // elements of tile 0 before the vector, fewer than this
    constexpr int GROUP = 32 * Policy::TILES_A_LANE;  // which the look-ahead reads to its end
    const long long groups = ceil_div(ceil_div(n + LEAD, Policy::SMALLEST_TILE), GROUP);
    return Workspace::bytes<typename Policy::Sums::Value>(groups * GROUP);
}
