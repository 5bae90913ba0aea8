// The scan of fast/detail/scan_ring with one of its ideas taken out at a time: what is each of them worth?
//
//     idea                                              policy         in its place
//     as many stages as shared memory holds             WithStages     fewer
//     two tiles on their way to a block                 WithLoads      one, or more
//     a thread owns an odd number of words              WithEvenWords  one more, and a stage less to hold it
//     the look-ahead adds up sums that wait for none    WithChain      decoupled look-back, from tile to tile
//     the look-ahead looks late, and seldom in vain     WithHaste      it looks as soon as a tile has landed
//     statuses carry epochs: nothing to clear           clear()        a memset before every call
//
// All else is the same code. For experiments: no scan of fast/scan is made of these.
//
// The chain: a status is a sum at first, and then a prefix, all up to the end of the tile.
//
//     tile      .. |  k-3   |    k-2    |    k-1    |     k      one warp, a lane a tile, ours in lane 0
//                  | prefix | aggregate | aggregate | aggregate
//     prefix of k =   P(k-3) + A(k-2)    + A(k-1)    + A(k)       the nearest prefix ends it
//
// Statuses take 16 bytes, as a prefix may take the place of a sum. Work: 5 steps of a warp a tile and window
// of 32. What is added to what depends on who runs when. Forward progress: as of fast/detail/scan_ring, as a tile
// waits for sums or prefixes of lower tiles only. Source: Merrill and Garland, "Single-pass parallel prefix
// scan with decoupled look-back", NVR-2016-002, 2016.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/scan.cuh"
#include "kernels/prefix.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/textbook/device/tile_status.cuh"
#include "kernels/versioned_words.cuh"

/// A tile's sum or prefix: a version of its own for each of the two.
template <class T>
class ChainArray {
   public:
    using Value = T;
    static constexpr int WORDS = Versioned<T>::WORDS;  ///< of a tile

    __device__ ChainArray(const VersionedWords& words, unsigned version)
        : words_(words.words), version_(version) {}

    /// The tile's sum. Called by one thread, once a tile and call.
    __device__ void write(long long tile, T sum) const { write(tile, TileState::aggregate, sum); }
    /// After that, all up to the tile's end.
    __device__ void write_prefix(long long tile, T prefix) const { write(tile, TileState::prefix, prefix); }

    /// The state as it is now, and its value unless that is empty.
    __device__ TileState read(long long tile, T& value) const {
        const auto words = Versioned<T>::load(words_ + tile * WORDS);
        for (const TileState state : {TileState::aggregate, TileState::prefix})
            if (Versioned<T>::holds(words, version_of(state), value)) return state;
        return TileState::empty;
    }

   private:
    /// The state in 2 bits, and the lower 30 of the call's version.
    __device__ unsigned version_of(TileState state) const {
        return static_cast<unsigned>(state) << 30 | (version_ & ~(3u << 30));
    }
    __device__ void write(long long tile, TileState state, T value) const {
        Versioned<T>::store(words_ + tile * WORDS, version_of(state), value);
    }

    unsigned long long* words_;
    unsigned version_;
};

/// In place of LookAhead: adds up backwards to the nearest prefix, and publishes the tile's own.
template <class T>
class Chain {
   public:
    static constexpr bool DEFER_LOOKAHEAD = false;  // the next tiles wait for its prefix

    __device__ explicit Chain(Prefix<T> seed) : seed_(seed) {}

    /// Seed and all tiles before `tile`; all lanes get them. Called by a whole warp.
    template <class Op>
    __device__ Prefix<T> exclusive_prefix(long long tile, const ChainArray<T>& status, Op op) const {
        const int lane = threadIdx.x % 32;
        Prefix<T> before = {{}, false};
        T inclusive = {};  // and the tile itself
        for (long long window = tile, end = 0; end == 0; window -= 32) {
            T value = seed_.value;  // stands before tile 0, as a prefix
            unsigned prefixes = 0, needed = 0, missing = 0;
            do {
                const TileState state = lane > window ? TileState::prefix : status.read(window - lane, value);
                prefixes = __ballot_sync(ALL_LANES, state == TileState::prefix);
                missing = __ballot_sync(ALL_LANES, state == TileState::empty);
                needed = prefixes == 0 ? ALL_LANES : prefixes ^ (prefixes - 1);  // up to the nearest prefix
            } while ((missing & needed) != 0);
            end = prefixes;

            int last = 31 - __clz(static_cast<int>(needed));
            if (last > window && !seed_.exists) --last;
            for (int delta = 1; delta < 32; delta *= 2) {  // higher lanes hold what comes before
                const T lower = shuffle_down(value, delta);
                if (lane + delta <= last) value = op(lower, value);
            }
            const T all = shuffle_from(value, 0), all_but_own = shuffle_from(value, 1);
            if (window == tile) {
                before = {all_but_own, last > 0};
                inclusive = all;
            } else if (last >= 0) {
                before.value = op(all, before.value);
                inclusive = op(all, inclusive);
            }
        }
        if (lane == 0) status.write_prefix(tile, inclusive);
        return before;
    }

   private:
    Prefix<T> seed_;
};

template <class T, int STAGES_>
struct WithStages : RingPolicy<T> {
    static constexpr int STAGES = STAGES_;
};

template <class T, unsigned LOADS_>
struct WithLoads : RingPolicy<T> {
    static constexpr unsigned LOADS_IN_FLIGHT = LOADS_;
};

/// A word more. With as many stages shared memory would not hold it.
template <class T>
struct WithEvenWords : RingPolicy<T> {
    using Odd = RingPolicy<T>;
    static constexpr int STAGES = Odd::STAGES - 1;
    template <bool IN_WORDS>
    using Tiles = RingTiles<T, IN_WORDS, Odd::THREADS, Odd::BYTES + 16, false>;
    static_assert(Tiles<true>::WORDS % 2 == 0, "the words of the ring itself are odd");
};

/// Looks for sums as soon as a tile has landed.
template <class T>
struct EagerLookahead : RingPolicy<T> {
    using Patient = RingPolicy<T>;
    using Ahead = LookAhead<T, Patient::TILES_A_LANE, Patient::GROUPS, false>;
};

template <class T>
struct WithChain : RingPolicy<T> {
    using Sums = ChainArray<T>;
    using Ahead = Chain<T>;
};

/// An inclusive scan by fast/detail/scan_ring with this policy, n >= 1. Elements divide 16 bytes, and addresses of
/// vectors are multiples of their size.
template <class Policy, class T, class Op>
ScanResult scan_by_ring(const Workspace& workspace, const ScanProblem<T>& problem, Op op,
                        cudaStream_t stream) {
    return scan_detail::ring<Policy, true, Form::inclusive>(workspace, problem, op, stream);
}

/// Clear a workspace, as a scan must before every call if its words carry no versions.
inline ScanResult clear(const Workspace& workspace, cudaStream_t stream) {
    const bool done = cudaMemsetAsync(workspace.memory(), 0, workspace.size(), stream) == cudaSuccess;
    return done ? ScanResult::success : ScanResult::launch_failed;
}
