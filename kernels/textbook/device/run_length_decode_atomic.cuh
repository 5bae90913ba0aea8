// Run-length decoding with an atomic cursor: the runs of a block stay together, the blocks come in any order.
//
//     lengths              | 2  0  3 | 1  4  0 | 2  2  1 |         THREADS runs a block
//     ends in the block    | 2  2  5 | 1  5  5 | 2  4  5 |         scan in shared memory
//     *cursor                0 -> 5    10 -> 15   5 -> 10          atomicAdd(cursor, 5), in any order
//     out                  | block 0   | block 2   | block 1   |
//
// Every run is contiguous, but its place differs from call to call, and is not reported; a scan yields the
// places before any output is written. There is no separate pass over the lengths. A block writes all output
// of its own runs, so if a few runs hold most of the output, a few blocks do most of the work.
//
// Work: a scan of THREADS lengths for each block, by Hillis-Steele; log2 THREADS search steps for each
// element. Bytes: values and lengths read, output written. launches 1, and a memset; one atomic addition
// a block.
#pragma once
#include <cuda_runtime.h>

#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/block/scan_hillis_steele.cuh"
#include "kernels/textbook/device/run_length_decode.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// *cursor: places reserved so far; places from `capacity` on are not written. Grid: ceil_div(runs, THREADS)
/// blocks of THREADS threads.
template <int THREADS, class T>
__global__ void __launch_bounds__(THREADS)
    decode_runs_by_cursor(const T* values, const long long* lengths, long long runs, T* out,
                          long long capacity, unsigned long long* cursor) {
    __shared__ long long ends[THREADS];
    __shared__ long long first;
    const long long base = blockIdx.x * static_cast<long long>(THREADS);
    const int count = static_cast<int>(min(static_cast<long long>(THREADS), runs - base));

    const int t = threadIdx.x;
    if (t < count) ends[t] = lengths[base + t];
    __syncthreads();
    HillisSteele::scan<THREADS, THREADS, Plain>(ends, count, Sum<long long>{});

    const long long total = ends[count - 1];
    if (t == 0) first = static_cast<long long>(atomicAdd(cursor, static_cast<unsigned long long>(total)));
    __syncthreads();

    const long long begin = first, writable = min(total, capacity - begin);
    for (long long i = t; i < writable; i += THREADS) {
        const int run = run_at(ends, 0, count - 1, i);
        out[begin + i] = values[base + run];
    }
}

/// Write each values[r] lengths[r] times, contiguously, to out[0 .. min(capacity, *total)-1]. *total: the sum
/// of the lengths. runs >= 0, lengths >= 0; all on the device.
template <int THREADS = 256, class T>
void run_length_decode_atomic(const T* values, const long long* lengths, long long runs, T* out,
                              long long capacity, long long* total, cudaStream_t stream) {
    (void)cudaMemsetAsync(total, 0, sizeof(long long), stream);
    const auto blocks = static_cast<unsigned>(ceil_div(runs, THREADS));
    if (blocks > 0)
        launch(decode_runs_by_cursor<THREADS, T>, blocks, THREADS, stream, values, lengths, runs, out,
               capacity, reinterpret_cast<unsigned long long*>(total));
}

}  // namespace trial
