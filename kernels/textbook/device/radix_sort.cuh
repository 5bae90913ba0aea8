// Least-significant-digit radix sort of any length; stable.
//
//     keys       | 31 12 30 | 11 32 10 |            one pass, by the last decimal digit; tiles of 3
//     1  count                 tile 0  tile 1       a matrix: a row for each digit, a column for each tile
//                    digit 0      1      1
//                    digit 1      1      1
//                    digit 2      1      1
//     2  scan        digit 0      0      1          exclusive, digit-major: where the elements of each
//                    digit 1      2      3          digit of each tile go
//                    digit 2      4      5
//     3  sort each tile by the digit: | 30 31 12 | 10 11 32 |; write each digit's elements to their place
//                | 30 10 31 | 11 12 32 |            the next pass, by the next digit: 10 11 12 30 31 32
//
// Each pass is stable, so sorting by a higher digit preserves the order of the lower ones. Sorting each tile
// first makes stores coalesced: elements of a tile with the same digit are consecutive in the output.
//
// b-bit keys, passes p = ceil(b / DIGIT_BITS). Bytes: each pass reads the keys twice and writes them once,
// and reads and writes the payloads once. Counts: 2^DIGIT_BITS numbers for each tile and pass. launches:
// p (2 + those of the scan of the counts). Source: Blelloch, "Prefix sums and their applications",
// CMU-CS-90-190, 1990, section 1.3 (one-bit digits); with tiles: Zagha and Blelloch, "Radix sort for vector
// multiprocessors", SC 1991; Satish, Harris and Garland, "Designing efficient sorting algorithms for manycore
// GPUs", IPDPS 2009.
#pragma once
#include <cuda_runtime.h>

#include <cstring>
#include <type_traits>

#include "kernels/device_array.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/block/rank_digits.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"
#include "kernels/tile.cuh"

namespace trial {

// Radix keys: bits whose unsigned order is the order of the numbers.
//
//     unsigned         as it is                    5  ->  0..0101
//     signed           sign bit flipped           -1  ->  01..111     0 -> 10..000
//     float, positive  sign bit flipped          1.0  ->  1 01111111 0..0
//     float, negative  all bits flipped         -1.0  ->  0 10000000 1..1
//
// For floats this is a total order: -NaN, -infinity, .., -0, +0, .., infinity, NaN.
// Source: Herf, "Radix tricks", 2001.

template <class Key>
struct RadixKey {
    static_assert(std::is_arithmetic_v<Key>, "keys are numbers");
    static constexpr int BITS = 8 * sizeof(Key);
    using Bits = std::conditional_t<(sizeof(Key) <= 4), unsigned, unsigned long long>;

    /// The key's bits, in the lowest BITS of the result.
    __host__ __device__ static Bits bits(Key key) {
        constexpr Bits SIGN = Bits(1) << (BITS - 1), ALL = SIGN | (SIGN - 1);
        Bits bits = 0;
        memcpy(&bits, &key, sizeof(Key));
        if constexpr (std::is_floating_point_v<Key>) return bits ^ ((bits & SIGN) != 0 ? ALL : SIGN);
        return std::is_signed_v<Key> ? bits ^ SIGN : bits;
    }

    /// `count` bits of the key, from bit `first` up; bits beyond the highest one are 0.
    __host__ __device__ static int digit(Key key, int first, int count) {
        return static_cast<int>(bits(key) >> first & ((Bits(1) << count) - 1));
    }
};

/// The payload type of a sort of keys only.
struct NoPayload {};

template <class Key, class Payload>
struct KeysAndPayloads {
    Key* keys;
    Payload* payloads;
};

/// counts[d * tiles + t]: elements of tile t whose digit d is the DIGIT_BITS bits from first_bit up. Grid:
/// one block of THREADS threads for each tile of ITEMS * THREADS. Equal digits contend for one counter in
/// shared memory.
template <int DIGIT_BITS, int ITEMS_PER_THREAD, int THREADS, class Key>
__global__ void __launch_bounds__(THREADS)
    count_digits(const Key* keys, long long* counts, long long n, int first_bit) {
    constexpr int TILE = ITEMS_PER_THREAD * THREADS, RADIX = 1 << DIGIT_BITS;
    __shared__ int count[RADIX];
    const int t = threadIdx.x;
    if (t < RADIX) count[t] = 0;
    __syncthreads();

    const long long base = blockIdx.x * static_cast<long long>(TILE);
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        const long long i = base + k * THREADS + t;
        if (i < n) atomicAdd(&count[RadixKey<Key>::digit(keys[i], first_bit, DIGIT_BITS)], 1);
    }
    __syncthreads();
    if (t < RADIX) counts[t * static_cast<long long>(gridDim.x) + blockIdx.x] = count[t];
}

/// Move each element to its place by digit. ends: the inclusive scan of the counts. Grid: as for
/// count_digits.
template <int DIGIT_BITS, int ITEMS_PER_THREAD, int THREADS, class Key, class Payload>
__global__ void __launch_bounds__(THREADS)
    scatter_digits(KeysAndPayloads<const Key, const Payload> in, KeysAndPayloads<Key, Payload> out,
                   const long long* ends, long long n, int first_bit) {
    using Ranks = RankDigits<DIGIT_BITS, ITEMS_PER_THREAD, THREADS>;
    constexpr int TILE = ITEMS_PER_THREAD * THREADS;
    __shared__ union {
        Key keys[TILE];
        Payload payloads[TILE];
    } sorted;
    __shared__ typename Ranks::Storage storage;
    __shared__ long long shift[Ranks::RADIX];  // output place minus place in the sorted tile
    const long long base = blockIdx.x * static_cast<long long>(TILE);
    const int count = static_cast<int>(min(static_cast<long long>(TILE), n - base));
    const int t = threadIdx.x;

    Key key[ITEMS_PER_THREAD];
    int digit[ITEMS_PER_THREAD], place[ITEMS_PER_THREAD];
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        digit[k] = 0;
        if (Ranks::index(k) < count) {
            key[k] = in.keys[base + Ranks::index(k)];
            digit[k] = RadixKey<Key>::digit(key[k], first_bit, DIGIT_BITS);
        }
    }
    Ranks::rank(storage, digit, count, place);

