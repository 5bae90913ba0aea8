#include "experiments/machine/fingerprint.h"

#include <algorithm>

#include "experiments/harness/cuda_check.h"
#include "kernels/launch.cuh"

namespace harness {
namespace {

using Word = unsigned long long;

constexpr int THREADS = 256;
constexpr long long BLOCKS = 2048;

/// The finaliser of SplitMix64, of a word and its place.
__device__ Word mixed(Word word, Word place) {
    Word bits = word + (place + 1) * 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return bits ^ bits >> 31;
}

/// Add to *sum the hashes of `count` words and of the `rest` bytes after them, fewer than 8. The first word
/// has the place `first`. Launch: any number of blocks of THREADS threads.
__global__ void __launch_bounds__(THREADS)
    add_hashes(const Word* words, long long count, int rest, Word first, Word* sum) {
    Word found = 0;
    const long long step = static_cast<long long>(gridDim.x) * THREADS;
    for (long long i = static_cast<long long>(blockIdx.x) * THREADS + threadIdx.x; i < count; i += step)
        found += mixed(words[i], first + i);
    if (blockIdx.x == 0 && threadIdx.x == 0 && rest > 0) {
        Word last = 0;
        for (int k = 0; k < rest; ++k)
            last |= Word{reinterpret_cast<const unsigned char*>(words + count)[k]} << 8 * k;
        found += mixed(last, first + count);
    }
    for (int distance = 16; distance > 0; distance /= 2) found += __shfl_xor_sync(~0u, found, distance);
    if (threadIdx.x % 32 == 0) atomicAdd(sum, found);
}

}  // namespace

Fingerprint::Fingerprint(cudaStream_t stream) : stream_(stream) {
    check(cudaMalloc(&sum_, sizeof(Word)), "a fingerprint");
}

Fingerprint::~Fingerprint() { (void)cudaFree(sum_); }

std::uint64_t Fingerprint::of(const std::vector<DeviceBytes>& result) const {
    check(cudaMemsetAsync(sum_, 0, sizeof(Word), stream_), "a fingerprint");
    Word first = 0;
    for (const DeviceBytes& part : result) {
        const long long count = part.bytes / static_cast<long long>(sizeof(Word));
        const auto rest = static_cast<int>(part.bytes % static_cast<long long>(sizeof(Word)));
        const auto blocks = static_cast<unsigned>(std::clamp((count + THREADS - 1) / THREADS, 1LL, BLOCKS));
        launch(add_hashes, blocks, THREADS, stream_, static_cast<const Word*>(part.data), count, rest, first,
               sum_);
        first += static_cast<Word>(count) + 1;
    }
    Word sum = 0;
    check(cudaMemcpyAsync(&sum, sum_, sizeof(sum), cudaMemcpyDeviceToHost, stream_), "a fingerprint");
    check(cudaStreamSynchronize(stream_), "a fingerprint");
    return sum;
}

}  // namespace harness
