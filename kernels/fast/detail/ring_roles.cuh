// The roles of the warps of a block with a ring of tiles, as far as fast/detail/scan_ring and fast/compact
// have them in common: to load tiles, to publish their sums, to look ahead, and to give stages back. Who
// waits for whom is told in fast/detail/ring_stages.
//
//     warp             0          1            2 .. WARPS + 1     the other WARPS
//     role             produce    look_ahead   reduce_tiles       store_tiles
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/copy_bytes.cuh"
#include "kernels/fast/detail/epoch_status.cuh"
#include "kernels/fast/detail/ring_stages.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"

/// Threads of a block: the producer, the look-ahead, warps that reduce, and as many that store.
template <class Tiles>
constexpr int ring_threads() {
    return 64 + 2 * Tiles::THREADS;
}

/// A block's roles. Each is played by whole warps, which call it once. Memory: RingStages.
template <class Policy, class Tiles, class T, class Memory>
struct RingRoles {
    using Status = typename Policy::Status;  ///< by which blocks tell one another the sums of tiles
    using Place = RingPlace<Policy::STAGES>;
    static constexpr int WARPS = Memory::WARPS, SHARE = 32 * Tiles::ITEMS;  // elements of a warp
    static_assert(Policy::STAGES >= 3, "one is stored, one is worked on, and one lands");
    static_assert(sizeof(Memory) <= 227 * 1024, "a block of sm_90 has no more shared memory");

    Memory& ring;
    const T* in;
    const Tiles& tiles;
    const ScanMemory& kept;  // between calls
    int lane = threadIdx.x % 32;
    int warp = (threadIdx.x / 32 - 2) % WARPS;  // of those that reduce or store

    /// Have the first tiles brought to the cache while the first tickets are on their way: whoever gets them,
    /// all blocks together load these.
    __device__ void prefetch() const {
        const long long tile = blockIdx.x + static_cast<long long>(lane) * gridDim.x;
        if (lane >= static_cast<int>(Policy::LOADS) || tile >= tiles.count()) return;
        const T* const from = in + tiles.first(tile) + tiles.begin(tile);
        const Pieces pieces(from, bytes_of(tile));
        if (pieces.body > 0) bulk_prefetch(reinterpret_cast<const char*>(from) + pieces.head, pieces.body);
    }

    /// ticket: the block's first, in lane 0.
    __device__ void produce(unsigned long long ticket) {
        const unsigned count = static_cast<unsigned>(tiles.count());
        Place at, loading;
        for (unsigned k = 0;; ++k, at.advance()) {
            ring.emptied[at.stage].wait(at.parity ^ 1);           // passes at once the first time round
            if (lane == 0 && k > 0) ticket = kept.take_ticket();  // on its way while the warp waits
            if (k >= Policy::LOADS) {
                ring.landed[loading.stage].wait(loading.parity);
                loading.advance();
            }
            ticket = __shfl_sync(ALL_LANES, ticket, 0);
            const unsigned tile = static_cast<unsigned>(ticket);
            const unsigned epoch = static_cast<unsigned>(ticket >> 32) + 1;
            if (lane == 0 && k == 0) ring.epoch = epoch;
            const bool ends = tile >= count;
            if (lane == 0) ring.tiles[at.stage] = ends ? Memory::END : tile;
            if (ends) {
                if (lane == 0 && tile == count + gridDim.x - 1) next_epoch(epoch, count);
                if (lane < Policy::ARRIVALS) ring.landed[at.stage].arrive();
                return;
            }
            const int begin = tiles.begin(tile);
            char* const to = ring.space[at.stage] + tiles.shift + begin * sizeof(T);
            copy_in<Policy::ARRIVALS>(to, reinterpret_cast<const char*>(in + tiles.first(tile) + begin),
                                      bytes_of(tile), ring.landed[at.stage]);
        }
    }

    /// reduce(tile, place) leaves the sum of the warp's share in the ring; add_up(place), of a tile that all
    /// warps are done with, returns the sum of their sums, which one warp after the other publishes.
    template <class Reduce, class AddUp>
    __device__ void reduce_tiles(Reduce reduce, AddUp add_up) {
        int publisher = 0;
        for (Place at;; at.advance(), publisher = (publisher + 1) % WARPS) {
            const long long tile = landed(at);
            if (tile == Memory::END) return;
            reduce(tile, at);
            __syncwarp();
            if (lane < Policy::ARRIVALS) ring.reduced[at.stage].arrive();
            if (warp != publisher) continue;

            ring.reduced[at.stage].wait(at.parity);
            const auto sum = add_up(at);
            if (lane == 0) Status(kept, ring.epoch).write(tile, sum);
            __syncwarp();
            if (lane == 0) ring.emptied[at.stage].arrive();
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
            const long long tile = landed(at);
            if (tile == Memory::END) return;
            next.advance();
            if (Policy::Ahead::IS_PATIENT && tile < last_rounds) ring.landed[next.stage].wait(next.parity);
            const Prefix<Total> before = ahead.before(tile, Status(kept, ring.epoch), op);
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
            const long long tile = landed(at);
            if (tile == Memory::END) break;
            store(tile, at);
            __syncwarp();
            if (lane != 0) continue;
            end_group_of_stores();
            if (first) continue;
            wait_until_read<1>();
            ring.emptied[stored.stage].arrive();
            stored.advance();
        }
        if (lane == 0) wait_until_read<0>();
    }

   private:
    __device__ long long landed(Place at) {
        ring.landed[at.stage].wait(at.parity);
        return ring.tiles[at.stage];
    }
    __device__ int bytes_of(long long tile) const {
        return (tiles.end(tile) - tiles.begin(tile)) * static_cast<int>(sizeof(T));
    }
    __device__ void next_epoch(unsigned epoch, unsigned count) {
        kept.next_epoch(epoch, count * Status::NARROW, count * Status::WIDE);
    }
};
