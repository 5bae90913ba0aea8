// Copies of bytes between global and shared memory at any address, by one warp.
//
//     global      |  . . h h | b b b b | b b b b | t . . .  |        16-byte words of global memory
//                     head       body: bulk        tail
//
// Head and tail, at most 15 bytes each, are moved one byte a lane. The body is one bulk copy if both
// addresses are equal modulo 16. Otherwise each lane assembles 16-byte words from two words of shared memory
// and stores them, so that the stores of a warp are coalesced.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/fast/detail/bulk_copy.cuh"

namespace trial {

/// How a range of bytes at a global address divides into head, body and tail.
struct Pieces {
    int head, body, tail;

    __device__ Pieces(const void* global, int bytes) {
        const int to_next_word = static_cast<int>(-reinterpret_cast<std::uintptr_t>(global) & 15);
        head = min(bytes, to_next_word);
        body = (bytes - head) & ~15;
        tail = bytes - head - body;
    }
};

__device__ inline void copy_ends(char* to, const char* from, Pieces pieces) {
    const int lane = threadIdx.x % 32, tail_begin = pieces.head + pieces.body;
    if (lane < pieces.head) to[lane] = from[lane];
    if (lane < pieces.tail) to[tail_begin + lane] = from[tail_begin + lane];
}

/// Copy from global to shared memory, at addresses equal modulo 16, and arrive at `full`, whose phase
/// completes when all bytes are there. Reads no byte outside the range; sets the other bytes of the words in
/// shared memory where it begins and ends to 0. ARRIVALS: lanes that arrive: 1, lane 0 for all; or 32.
template <int ARRIVALS>
__device__ inline void copy_in(char* to, const char* from, int bytes, Mbarrier& full) {
    const Pieces pieces(from, bytes);
    const int lane = threadIdx.x % 32;
    copy_ends(to, from, pieces);
    if (lane < static_cast<int>(shared_address(to) & 15)) to[-1 - lane] = 0;
    if (lane < static_cast<int>(-shared_address(to + bytes) & 15)) to[bytes + lane] = 0;
    __syncwarp();
    if (lane != 0) {
        if (lane < ARRIVALS) full.arrive();
        return;
    }
    full.arrive_expect_tx(pieces.body);
    if (pieces.body > 0) bulk_load(to + pieces.head, from + pieces.head, pieces.body, full);
}

/// Copy from shared to global memory, at addresses equal modulo 16. Requires fence_proxy_async() by the
/// writers of the source, then a warp barrier. The bulk store joins lane 0's open bulk group, by which lane 0
/// learns when the source has been read.
__device__ inline void copy_out(char* to, const char* from, int bytes) {
    const Pieces pieces(to, bytes);
    copy_ends(to, from, pieces);
    if (threadIdx.x % 32 != 0 || pieces.body == 0) return;
    bulk_store(to + pieces.head, from + pieces.head, pieces.body);
}

/// 16 bytes of two adjacent words, from byte `shift` on, 0 < shift < 16.
__device__ inline uint4 shifted(uint4 low, uint4 high, int shift) {
    const unsigned words[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
    unsigned from[5];
#pragma unroll
    for (int k = 0; k < 5; ++k) {
        const unsigned even = shift & 8 ? words[k + 2] : words[k];
        const unsigned odd = k + 3 < 8 && (shift & 8) ? words[k + 3 < 8 ? k + 3 : 7] : words[k + 1];
        from[k] = shift & 4 ? odd : even;
    }
    const int bits = 8 * (shift & 3);
    return {__funnelshift_r(from[0], from[1], bits), __funnelshift_r(from[1], from[2], bits),
            __funnelshift_r(from[2], from[3], bits), __funnelshift_r(from[3], from[4], bits)};
}

/// The same at addresses that differ modulo 16. The first and the last word of the body are moved with head
/// and tail, 1 byte a lane, because other warps may be writing the bytes before and after the range.
__device__ inline void copy_out_shifted(char* to, const char* from, int bytes) {
    Pieces pieces(to, bytes);
    for (int* const end : {&pieces.head, &pieces.tail}) {
        const int moved = min(pieces.body, 16);
        *end += moved;
        pieces.body -= moved;
    }
    copy_ends(to, from, pieces);
    const char* const body = from + pieces.head;
    const int shift = static_cast<int>(shared_address(body) & 15);
    const uint4* const words = reinterpret_cast<const uint4*>(body - shift);
    uint4* const target = reinterpret_cast<uint4*>(to + pieces.head);
    for (int k = threadIdx.x % 32; k < pieces.body / 16; k += 32) {
        target[k] = shifted(words[k], words[k + 1], shift);
    }
}

/// Copy from shared to global memory at any two addresses; requirements as for copy_out.
__device__ inline void copy_out_anywhere(void* to, const void* from, int bytes) {
    char* const target = static_cast<char*>(to);
    const char* const source = static_cast<const char*>(from);
    const bool alike = (reinterpret_cast<std::uintptr_t>(to) - shared_address(from)) % 16 == 0;
    alike ? copy_out(target, source, bytes) : copy_out_shifted(target, source, bytes);
}

}  // namespace trial