#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k)
        if (Ranks::index(k) < count) sorted.keys[place[k]] = key[k];
    if (t < Ranks::RADIX) {
        const long long entry = t * static_cast<long long>(gridDim.x) + blockIdx.x;
        shift[t] = (entry == 0 ? 0 : ends[entry - 1]) - storage.begins[t];
    }
    __syncthreads();

    long long target[ITEMS_PER_THREAD];
#pragma unroll
    for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
        const int i = k * THREADS + t;
        if (i < count) {
            const Key next = sorted.keys[i];
            target[k] = shift[RadixKey<Key>::digit(next, first_bit, DIGIT_BITS)] + i;
            out.keys[target[k]] = next;
        }
    }
    if constexpr (!std::is_same_v<Payload, NoPayload>) {
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k)
            if (Ranks::index(k) < count) sorted.payloads[place[k]] = in.payloads[base + Ranks::index(k)];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < ITEMS_PER_THREAD; ++k) {
            const int i = k * THREADS + t;
            if (i < count) out.payloads[target[k]] = sorted.payloads[i];
        }
    }
}

/// Items per thread: a sorted tile of 256 threads takes at most 16 KiB, or 32 KiB of 16-byte elements.
template <class Key, class Payload>
constexpr int radix_sort_items() {
    constexpr auto bytes = sizeof(Key) > sizeof(Payload) ? sizeof(Key) : sizeof(Payload);
    return bytes <= 4 ? 16 : 8;
}

/// Key: a number of 1 to 8 bytes, sorted in the order of RadixKey. Payload: any trivial type of up to 16
/// bytes, or NoPayload. DIGIT_BITS: 1 to 8.
template <class Key, class Payload = NoPayload, int DIGIT_BITS = 8,
          int ITEMS_PER_THREAD = radix_sort_items<Key, Payload>(), int THREADS = 256>
class RadixSort {
   public:
    static_assert(std::is_trivial_v<Payload>, "shared memory cannot run constructors");
    static constexpr int PASSES = (RadixKey<Key>::BITS + DIGIT_BITS - 1) / DIGIT_BITS;

    /// Make room for up to `capacity` elements in between two passes, and for the counts. Throws nothing; see
    /// status().
    explicit RadixSort(long long capacity)
        : scan_(Spine::device, RADIX * ceil_div(capacity, TILE)),
          counts_(RADIX * ceil_div(capacity, TILE)),
          keys_(PASSES > 1 ? capacity : 0),
          payloads_(PASSES > 1 && HAS_PAYLOAD ? capacity : 0) {}

    /// cudaSuccess, or why there is no room.
    cudaError_t status() const {
        return first_error({scan_.status(), counts_.status(), keys_.status(), payloads_.status()});
    }

    /// keys_out: the keys of keys_in in ascending order. payloads_out: each key's payload; those of equal
    /// keys keep their order. n elements each, 0 <= n <= capacity, on the device. No two vectors may overlap.
    void operator()(const Key* keys_in, const Payload* payloads_in, Key* keys_out, Payload* payloads_out,
                    long long n, cudaStream_t stream) {
        const auto blocks = static_cast<unsigned>(ceil_div(n, TILE));
        if (blocks == 0) return;
        KeysAndPayloads<const Key, const Payload> from = {keys_in, payloads_in};
        const KeysAndPayloads<Key, Payload> out = {keys_out, payloads_out},
                                            between = {keys_.data(), payloads_.data()};
        long long* const counts = counts_.data();
        for (int pass = 0; pass < PASSES; ++pass) {
            const auto to = (PASSES - pass) % 2 == 1 ? out : between;  // the last pass writes out
            const int bit = pass * DIGIT_BITS;
            launch(count_digits<DIGIT_BITS, ITEMS_PER_THREAD, THREADS, Key>, blocks, THREADS, stream,
                   from.keys, counts, n, bit);
            scan_(counts, counts, RADIX * static_cast<long long>(blocks), Sum<long long>{}, stream);
            launch(scatter_digits<DIGIT_BITS, ITEMS_PER_THREAD, THREADS, Key, Payload>, blocks, THREADS,
                   stream, from, to, counts, n, bit);
            from = {to.keys, to.payloads};
        }
    }

    /// The same without payloads.
    void operator()(const Key* keys_in, Key* keys_out, long long n, cudaStream_t stream) {
        static_assert(!HAS_PAYLOAD, "this sort moves payloads too");
        (*this)(keys_in, nullptr, keys_out, nullptr, n, stream);
    }

   private:
    static constexpr int RADIX = 1 << DIGIT_BITS, TILE = ITEMS_PER_THREAD * THREADS;
    static constexpr bool HAS_PAYLOAD = !std::is_same_v<Payload, NoPayload>;

    ThreePhaseScan<long long, Sum<long long>> scan_;
    DeviceArray<long long> counts_;
    DeviceArray<Key> keys_;  // and payloads, between two passes
    DeviceArray<Payload> payloads_;
};

}  // namespace trial
