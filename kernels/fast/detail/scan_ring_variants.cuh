// The scan of fast/detail/scan_ring with one of its ideas removed at a time: what is each of them worth?
//
//     idea                                              policy           instead
//     as many stages as shared memory holds             WithStages       fewer
//     two tiles in flight to a block                    WithLoads        one, or more than two
//     a thread owns an odd number of words              WithEvenWords    one word more, one stage less
//     the look-ahead adds up independent sums           WithChain        decoupled look-back
//     the look-ahead is deferred: few failed polls      EagerLookahead   it polls once the tile is loaded
//     statuses carry versions: nothing to clear         clear()          a memset before every call
//
// All else is the same code. For experiments only: fast/scan uses none of these.
//
// The chain: a status holds the tile's sum at first, and later its inclusive prefix.
//
//     tile      .. |  k-3   |    k-2    |    k-1    |     k      one warp, one lane a tile; lane 0: k
//                  | prefix | aggregate | aggregate | aggregate
//     prefix of k =   P(k-3) + A(k-2)    + A(k-1)    + A(k)      up to the nearest prefix
//
// A status carries its state beside the version. Work: 5 warp steps a tile and window of 32. The
// grouping depends on timing. Forward progress: as for fast/detail/scan_ring, because a tile waits only for
// sums or prefixes of lower tiles. Source: Merrill and Garland, "Single-pass parallel prefix scan with
// decoupled look-back", NVR-2016-002, 2016.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/detail/chain_status.cuh"
#include "kernels/fast/scan.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/versioned_words.cuh"

namespace trial {

/// A tile's sum or prefix; each has a version of its own.
template <class T>
class ChainArray {
   public:
    using Value = T;
    static constexpr int WORDS = Versioned<T>::WORDS;  ///< for each tile

    __device__ ChainArray(const VersionedWords& words, unsigned version)
        : words_(words.words), version_(version) {}

    /// Publish the tile's sum. Called by one thread, once for each tile and call.
    __device__ void write(long long tile, T sum) const { write(tile, ChainState::aggregate, sum); }
    /// Publish the tile's inclusive prefix, after its sum.
    __device__ void write_prefix(long long tile, T prefix) const { write(tile, ChainState::prefix, prefix); }

    /// The current state. `value` is set unless the state is empty.
    __device__ ChainState read(long long tile, T& value) const {
        const auto words = Versioned<T>::load(words_ + tile * WORDS);
        const unsigned found = static_cast<unsigned>(words.word[0] >> 32);
        const bool whole = Versioned<T>::holds(words, found, value);
        const bool current = (found ^ version_) << 2 == 0;
        return whole & current ? static_cast<ChainState>(found >> 30) : ChainState::empty;
    }

   private:
    /// The state in 2 bits, then the low 30 bits of the call's version.
    __device__ unsigned version_of(ChainState state) const {
        return static_cast<unsigned>(state) << 30 | (version_ & ~(3u << 30));
    }
    __device__ void write(long long tile, ChainState state, T value) const {
        Versioned<T>::store(words_ + tile * WORDS, version_of(state), value);
    }

    unsigned long long* words_;
    unsigned version_;
};

/// Replaces LookAhead: looks back to the nearest prefix, and publishes the tile's own.
template <class T>
class Chain {
   public:
    static constexpr bool DEFER_LOOKAHEAD = false;  // later tiles wait for this prefix

    __device__ explicit Chain(Prefix<T> seed) : seed_(seed) {}

    /// The seed and all tiles before `tile`, to all lanes. Called by a whole warp.
    template <class Op>
    __device__ Prefix<T> exclusive_prefix(long long tile, const ChainArray<T>& status, Op op) const {
        const int lane = threadIdx.x % 32;
        Prefix<T> exclusive = {{}, false};
        T inclusive = {};  // including the tile itself
        for (long long window = tile, end = 0; end == 0; window -= 32) {
            T value = seed_.value;  // acts as the prefix before tile 0
            unsigned prefixes = 0, needed = 0, missing = 0;
            do {
                const ChainState state =
                    lane > window ? ChainState::prefix : status.read(window - lane, value);
                prefixes = __ballot_sync(ALL_LANES, state == ChainState::prefix);
                missing = __ballot_sync(ALL_LANES, state == ChainState::empty);
                needed = prefixes == 0 ? ALL_LANES : prefixes ^ (prefixes - 1);  // up to the nearest prefix
            } while ((missing & needed) != 0);
            end = prefixes;

            int last = 31 - __clz(static_cast<int>(needed));
            if (last > window && !seed_.exists) --last;
            for (int delta = 1; delta < 32; delta *= 2) {  // higher lanes hold lower tiles
                const T lower = shuffle_down(value, delta);
                if (lane + delta <= last) value = op(lower, value);
            }
            const T all = shuffle_from(value, 0), all_but_own = shuffle_from(value, 1);
            if (window == tile) {
                exclusive = {all_but_own, last > 0};
                inclusive = all;
            } else if (last >= 0) {
                exclusive.value = op(all, exclusive.value);
                inclusive = op(all, inclusive);
            }
        }
        if (lane == 0) status.write_prefix(tile, inclusive);
        return exclusive;
    }

   private:
    Prefix<T> seed_;
};

template <class T, int STAGES_>
struct WithStages : RingPolicy<T> {
    static constexpr int STAGES = STAGES_;
};

template <class T, unsigned LOADS_IN_FLIGHT_>
struct WithLoads : RingPolicy<T> {
    static constexpr unsigned LOADS_IN_FLIGHT = LOADS_IN_FLIGHT_;
};

/// One word more a thread, for which shared memory holds one stage less.
template <class T>
struct WithEvenWords : RingPolicy<T> {
    using Odd = RingPolicy<T>;
    static constexpr int STAGES = Odd::STAGES - 1;
    template <bool IN_WORDS>
    using Tiles = RingTiles<T, IN_WORDS, Odd::THREADS, Odd::BYTES + 16, false>;
    static_assert(Tiles<true>::WORDS % 2 == 0, "RingPolicy has an odd number of words");
};

/// Polls for sums as soon as a tile is loaded.
template <class T>
struct EagerLookahead : RingPolicy<T> {
    using Default = RingPolicy<T>;
    using Ahead = LookAhead<T, Default::TILES_PER_LANE, Default::GROUPS, false>;
};

template <class T>
struct WithChain : RingPolicy<T> {
    using Sums = ChainArray<T>;
    using Ahead = Chain<T>;
};

/// An inclusive scan by fast/detail/scan_ring with this policy, n >= 1. The element size divides 16, and
/// vectors are aligned to it.
template <class Policy, class T, class Op>
cudaError_t scan_by_ring(const Memory& memory, const ScanProblem<T>& problem, Op op, cudaStream_t stream) {
    return scan_detail::with_place(memory, problem, stream, [&](const scan_detail::Place& place) {
        return scan_detail::ring<Policy, true, Form::inclusive>(place, problem, op);
    });
}

/// Clear the words of a workspace, as is required before every call if they carry no versions.
inline cudaError_t clear(const Workspace& workspace, cudaStream_t stream) {
    return cudaMemsetAsync(static_cast<char*>(workspace.data()) + CONTROL_BYTES, 0,
                           workspace.size() - CONTROL_BYTES, stream);
}

}  // namespace trial
