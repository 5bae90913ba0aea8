// One algorithm, and three ways for a lane to get the value of another one: a shuffle, or shared memory with
// the barrier of the warp or of the block.
//
//     reduction: butterfly                             scan: Kogge-Stone
//     x0    x1    x2    x3                             x0    x1    x2    x3
//      | \ / |     | \ / |     distance 1               | \   | \   | \   |     distance 1
//      | / \ |     | / \ |                              |   \ |   \ |   \ |
//     01    01    23    23                              0    01    12    23
//      each with the lane                               each with the lane
//      two further, or two before     distance 2        two before                distance 2
//     03    03    03    03                              0    01    02    03
//
// A warp takes 5 steps. In a step each lane gives its value, gets another one, and adds:
//
//     exchange                   instructions, T of 4 c bytes            requests    barriers of the block
//     Shuffle                    c shuffles                              none        none
//     Shared<Barrier::warp>      a store, __syncwarp, a load             2           none
//     Shared<Barrier::block>     a store, __syncthreads, a load          2           1
//
// Neighbouring lanes access neighbouring words, without bank conflicts. Redux reduces a warp of ints in one
// instruction instead of 5 steps.
//
// Block: each warp reduces or scans its values, one warp those of the 32 warps; 2 barriers. 33 times what a
// warp takes, 33 stores, and 33 loads (reduction) or 32 (scan).
//
// The form without any barrier (Harris, "Optimizing parallel reduction in CUDA", 2007, kernel 5) is not here:
// since Volta it is a race. Lanes that are together pass __syncwarp in one NOP, so Shared<Barrier::warp>
// takes its loads and stores, and that.
// Source: Kogge and Stone 1973; Sengupta, Harris and Garland 2008; shuffles and barriers: Lin and Grover,
// "Using CUDA warp-level primitives", NVIDIA developer blog, 2018.
#pragma once
#include <cuda_runtime.h>

#include <type_traits>

#include "kernels/operators.cuh"
#include "kernels/shuffle.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// butterfly: the value of the lane whose index differs by the bit `distance`. before: of the lane `distance`
/// before this one; any value if there is none. Called by all THREADS threads, step by step.
struct Shuffle {
    template <int THREADS, class T>
    __device__ static T butterfly(T value, int distance, int) {
        return shuffle_xor(value, distance);
    }
    template <int THREADS, class T>
    __device__ static T before(T value, int distance, int) {
        return shuffle_up(value, distance);
    }
};

enum class Barrier { warp, block };

/// Steps 0 to 4 take turns with three buffers, from one call to the next. Who writes to a buffer again has
/// passed a barrier since the others read it, so one barrier a step is enough.
template <Barrier BARRIER>
struct Shared {
    template <int THREADS, class T>
    __device__ static T butterfly(T value, int distance, int step) {
        return give<THREADS>(value, step)[threadIdx.x ^ static_cast<unsigned>(distance)];
    }
    template <int THREADS, class T>
    __device__ static T before(T value, int distance, int step) {
        const T* const given = give<THREADS>(value, step);
        return static_cast<int>(threadIdx.x) % 32 >= distance ? given[threadIdx.x - distance] : value;
    }

   private:
    /// The values that all threads gave.
    template <int THREADS, class T>
    __device__ static const T* give(T value, int step) {
        __shared__ T buffers[3][THREADS];
        T* const buffer = buffers[step % 3];
        buffer[threadIdx.x] = value;
        if constexpr (BARRIER == Barrier::warp)
            __syncwarp();
        else
            __syncthreads();
        return buffer;
    }
};

struct Redux {};

/// The sum of the values of a warp, to each of its lanes.
template <class Exchange, int THREADS, class T, class Op>
__device__ T reduce_warp(T value, Op op) {
    if constexpr (std::is_same_v<Exchange, Redux>) {
        static_assert(std::is_same_v<Op, Sum<int>>, "sums of ints");
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
        return __reduce_add_sync(ALL_LANES, value);
#else  // nothing launches it
        return value;
#endif
    } else {
#pragma unroll
        for (int step = 0; step < 5; ++step) {
            const T other = Exchange::template butterfly<THREADS>(value, 1 << step, step);
            value = op(value, other);
        }
        return value;
    }
}

