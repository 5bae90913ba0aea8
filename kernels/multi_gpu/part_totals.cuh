// Totals of parts: how kernels on the GPUs of one host publish the totals of their parts to one another.
//
//     part                   0              1              2              3          on GPUs 0, 1, 2, 3
//     writes its total to    1, 2, 3        2, 3           3              -          over NVLink
//     its mailbox            |    |    |    | t0 |    |    | t0 | t1 |    | t0 | t1 | t2 |    on its own GPU
//     its prefix             none           t0             t0 op t1       t0 op t1 op t2
//
// Each part receives all totals before it and combines them itself, in order: the operator need not commute,
// and no GPU forwards a value that another one waits for. Totals are versioned values, so nothing is cleared
// between calls, and every GPU polls its own memory. Parts without elements have no place and are never
// waited for. Bytes: (G - 1) G / 2 totals of ceil(sizeof(T) / 4) words over NVLink.
//
// Forward progress: a part waits only for parts before it, and publishes before it waits. So it suffices that
// work queued on a GPU ahead of a part belongs to earlier parts: one stream a GPU, parts in ascending order.
// Kernels on different GPUs must run concurrently, which they do unless other work occupies a GPU
// indefinitely. A part that has polled `polls` times returns, and reports the parts whose totals are missing.
// Source: ours.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/scan_warp.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/versioned_words.cuh"

namespace trial {

/// The kernel arguments of one part for one call. Places number the parts that have elements.
template <class T>
struct PartTotals {
    static constexpr bool IS_PART = true;
    static constexpr int MAX_PARTS = 32;  ///< places: one for each lane of a warp
    using Word = typename Versioned<T, Scope::system>::Word;

    Word* successors[MAX_PARTS];  ///< mailboxes of the later parts, from place + 1 on
    Word* mailbox;                ///< this part's own; MAX_PARTS versioned values
    int place, places;
    unsigned version;
    int polls;            ///< about 0.7 us each
    unsigned* timed_out;  ///< set to one bit for each place that timed out; 0 on entry

    /// Send the total to all later parts. Called by a whole warp, once a call.
    __device__ void publish(T total) const {
        const int lane = threadIdx.x % 32;
        if (place + 1 + lane < places)
            Versioned<T, Scope::system>::store(successors[lane] + place * Versioned<T, Scope::system>::WORDS,
                                               version, total);
    }

    /// The totals of all parts before this one, combined, to all lanes. Called by a whole warp. Waits for
    /// them; after a timeout it returns no prefix.
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
            if (lane == 0) *static_cast<volatile unsigned*>(timed_out) = waiting;
            return {{}, false};
        }
        value = scan_warp(value, lane < place, op);
        return {shuffle_from(value, place - 1), true};
    }
};

/// Publish this part's total, if a later part needs it, and wait for those before it. Grid: one warp.
template <class T, class Op>
__global__ void exchange_totals(const T* total, PartTotals<T> others, Prefix<T>* prefix, Op op) {
    if (others.place + 1 < others.places) others.publish(*total);
    const Prefix<T> found = others.exclusive_prefix(op);
    if (threadIdx.x != 0) return;
    prefix->value = found.value;
    prefix->exists = found.exists;
}

}  // namespace trial
