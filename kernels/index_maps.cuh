// Index maps: where element i of a tile lives in shared memory.
//
// Shared memory has 32 banks, each 4 bytes wide; word w lies in bank w % 32. Accesses of one warp to
// different words of one bank are serialised. A tree accesses its tile at strides 1, 2, 4, ..., the worst
// case. A map moves elements so that a stride touches more banks.
//
//     plain      i                 bank i % 32 (4-byte elements)
//     padded     i + i / 32        one unused element after every 32
//     swizzled   i ^ (i / 32 % 32) no padding: row r of 32 is permuted by XOR with r
//     two-level  i + i/32 + i/1024 a second one after every 1,024; GPU Gems 3, chapter 39
//
// size(n): elements of shared memory that a tile of n elements needs. at(i): the place of element i. Both are
// unsigned: division by 32 is one shift for unsigned numbers, and three instructions for signed ones.
#pragma once
#include <cuda_runtime.h>

namespace trial {

struct Plain {
    __host__ __device__ static constexpr unsigned size(unsigned n) { return n; }
    __host__ __device__ static constexpr unsigned at(unsigned i) { return i; }
};

template <unsigned EVERY = 32>
struct Padded {
    __host__ __device__ static constexpr unsigned size(unsigned n) { return at(n - 1) + 1; }
    __host__ __device__ static constexpr unsigned at(unsigned i) { return i + i / EVERY; }
};

struct Swizzled {
    __host__ __device__ static constexpr unsigned size(unsigned n) { return (n + 31) / 32 * 32; }
    __host__ __device__ static constexpr unsigned at(unsigned i) { return i ^ (i / 32 % 32); }
};

struct TwoLevel {
    __host__ __device__ static constexpr unsigned size(unsigned n) { return at(n - 1) + 1; }
    __host__ __device__ static constexpr unsigned at(unsigned i) { return i + i / 32 + i / 1024; }
};

}  // namespace trial