/// The inclusive scan of the values of a warp.
template <class Exchange, int THREADS, class T, class Op>
__device__ T scan_warp(T value, Op op) {
#pragma unroll
    for (int step = 0; step < 5; ++step) {
        const T left = Exchange::template before<THREADS>(value, 1 << step, step);
        if (threadIdx.x % 32 >= 1u << step) value = op(left, value);
    }
    return value;
}

/// The same of a block of 1,024 threads: its sum to each thread, and its scan.
template <class Exchange, int THREADS, class T, class Op>
__device__ T reduce_block(T value, Op op) {
    static_assert(THREADS == 1024, "as many warps as lanes");
    __shared__ T sums[32], total;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const T sum = reduce_warp<Exchange, THREADS>(value, op);
    if (lane == 0) sums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        const T all = reduce_warp<Exchange, THREADS>(sums[lane], op);
        if (lane == 0) total = all;
    }
    __syncthreads();
    return total;
}
template <class Exchange, int THREADS, class T, class Op>
__device__ T scan_block(T value, Op op) {
    static_assert(THREADS == 1024, "as many warps as lanes");
    __shared__ T sums[32], prefixes[32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    value = scan_warp<Exchange, THREADS>(value, op);
    if (lane == 31) sums[warp] = value;
    __syncthreads();
    if (warp == 0) prefixes[lane] = scan_warp<Exchange, THREADS>(sums[lane], op);
    __syncthreads();
    return warp == 0 ? value : op(prefixes[warp - 1], value);
}

enum class Operation { reduce, scan };
enum class Scope { warp, block };

template <Operation OPERATION, Scope SCOPE, class Exchange, int THREADS, class T, class Op>
__device__ T collect(T value, Op op) {
    if constexpr (SCOPE == Scope::warp) {
        if constexpr (OPERATION == Operation::reduce) return reduce_warp<Exchange, THREADS>(value, op);
        if constexpr (OPERATION == Operation::scan) return scan_warp<Exchange, THREADS>(value, op);
    } else {
        if constexpr (OPERATION == Operation::reduce) return reduce_block<Exchange, THREADS>(value, op);
        if constexpr (OPERATION == Operation::scan) return scan_block<Exchange, THREADS>(value, op);
    }
}

/// Each segment of `in`, 32 elements or 1,024, is reduced or scanned `rounds` times, an odd number. out: one
/// value for each segment, or for each element, as after one round. Every round waits for the result of the
/// one before it, and a wrong sum in any spoils the last: let x be the last element of a segment and e the
/// sum of those before it; each round replaces x by -e - (sum). So x is x, -x - 2 e, x, .., and the sum is
/// e + x, -(e + x), e + x, ... Grid: one block for each THREADS elements.
template <Operation OPERATION, Scope SCOPE, class Exchange, int THREADS, class T, class Op>
__global__ void __launch_bounds__(THREADS, blocks_to_fill(THREADS))
    collect_in_rounds(const T* in, T* out, int rounds, Op op) {
    constexpr int SEGMENT = SCOPE == Scope::warp ? 32 : THREADS;
    const long long i = 1LL * blockIdx.x * THREADS + threadIdx.x;
    const T value = in[i];
    T result = collect<OPERATION, SCOPE, Exchange, THREADS>(value, op);

    const bool is_last = threadIdx.x % SEGMENT == SEGMENT - 1;
    const T weight = is_last ? T(-1) : T(0), base = is_last ? value - result : value;
#pragma unroll 4
    for (int round = 1; round < rounds; ++round)
        result = collect<OPERATION, SCOPE, Exchange, THREADS>(base + weight * result, op);

    if (OPERATION == Operation::scan) {
        out[i] = result;
    } else if (threadIdx.x % SEGMENT == 0) {
        out[i / SEGMENT] = result;
    }
}

}  // namespace trial
