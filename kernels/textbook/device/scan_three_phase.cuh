// Inclusive scan of any length in three phases.
//
//     1  scan tiles        | tile 0 | tile 1 | tile 2 | ..     sums s0 s1 s2 ..
//     2  scan the sums     the spine:  s0, s0+s1, s0+s1+s2, ..
//     3  add               | tile 0 | + s0   | + s0+s1 | ..
//
// The spine is scanned on the host (copy down, scan, copy up), or on the device by the same three phases,
// recursively until one tile is left: levels = ceil(log_TILE n), at least 1. Bytes: 4 n elements (read and
// written twice), where a single pass moves 2 n. launches: host spine 2 (1 if n <= TILE); device spine 2
// levels - 1. Copies: host spine 2.
// Source: host spine: lecture notes "Padrão Scan em CUDA"; device spine: Harris, Sengupta and Owens, GPU Gems
// 3, chapter 39, 2007.
#pragma once
#include <cuda_runtime.h>

#include <vector>

#include "kernels/device_array.cuh"
#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/device/scan_tiles.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// Add to every element the exclusive prefix of its tile: out[i] = op(prefixes[its tile - 1], out[i]). Grid:
/// ceil_div(n, TILE) - 1 blocks; block b works on tile b + 1, because tile 0 has no prefix.
template <int TILE, int THREADS, class T, class Op>
__global__ void add_prefixes(T* out, const T* prefixes, long long n, Op op) {
    const long long base = (blockIdx.x + 1LL) * TILE;
    if (base + threadIdx.x >= n) return;  // otherwise the prefix is loaded but not used
    const T prefix = prefixes[blockIdx.x];
    for (int i = threadIdx.x; i < TILE && base + i < n; i += THREADS)
        out[base + i] = op(prefix, out[base + i]);
}

enum class Spine { host, device };

template <class T, class Op>
class ThreePhaseScan {
   public:
    static constexpr int TILE = 1024;
    using Algorithm = BrentKung<Threads::contiguous>;
    static constexpr int THREADS = Algorithm::threads(TILE);

    /// Allocate the sums for up to `capacity` elements. Does not throw; see status().
    ThreePhaseScan(Spine spine, long long capacity) : spine_(spine) {
        for (long long n = ceil_div(capacity, TILE); n > 0; n = ceil_div(n, TILE)) {
            sums_.add(n);
            if (spine == Spine::host) host_sums_.resize(n);
            if (spine == Spine::host || n == 1) break;
        }
    }

    /// cudaSuccess, or why there is no room for the sums.
    cudaError_t status() const { return sums_.status(); }

    /// out[i] = in[0] op .. op in[i] for 0 <= i < n <= capacity, on the device; out may be in. With the host
    /// spine the call synchronises with the stream. Calls on one object must not overlap.
    void operator()(const T* in, T* out, long long n, Op op, cudaStream_t stream) {
        if (n > 0) scan(in, out, n, op, stream, 0);
    }

   private:
    void scan(const T* in, T* out, long long n, Op op, cudaStream_t stream, int level) {
        const unsigned blocks = static_cast<unsigned>(ceil_div(n, TILE));
        T* sums = blocks > 1 ? sums_[level] : nullptr;
        launch(scan_tiles<Algorithm, TILE, THREADS, Padded<>, T, Op>, blocks, THREADS, stream, in, out, sums,
               n, op);
        if (blocks == 1) return;

        if (spine_ == Spine::device) {
            scan(sums, sums, blocks, op, stream, level + 1);
        } else {
            scan_on_host(sums, blocks, op, stream);
        }
        launch(add_prefixes<TILE, THREADS, T, Op>, blocks - 1, THREADS, stream, out, sums, n, op);
    }

    void scan_on_host(T* sums, long long n, Op op, cudaStream_t stream) {
        T* host = host_sums_.data();
        (void)cudaMemcpyAsync(host, sums, n * sizeof(T), cudaMemcpyDeviceToHost, stream);
        (void)cudaStreamSynchronize(stream);
        for (long long i = 1; i < n; ++i) host[i] = op(host[i - 1], host[i]);
        (void)cudaMemcpyAsync(sums, host, n * sizeof(T), cudaMemcpyHostToDevice, stream);
    }

    Spine spine_;
    DeviceLevels<T> sums_;
    std::vector<T> host_sums_;  // on the host, pageable, as the source has it
};

}  // namespace trial
