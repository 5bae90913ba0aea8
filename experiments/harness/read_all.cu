// A kernel that reads a vector and does almost nothing else: the limit of a reduction, and what clears the
// cache.
#include <algorithm>

#include "experiments/harness/cuda_check.h"
#include "experiments/harness/suite.h"
#include "kernels/launch.cuh"

namespace harness {
namespace {

constexpr int THREADS = 256;
constexpr int LOADS = 8;            // of a thread, in flight at a time
constexpr int BLOCKS_PER_SLOT = 8;  // one after another in each resident slot, for a short tail
constexpr long long TILE = THREADS * LOADS;

/// Each block combines the exclusive or of the 32-bit words that it reads with *digest; null: no digest.
/// `rest`: bytes after the last 16-byte word, fewer than 16. Launch: any number of blocks of THREADS threads.
__global__ void __launch_bounds__(THREADS)
    read_words(const uint4* words, long long count, int rest, unsigned* digest) {
    __shared__ unsigned of_warp[THREADS / 32];
    const int t = threadIdx.x;
    unsigned found = 0;
    for (long long base = blockIdx.x * TILE; base < count; base += gridDim.x * TILE) {
        uint4 held[LOADS] = {};
        if (base + TILE <= count) {
            for (int k = 0; k < LOADS; ++k) held[k] = words[base + k * THREADS + t];
        } else {
            for (int k = 0; k < LOADS; ++k)
                if (base + k * THREADS + t < count) held[k] = words[base + k * THREADS + t];
        }
        for (const uint4 word : held) found ^= word.x ^ word.y ^ word.z ^ word.w;
    }
    if (blockIdx.x == 0 && t < rest)
        found ^= unsigned{reinterpret_cast<const unsigned char*>(words + count)[t]} << 8 * (t % 4);

    for (int distance = 16; distance > 0; distance /= 2) found ^= __shfl_xor_sync(~0u, found, distance);
    if (t % 32 == 0) of_warp[t / 32] = found;
    __syncthreads();
    if (t != 0 || digest == nullptr) return;
    for (int warp = 1; warp < THREADS / 32; ++warp) found ^= of_warp[warp];
    atomicXor(digest, found);
}

/// Blocks that are resident on the GPU at a time.
long long resident_blocks() {
    int blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, read_words, THREADS, 0), "occupancy");
    return static_cast<long long>(blocks) * attribute(cudaDevAttrMultiProcessorCount);
}

}  // namespace

Work read_all(const void* data, long long bytes, void* digest, cudaStream_t stream) {
    constexpr long long WORD = sizeof(uint4);
    const auto* const words = static_cast<const uint4*>(data);
    const long long count = bytes / WORD, tiles = std::max(1LL, (count + TILE - 1) / TILE);
    const auto blocks = static_cast<unsigned>(std::min(tiles, BLOCKS_PER_SLOT * resident_blocks()));
    const auto rest = static_cast<int>(bytes % WORD);
    return [=] {
        launch(read_words, blocks, THREADS, stream, words, count, rest, static_cast<unsigned*>(digest));
    };
}

}  // namespace harness
