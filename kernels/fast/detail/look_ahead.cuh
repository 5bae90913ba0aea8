// Look-ahead: one warp adds up the published sums of all tiles before a given one, for ascending tiles.
//
//     tile        0 .. 127 | 128 .. 255 | 256 .. 259 | 260 = this one
//                 group 0    group 1      remainder                     32 lanes with 4 tiles each
//     retained    seed + G0                                             from the previous call
//     added now             + G1          + (256 + .. + 259)            the remainder is not retained
//
// Groups begin at fixed tiles, so the grouping does not depend on which tiles are published when: results are
// bitwise reproducible. The loads of all groups are in flight together; only missing sums are polled again.
// The warp polls as a whole: lanes that polled separately would diverge.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/versioned_words.cuh"

namespace trial {

/// PER_LANE: tiles of a lane in a group, 1 or even. GROUPS: loaded together; best is the number that a wave
/// of blocks fills, plus two for its ends. Total: the type in which groups are added up, where T would
/// overflow.
template <class T, int PER_LANE, int GROUPS, bool DEFER = true, class Total = T>
class LookAhead {
   public:
    static constexpr bool DEFER_LOOKAHEAD = DEFER;  ///< poll late: see fast/detail/ring
    static constexpr int GROUP = 32 * PER_LANE;     ///< tiles

    __device__ explicit LookAhead(Prefix<Total> seed) : prefix_(seed) {}

    /// The seed and the sums of all tiles before `tile`, to all lanes. `tile` ascends from call to call.
    /// Waits until the sums are published. Called by a whole warp.
    template <class Op>
    __device__ Prefix<Total> exclusive_prefix(long long tile, const VersionedArray<T>& sums_of_tiles, Op op) {
        for (;;) {
            const int left = static_cast<int>(min(tile - first_, 1LL * GROUPS * GROUP + 1));
            T sums[GROUPS][PER_LANE];
            read(sums, left, sums_of_tiles);
#pragma unroll
            for (int g = 0; g < GROUPS; ++g) sums[g][0] = add_up(sums[g], count(g, left), op);
            Prefix<Total> sum = prefix_;
#pragma unroll
            for (int g = 0; g < GROUPS; ++g) {
                if (count(g, left) > 0) sum = {combine(sum, Total(sums[g][0]), op), true};
                if (count(g, left) == GROUP) prefix_ = sum;
            }
            first_ += min(left / GROUP, GROUPS) * GROUP;
            if (left <= GROUPS * GROUP) return sum;
        }
    }

   private:
    using Words = typename VersionedArray<T>::Words;
    __device__ static int mine() { return threadIdx.x % 32 * PER_LANE; }
    /// Tiles of a group that are among the first `left` tiles.
    __device__ static int count(int group, int left) { return max(min(left - group * GROUP, GROUP), 0); }

    /// Load until all sums are published, or the wait is given up; only missing ones are loaded again.
    __device__ void read(T (&sums)[GROUPS][PER_LANE], int left,
                         const VersionedArray<T>& sums_of_tiles) const {
        Words words[GROUPS][PER_LANE];
#pragma unroll
        for (int g = 0; g < GROUPS; ++g) {
            if (mine() < count(g, left)) sums_of_tiles.load(first_ + g * GROUP + mine(), words[g]);
        }
        unsigned missing = 0;  // a bit for each group that lacks a sum of this lane
#pragma unroll
        for (int g = 0; g < GROUPS; ++g) {
            if (!hold(words[g], sums[g], count(g, left), sums_of_tiles)) missing |= 1u << g;
        }
        for (unsigned polls = 1; __any_sync(ALL_LANES, missing != 0); ++polls) {
            if (sums_of_tiles.give_up(polls)) return;
#pragma unroll
            for (int g = 0; g < GROUPS; ++g) {
                if ((missing >> g & 1) == 0) continue;
                sums_of_tiles.load(first_ + g * GROUP + mine(), words[g]);
                if (hold(words[g], sums[g], count(g, left), sums_of_tiles)) missing &= ~(1u << g);
            }
        }
    }
    __device__ static bool hold(const Words (&words)[PER_LANE], T (&sums)[PER_LANE], int count,
                                const VersionedArray<T>& sums_of_tiles) {
        bool all = true;
#pragma unroll
        for (int k = 0; k < PER_LANE; ++k) {
#ifdef __CUDACC_DEBUG__  // optimised code compares words not loaded, too; what comes of it is dropped
            if (mine() + k >= count) continue;
#endif
            const bool holds = sums_of_tiles.holds(words[k], sums[k]);
            all = all && (holds || mine() + k >= count);
        }
        return all;
    }

    /// The first `count` sums of a group, to all lanes.
    template <class Op>
    __device__ static T add_up(const T (&sums)[PER_LANE], int count, Op op) {
        T own = sums[0];
#pragma unroll
        for (int k = 1; k < PER_LANE; ++k) {
            if (mine() + k < count) own = op(own, sums[k]);
        }
        return shuffle_from(scan_warp(own, mine() < count, op), max(count - 1, 0) / PER_LANE);
    }

    Prefix<Total> prefix_;
    long long first_ = 0;  ///< first tile of the first group not yet added up
};

}  // namespace trial
