// Totals of parts: how the GPUs of one host tell one another the totals of their parts from within kernels.
//
//     part                   0              1              2              3          on GPUs 0, 1, 2, 3
//     tells its total to     1, 2, 3        2, 3           3              -          written over NVLink
//     its mailbox            |    |    |    | t0 |    |    | t0 | t1 |    | t0 | t1 | t2 |    on its own GPU
//     before it              nothing        t0             t0 op t1       t0 op t1 op t2
//
// Each part is told all totals before it and combines them itself, in their order: the operator need not
// commute, and no GPU hands on what another one has to wait for. Totals are tagged values: nothing is cleared
// between calls, and whoever polls does so in the memory of its own GPU. Parts without elements have no place
// and are never waited for. Bytes: (G - 1) G / 2 totals of ceil(sizeof(T) / 4) words over NVLink.
//
// Forward progress: a part waits for parts before it only, and tells before it waits. So it is enough that
// what is queued on a GPU before a part belongs to parts before it: one stream a GPU, parts in ascending
// order. Kernels on different GPUs must run at the same time, which they do where nothing else occupies a GPU
// for ever. Who has waited `polls` times gives up and says for whom. Source: ours.
#pragma once
#include <cuda_runtime.h>

#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/textbook/warp/scan_kogge_stone.cuh"
#include "kernels/versioned_words.cuh"

/// What one part needs to know of the others in one call. Places: those of the parts that have elements.
template <class T>
struct PartTotals {
    static constexpr bool IS_PART = true;
    static constexpr int MOST = 32;  ///< places: a lane of a warp each
    using Word = typename Versioned<T, Scope::system>::Word;

    Word* behind[MOST];  ///< mailboxes of the parts behind this one, from place + 1 on
    Word* mailbox;       ///< this part's own; each holds MOST tagged values
    int place, places;
    unsigned version;
    int polls;       ///< about 0.7 us each
    unsigned* late;  ///< becomes the places that have not told in time, a bit each; 0 before

    /// Called by a whole warp, once a call.
    __device__ void publish(T total) const {
        const int lane = threadIdx.x % 32;
        if (place + 1 + lane < places)
            Versioned<T, Scope::system>::store(behind[lane] + place * Versioned<T, Scope::system>::WORDS,
                                               version, total);
    }

    /// All before this part, from left to right; all lanes get it. Called by a whole warp. Waits for it; if
    /// it does not come in time, it is as if there were nothing before the part.
    template <class Op>
    __device__ Prefix<T> exclusive_prefix(Op op) const {
        if (place == 0) return {{}, false};
        const int lane = threadIdx.x % 32;
        T value = {};
        bool missing = lane < place;
        for (int poll = 0;; ++poll) {
            if (missing)
                missing = !Versioned<T, Scope::system>::read(
                    mailbox + lane * Versioned<T, Scope::system>::WORDS, version, value);
            const unsigned waiting = __ballot_sync(ALL_LANES, missing);
            if (waiting == 0) break;
            if (poll < polls) continue;
            if (lane == 0) *static_cast<volatile unsigned*>(late) = waiting;
            return {{}, false};
        }
        value = warp_scan(value, lane < place, op);
        return {shuffle_from(value, place - 1), true};
    }
};

/// Tell this part's total, if it is asked for, and wait for those before it. Grid: one warp.
template <class T, class Op>
__global__ void exchange_totals(const T* total, PartTotals<T> others, Prefix<T>* before, Op op) {
    if (others.place + 1 < others.places) others.publish(*total);
    const Prefix<T> found = others.exclusive_prefix(op);
    if (threadIdx.x == 0) *before = found;
}
