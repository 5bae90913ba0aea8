// The inputs of all operations: three arrays of CASES words, in which every pair of the edge values meets
// first; random ones follow, from a fixed generator.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

namespace opcodes {

/// words: 32-bit integers and floats; longs: 64-bit integers and doubles; halves: two of fp16 or bf16 a word.
enum class Set { words, longs, halves };

constexpr int EDGES = 60;
constexpr int CASES = 6144;  ///< EDGES * EDGES pairs, and 2,544 random triples

inline std::uint32_t edge_word(int i) {
    static constexpr std::uint32_t EDGE[EDGES] = {
        // integers: small ones, counts of shifts, limits of 8, 16 and 32 bits
        0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 32767, 32768, 65535, 65536,
        0x7fffffff, 0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0xffff8000, 0xffff7fff, 0xffffff80,
        0xaaaaaaaa, 0x12345678, 0xfedcba98,
        // floats: 1, -1, 0.5, 1.5, 2.5, -2.5, the limits of denormal and normal numbers
        0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000, 0x40200000, 0xc0200000, 0x007fffff, 0x807fffff,
        0x00800000, 0x7f7fffff, 0xff7fffff,
        // inf, -inf, quiet and signalling NaNs with a payload
        0x7f800000, 0xff800000, 0x7fc12345, 0x7f800001, 0xffc00001,
        // 2^31, -2^31, 2^32, 2^63, 2^24, 0.49999997, just above 1, 65504 and 65520 (the limits of fp16), 1/3,
        // pi, 2^-24
        0x4f000000, 0xcf000000, 0x4f800000, 0x5f000000, 0x4b800000, 0x3effffff, 0x3f800001, 0x477fe000,
        0x477ff000, 0x3eaaaaab, 0x40490fdb, 0x33800000};
    return EDGE[i];
}

inline std::uint64_t edge_long(int i) {
    static constexpr std::uint64_t EDGE[EDGES] = {
        0, 1, 2, 3, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 32768, 65535, 0x7fffffff, 0x80000000,
        0xffffffff, 0x100000000, 0x100000001, 0x7fffffffffffffff, 0x8000000000000000, 0x8000000000000001,
        0xffffffffffffffff, 0xfffffffffffffffe, 0xffffffff80000000, 0xffffffff7fffffff, 0xaaaaaaaaaaaaaaaa,
        0x123456789abcdef0, 0xfedcba9876543210,
        // doubles: 1, -1, 0.5, 1.5, 2.5, -2.5, the limits of denormal and normal numbers
        0x3ff0000000000000, 0xbff0000000000000, 0x3fe0000000000000, 0x3ff8000000000000, 0x4004000000000000,
        0xc004000000000000, 0x000fffffffffffff, 0x800fffffffffffff, 0x0010000000000000, 0x7fefffffffffffff,
        0xffefffffffffffff,
        // inf, -inf, quiet and signalling NaNs with a payload
        0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000012345678, 0x7ff0000000000001, 0xfff8000000000001,
        // 2^31, 2^63, -2^63, 2^64, just below 0.5, just above 1, the limits of float, and its least numbers
        0x41e0000000000000, 0x43e0000000000000, 0xc3e0000000000000, 0x43f0000000000000, 0x3fdfffffffffffff,
        0x3ff0000000000001, 0x47efffffe0000000, 0x47effffff0000000, 0x36a0000000000000, 0x3810000000000000,
        0x3fd5555555555555};
    return EDGE[i];
}

/// The low half goes through fp16's edges, the high half through the same in another order, and bf16's.
inline std::uint32_t edge_halves(int i) {
    static constexpr std::uint16_t EDGE[EDGES] = {
        0,      1,      2,      3,      0x8000, 0x8001, 0x7fff, 0xffff, 0x00ff, 0x0100, 0x03ff, 0x83ff,
        0x0400, 0x8400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7e12, 0x7c01, 0xfe01, 0x3c00, 0xbc00,
        0x3800, 0x3e00, 0x4100, 0xc100, 0x3555, 0x4248, 0x5640, 0x6400, 0x6401, 0x3c01, 0x3bff, 0x77ff,
        0x3f80, 0xbf80, 0x3f00, 0x3fc0, 0x4020, 0xc020, 0x007f, 0x0080, 0x8080, 0x7f7f, 0xff7f, 0x7f80,
        0xff80, 0x7fc0, 0x7fc1, 0x7f81, 0x4f00, 0xcf00, 0x4f80, 0x3eab, 0x4049, 0x4380, 0x3f81, 0x3eff};
    return EDGE[i] | std::uint32_t(EDGE[(7 * i + 13) % EDGES]) << 16;
}

/// SplitMix64.
struct Random {
    std::uint64_t state = 20240607;
    std::uint64_t next() {
        std::uint64_t z = state += 0x9e3779b97f4a7c15;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
        z = (z ^ z >> 27) * 0x94d049bb133111eb;
        return z ^ z >> 31;
    }
};

/// Of every three random values one has any bits, one is a number near 1, and one is a small integer.
inline std::uint64_t random_value(Set set, int i, std::uint64_t bits) {
    if (i % 3 == 0) return bits;
    if (i % 3 == 1) {
        if (set == Set::words) return (bits & 0x83ffffff) | 0x3c000000;
        if (set == Set::longs) return (bits & 0x801fffffffffffff) | 0x3fe0000000000000;
        return (bits & 0x87ff87ff) | 0x38003800;
    }
    const std::uint64_t small = bits >> 32 & 0xfff;
    return bits & 1 ? small : 0 - small;
}

template <class Word>
void* to_device(const std::vector<Word>& host) {
    void* device;
    cudaMalloc(&device, host.size() * sizeof(Word));
    cudaMemcpy(device, host.data(), host.size() * sizeof(Word), cudaMemcpyHostToDevice);
    return device;
}

template <class Word, class Edge>
std::vector<Word> values(Set set, Edge edge) {
    std::vector<Word> all(3 * CASES);
    Random random;
    for (int i = 0; i < CASES; ++i) {
        const bool is_pair = i < EDGES * EDGES;
        const int which[3] = {i / EDGES, i % EDGES, (i + i / EDGES * 7) * 11 % EDGES};
        for (int operand = 0; operand < 3; ++operand) {
            const std::uint64_t bits = random.next();
            all[operand * CASES + i] =
                is_pair ? edge(which[operand]) : static_cast<Word>(random_value(set, i, bits));
        }
    }
    return all;
}

/// In host memory, for operations that take their inputs from parameters.
inline const std::vector<std::uint32_t>& words_on_host() {
    static const auto all = values<std::uint32_t>(Set::words, edge_word);
    return all;
}

/// A set's three arrays, one after the other, on the device.
inline void* inputs_of(Set set) {
    if (set == Set::words) return to_device(words_on_host());
    if (set == Set::longs) return to_device(values<std::uint64_t>(set, edge_long));
    return to_device(values<std::uint32_t>(set, edge_halves));
}

}  // namespace opcodes
