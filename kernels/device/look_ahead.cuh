// Looking ahead: one warp adds up the published sums of all tiles before a given one, for ever higher tiles.
//
//     tile        0 .. 31 | 32 .. 63 | 64 .. 95 | 96 97 98 | 99 = ours
//                 group 0   group 1    group 2    the rest
//     kept        seed + G0 + G1                              from the last time
//     added now             + G2 + (96 + 97 + 98)             the latter forgotten again
//
// Each group is added up the same way by everyone, whoever has published when: results have the same bits at
// every call. The statuses of several groups are read at a time. The whole warp reads until all are there: if
// each lane polled for itself, lanes would take turns.
#pragma once
#include <cuda_runtime.h>

#include "kernels/device/epoch_status.cuh"
#include "kernels/prefix.cuh"
#include "kernels/warp/scan_kogge_stone.cuh"
#include "kernels/warp/shuffle_from.cuh"

/// GROUPS: read at a time; those that a wave of blocks fills, and two more for its ends, are best.
template <class T, int GROUPS>
class LookAhead {
   public:
    __device__ explicit LookAhead(Prefix<T> seed) : kept_(seed) {}

    /// Seed and sums of all tiles before `tile`, which ascends from call to call; all lanes get them. Called
    /// by a whole warp. Waits until they are published.
    template <class Op>
    __device__ Prefix<T> before(long long tile, const EpochStatus<T>& status, Op op) {
        for (;;) {
            T sums[GROUPS];
            read(sums, tile, status);
#pragma unroll
            for (int g = 0; g < GROUPS; ++g) sums[g] = warp_scan(sums[g], takes_part(g, tile), op);
#pragma unroll
            for (int g = 0; g < GROUPS; ++g) {
                const long long left = tile - first_;  // tiles from this group on
                const T sum = shuffle_from(sums[g], left < 32 ? max(static_cast<int>(left) - 1, 0) : 31);
                if (left < 32) return left == 0 ? kept_ : Prefix<T>{append(kept_, sum, op), true};
                kept_ = {append(kept_, sum, op), true};
                first_ += 32;
            }
        }
    }

   private:
    __device__ long long mine(int group) const { return first_ + 32 * group + threadIdx.x % 32; }
    __device__ bool takes_part(int group, long long tile) const { return mine(group) < tile; }

    __device__ void read(T (&sums)[GROUPS], long long tile, const EpochStatus<T>& status) const {
        unsigned missing = 0;  // a bit a group
#pragma unroll
        for (int g = 0; g < GROUPS; ++g) missing |= takes_part(g, tile) ? 1u << g : 0u;
        while (__any_sync(ALL_LANES, missing != 0)) {
#pragma unroll
            for (int g = 0; g < GROUPS; ++g) {
                if ((missing >> g & 1) != 0 && status.read(mine(g), sums[g])) missing &= ~(1u << g);
            }
        }
    }

    Prefix<T> kept_;
    long long first_ = 0;  ///< tile that begins the first group not kept yet
};
