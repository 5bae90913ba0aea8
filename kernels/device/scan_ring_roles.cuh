// The roles of the warps of a block of device/scan_ring: what each does with a tile when its turn comes. Who
// waits for whom is told in device/scan_ring_stages.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/device/copy_bytes.cuh"
#include "kernels/device/epoch_status.cuh"
#include "kernels/device/scan_problem.cuh"
#include "kernels/device/scan_ring_stages.cuh"
#include "kernels/device/scan_ring_tiles.cuh"
#include "kernels/prefix.cuh"
#include "kernels/warp/scan_kogge_stone.cuh"

/// A block's roles. Each is played by whole warps, which call it once.
template <class Policy, Form FORM, class Tiles, class T, class Op>
struct RingRoles {
    using Status = typename Policy::Status;  ///< by which blocks tell one another the sums of tiles
    using Memory = Ring<Policy, Tiles, T>;
    using Place = RingPlace<Policy::STAGES>;
    static constexpr int WARPS = Memory::WARPS, SHARE = 32 * Tiles::ITEMS;  // elements of a warp
    static_assert(Policy::STAGES >= 3, "one is stored, one is scanned, and one lands");
    static_assert(sizeof(Memory) <= 227 * 1024, "a block of sm_90 has no more shared memory");

    Memory& ring;
    const ScanProblem<T>& problem;
    const Tiles& tiles;
    const ScanMemory& kept;
    Op op;
    int lane = threadIdx.x % 32, warp = (threadIdx.x / 32 - 2) % WARPS;  // of those that reduce or scan

    /// Have the first tiles brought to the cache while the first tickets are on their way: whoever gets them,
    /// all blocks together load these.
    __device__ void prefetch() const {
        const long long tile = blockIdx.x + static_cast<long long>(lane) * gridDim.x;
        if (lane >= static_cast<int>(Policy::LOADS) || tile >= tiles.count()) return;
        const T* const from = problem.in + tiles.first(tile) + tiles.begin(tile);
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
                if (lane == 0) ring.landed[at.stage].arrive();
                return;
            }
            const int begin = tiles.begin(tile);
            char* const to = ring.space[at.stage] + tiles.shift + begin * sizeof(T);
            copy_in(to, reinterpret_cast<const char*>(problem.in + tiles.first(tile) + begin), bytes_of(tile),
                    ring.landed[at.stage]);
        }
    }

    __device__ void reduce() {
        int publisher = 0;
        for (Place at;; at.advance(), publisher = (publisher + 1) % WARPS) {
            const long long tile = landed(at);
            if (tile == Memory::END) return;
            const T* const first =
                reinterpret_cast<const T*>(ring.space[at.stage] + tiles.shift) + tiles.begin(tile);
            share(tile, at).fill_behind(tiles.end(tile) - warp * SHARE, *first);
            const T own = share(tile, at).reduce(op);
            const T with = warp_scan(own, true, op);
            ring.offsets[at.stage][32 * warp + lane] = shuffle_up(with, 1);
            if (lane == 31) ring.sums[at.stage][warp] = with;
            __syncwarp();
            if (lane == 0) ring.reduced[at.stage].arrive();
            if (warp != publisher) continue;

            ring.reduced[at.stage].wait(at.parity);
            const T sum = before_warp(WARPS, at).value;
            if (lane == 0) Status(kept, ring.epoch).write(tile, sum);
            __syncwarp();
            if (lane == 0) ring.emptied[at.stage].arrive();
        }
    }

    /// If patient, looks for a tile when the next one has landed, as by then most sums before it are
    /// published: each look in vain slows all blocks down, as they read the same lines. Not so in the last
    /// two rounds, when time counts.
    __device__ void look_ahead() {
        typename Policy::Ahead ahead(problem.first());
        const long long last_rounds = tiles.count() - 2LL * gridDim.x;
        for (Place at, next;; at = next) {
            const long long tile = landed(at);
            if (tile == Memory::END) return;
            next.advance();
            if (Policy::Ahead::IS_PATIENT && tile < last_rounds) ring.landed[next.stage].wait(next.parity);
            const Prefix<T> before = ahead.before(tile, Status(kept, ring.epoch), op);
            if (lane == 0) ring.prefixes[at.stage] = before.value;
            if (lane == 0) ring.prefixed[at.stage].arrive();
        }
    }

    /// A stage is emptied one tile late, as the engine reads it while the next tile is scanned.
    __device__ void scan() {
        Place at, stored;
        for (bool first = true;; at.advance(), first = false) {
            const long long tile = landed(at);
            if (tile == Memory::END) break;
            scan(tile, at);
            show_to_bulk_copies();
            __syncwarp();
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
    __device__ Share<Tiles, T> share(long long tile, Place at) {
        return {tiles, tile, ring.space[at.stage], 32 * warp + lane};
    }
    __device__ int bytes_of(long long tile) const {
        return (tiles.end(tile) - tiles.begin(tile)) * static_cast<int>(sizeof(T));
    }
    /// The sums of the first `warps` warps.
    __device__ Prefix<T> before_warp(int warps, Place at) {
        Prefix<T> before = {{}, false};
#pragma unroll
        for (int w = 0; w < WARPS; ++w) {  // all are read, so that none waits for another one
            const T sum = ring.sums[at.stage][w];
            if (w < warps) before = {append(before, sum, op), true};
        }
        return before;
    }
    /// Scan a tile in place.
    __device__ void scan(long long tile, Place at) {
        ring.reduced[at.stage].wait(at.parity);
        const auto own = share(tile, at);
        const auto words = own.read();
        Prefix<T> within = before_warp(warp, at);
        if (lane > 0) within = {append(within, ring.offsets[at.stage][32 * warp + lane], op), true};
        ring.prefixed[at.stage].wait(at.parity);
        const Prefix<T> prefix = {ring.prefixes[at.stage], tile > 0 || problem.has_seed()};
        own.template scan<FORM>(words, join(prefix, within, op), op);
    }
    /// Store what the warp scanned.
    __device__ void store(long long tile, Place at) {
        const int begin = max(tiles.begin(tile), warp * SHARE),
                  end = min(tiles.end(tile), (warp + 1) * SHARE);
        if (begin >= end) return;
        const int bytes = (end - begin) * static_cast<int>(sizeof(T));
        const char* const from = ring.space[at.stage] + tiles.shift + begin * sizeof(T);
        char* const to = reinterpret_cast<char*>(problem.out + tiles.first(tile) + begin);
        const bool alike = (reinterpret_cast<std::uintptr_t>(to) - shared_address(from)) % 16 == 0;
        alike ? copy_out(to, from, bytes) : copy_out_shifted(to, from, bytes);
    }
    __device__ void next_epoch(unsigned epoch, unsigned count) {
        kept.next_epoch(epoch, count * Status::NARROW, count * Status::WIDE);
    }
};
