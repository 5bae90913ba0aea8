// Kernels that do one thing each, many times over: what it costs follows from how much longer twice as many
// rounds take. Memory is zero: a load makes the next address depend on it, and does not change it.
#pragma once
#include <cuda_runtime.h>

namespace micro {

constexpr int UNROLLED = 32;  // operations of a round

__global__ void empty() {}

// --- A warp alone: latencies

__global__ void taken_branches(int* out, int rounds) {
    int x = rounds;
#pragma unroll 1
    for (int r = 0; r < rounds * UNROLLED; ++r) asm volatile("xor.b32 %0, %0, %1;" : "+r"(x) : "r"(r));
    if (x == 123456789) *out = x;
}
/// Lanes leave the inner loop at seven of its ends.
__global__ void parting_branches(int* out, int rounds) {
    int x = rounds;
    const int own = threadIdx.x % 8;
#pragma unroll 1
    for (int r = 0; r < rounds * UNROLLED; ++r)
#pragma unroll 1
        for (int k = 0; k < own; ++k) asm volatile("xor.b32 %0, %0, %1;" : "+r"(x) : "r"(k));
    if (x == 123456789) *out = x;
}
__global__ void special_chain(float* out, int rounds) {
    float x = rounds;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    if (x == 0.25f) *out = x;
}
__global__ void double_chain(double* out, int rounds) {
    double x = rounds;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) x = x * 0.5 + 1.0;
    if (x == 0.25) *out = x;
}
__global__ void shuffle_chain(int* out, int rounds) {
    int x = threadIdx.x;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) x = __shfl_sync(~0u, x, x);
    if (x == 99) *out = x;
}
__global__ void reduction_chain(int* out, int rounds) {
    int x = threadIdx.x;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) x = __reduce_xor_sync(~0u, x);
    if (x == 99) *out = x;
}
__constant__ int zeros[1024];
__global__ void constant_chain(int* out, int rounds) {
    int x = threadIdx.x / 32;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) x = zeros[x];
    if (x == 99) *out = x;
}
__global__ void shared_chain(int* out, int rounds) {
    __shared__ int words[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) words[k] = 0;
    __syncthreads();
    int x = threadIdx.x;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) x = words[x];
    if (x == 99) *out = x;
}
/// Exchanges by all lanes of one word: a pass each.
__global__ void conflict_chain(int* out, int rounds) {
    __shared__ int word;
    word = 0;
    __syncthreads();
    int x = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) x = atomicExch(&word + x, 0);
    if (x == 99) *out = x;
}
__global__ void shared_atomic_chain(int* out, int rounds) {
    __shared__ int words[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) words[k] = 0;
    __syncthreads();
    int x = threadIdx.x;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) x = atomicExch(&words[x + threadIdx.x], 0);
    if (x == 99) *out = x;
}
/// Loads of one word after the other, each where the one before says; cached in L1, or in L2 only.
template <bool IN_L1>
__global__ void chase(const int* __restrict__ words, int* out, unsigned mask, unsigned step, unsigned first,
                      int rounds) {
    unsigned at = first & mask, sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) {
            const unsigned zero = IN_L1 ? __ldg(words + at) : __ldcg(words + at);
            at = (at + step + zero) & mask;
            sum += zero;
        }
    if (sum != 0) *out = at;
}
__global__ void fences(int* out, int rounds) {
#pragma unroll 1
    for (int r = 0; r < rounds * UNROLLED; ++r) {
        *(volatile int*)out = r;
        __threadfence();
    }
}

/// Two blocks write a number in turn, each once it has seen the other's.
__global__ void ping_pong(int* out, int rounds) {
    volatile int* const word = out;
#pragma unroll 1
    for (int r = blockIdx.x; r < rounds * UNROLLED; r += 2) {
        while (*word != r) {
        }
        *word = r + 1;
    }
}
/// Copies to shared memory, each after the one before.
__global__ void bulk_copies(const int* words, int bytes, unsigned mask, int rounds) {
    extern __shared__ __align__(128) int tile[];
    __shared__ __align__(8) unsigned long long barrier;
    const auto at = unsigned(__cvta_generic_to_shared(&barrier)),
               to = unsigned(__cvta_generic_to_shared(tile));
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at));
#pragma unroll 1
    for (unsigned r = 0; r < unsigned(rounds); ++r) {
        const int* const from = words + (r * unsigned(bytes) / 4 & mask);
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
                to),
            "l"(from), "r"(bytes), "r"(at)
            : "memory");
        asm volatile(
            "{ .reg .pred p; again%=: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra again%=; }" ::
                "r"(at),
            "r"(r & 1)
            : "memory");
    }
}

// --- A full multiprocessor: how long an instruction holds a unit

enum Operation { FLOATS, PRODUCTS, LOGIC, DOUBLES, SPECIAL };

template <Operation OPERATION>
__device__ void operate(int* x) {
    for (int c = 0; c < 4; ++c) {
        if (OPERATION == PRODUCTS) asm volatile("mad.lo.s32 %0, %0, %0, %0;" : "+r"(x[c]));
        if (OPERATION == LOGIC) asm volatile("min.s32 %0, %0, %1;" : "+r"(x[c]) : "r"(x[(c + 1) % 4]));
    }
}
template <Operation OPERATION>
__device__ void operate(float* x) {
    for (int c = 0; c < 4; ++c) {
        if (OPERATION == FLOATS) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x[c]));
        if (OPERATION == SPECIAL) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(x[c]));
    }
}
template <Operation OPERATION>
__device__ void operate(double* x) {
    for (int c = 0; c < 4; ++c) asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(x[c]));
}
template <Operation OPERATION, class T>
__global__ void __launch_bounds__(1024) operations(T* out, int rounds) {
    T x[4] = {T(threadIdx.x), T(threadIdx.x + 1), T(threadIdx.x ^ 7), T(threadIdx.x * rounds)};
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; k += 4) operate<OPERATION>(x);
    if (x[0] + x[1] + x[2] + x[3] == T(77)) *out = x[0];
}
__global__ void __launch_bounds__(1024) barriers(int rounds) {
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) __syncthreads();
}

// --- Memory

template <bool IN_L1>
__global__ void __launch_bounds__(1024)
    read(const int4* __restrict__ words, int* out, unsigned count, unsigned mask) {
    int sum = 0;
    const unsigned threads = gridDim.x * blockDim.x;
#pragma unroll 8
    for (unsigned at = blockIdx.x * blockDim.x + threadIdx.x; at < count; at += threads) {
        const int4 four = IN_L1 ? __ldg(words + (at & mask)) : __ldcg(words + (at & mask));
        sum += four.x + four.y + four.z + four.w;
    }
    if (sum != 0) *out = sum;
}
__global__ void copy(const int4* from, int4* to, unsigned count) {
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) to[at] = from[at];
}
/// So many words of each thread, a block's side by side: too few under way to keep memory busy.
template <int WORDS, bool STORES>
__global__ void __launch_bounds__(512) move_few(const int* from, int* to, unsigned count) {
    const unsigned at = blockIdx.x * blockDim.x * WORDS + threadIdx.x;
    int x[WORDS], sum = 0;
    for (unsigned k = 0; k < WORDS; ++k) x[k] = at + k * blockDim.x < count ? from[at + k * blockDim.x] : 0;
    for (unsigned k = 0; k < WORDS; ++k)
        if (!STORES)
            sum += x[k];
        else if (at + k * blockDim.x < count)
            to[at + k * blockDim.x] = x[k];
    if (sum != 0) *to = sum;
}
__global__ void write(int4* words, unsigned count) {
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) words[at] = int4{0, 0, 0, 0};
}
__global__ void write_partly(int* words, unsigned count) {
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) words[8 * at] = 0;
}
/// A word of each thread, byte by byte: each of four stores fills a quarter of a warp's sectors.
__global__ void write_bytes(volatile char* bytes, unsigned count) {
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count)
        for (int k = 0; k < 4; ++k) bytes[4 * at + k] = 0;
}
__device__ inline unsigned hashed(unsigned x) {
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return x ^ x >> 16;
}
/// A sector each.
__global__ void read_at_random(const int* words, int* out, unsigned count, unsigned first, unsigned mask) {
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count && words[8 * (hashed(first + at) & mask)] != 0) *out = at;
}
/// Sectors that L2 holds, in no order, eight at a time.
__global__ void __launch_bounds__(1024) read_sectors(const int* words, int* out, unsigned mask, int rounds) {
    unsigned at = hashed(blockIdx.x * blockDim.x + threadIdx.x), sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) sum += __ldcg(words + 8 * (at + k * 0x9e3779b1u >> 8 & mask));
        at = at * 0x2c9277b5u + 0xac564b05u;
    }
    if (sum != 0) *out = sum;
}
/// A word of each of these.
__global__ void __launch_bounds__(1024) write_sectors(int* words, unsigned mask, int rounds) {
    unsigned at = hashed(blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) words[8 * (at + k * 0x9e3779b1u >> 8 & mask)] = 0;
        at = at * 0x2c9277b5u + 0xac564b05u;
    }
}
/// Lines, by so many warps at once, each after the one before.
__global__ void chase_by_warps(const int* words, int* out, unsigned mask, unsigned first, int rounds) {
    unsigned x = hashed(first + blockIdx.x * blockDim.x + threadIdx.x / 32 * 32 + 1), sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        const unsigned zero = __ldcg(words + 32 * (x & mask) + threadIdx.x % 32);
        x = hashed(x + 1 + zero);
        sum += zero;
    }
    if (sum != 0) *out = sum;
}
/// Lines, so many at once, each set when all of the one before have come.
__global__ void chase_slowest(const int* words, int* out, unsigned mask, unsigned first, int lanes,
                              int rounds) {
    unsigned x = hashed(first + threadIdx.x), any = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        const int zero = threadIdx.x < lanes ? __ldcg(words + 32 * (x & mask)) : 0;
        any |= __reduce_or_sync(~0u, zero);
        x = hashed(x + 1 + any);
    }
    if (any != 0) *out = any;
}
/// Words `apart` from one another, the same ones in every round.
__global__ void __launch_bounds__(1024) write_apart(int* words, int apart, int rounds) {
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < 8; ++k) words[(k * blockDim.x + threadIdx.x) * apart] = r;
}
/// Words side by side, of which L2 holds all; HALVES: only those of every other four lanes.
template <bool HALVES>
__global__ void __launch_bounds__(1024) write_again(int* words, int rounds) {
    const int threads = gridDim.x * blockDim.x, thread = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < 8; ++k)
            if (!HALVES || thread & 4) words[thread + k * threads] = r;
}
/// Words of each thread's own memory: the same of all lanes lie in a line.
__global__ void __launch_bounds__(256) write_own(int* out, int rounds, int mask) {
    volatile int own[32];
    const int first = threadIdx.x & mask;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < 8; ++k) own[first + k & 31] = r;
    if (own[first] == -1) *out = first;
}
/// In eight lines that L1 holds, wherever a lane's own chain leads.
__global__ void chase_in_lines(const int* __restrict__ words, int* out, int rounds) {
    int x = threadIdx.x * 37, sum = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < 8; ++k) {
            const int zero = __ldg(words + (x & 255));
            x = x * 75 + 74 + zero;
            sum += zero;
        }
    if (sum != 0) *out = x;
}
__global__ void add_to_many(int* words, unsigned count, unsigned mask) {
    const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count) atomicAdd(words + 8 * (hashed(at) & mask), 0);
}
__global__ void atomic_chain(int* words, int rounds) {
    int x = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) x = atomicAdd(words + 33 * 8 * k + x, 0);
    if (x == 99) *words = x;
}
__global__ void add_to_one(int* word, int rounds) {
#pragma unroll 1
    for (int r = 0; r < rounds * UNROLLED; ++r)
        if (threadIdx.x == 0) atomicAdd(word, r - r / 2);
}

/// Of so many neighbouring lanes to each word, words `apart` from one another.
template <class T>
__global__ void add_to_words(T* words, int lanes, int apart, int rounds) {
    T* const word = words + threadIdx.x % 32 / lanes * apart;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < 8; ++k) atomicAdd(word, T(0));
}

/// Loads of 32 passes each, more than may wait for the pipe to memory; then work that needs no result of
/// theirs.
__global__ void queued_loads(int* out, int rounds) {
    constexpr int LOADS = 64, WORK = 1024;
    __shared__ int words[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) words[k] = 0;
    const auto at = unsigned(__cvta_generic_to_shared(words)) + threadIdx.x % 32 * 128;
    int x = threadIdx.x;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r) {
        int loaded[LOADS];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < LOADS; ++k)
            asm volatile("ld.volatile.shared.b32 %0, [%1];" : "=r"(loaded[k]) : "r"(at + k % 32 * 4));
#pragma unroll 32
        for (int k = 0; k < WORK; ++k) asm volatile("mad.lo.s32 %0, %0, %0, %0;" : "+r"(x));
#pragma unroll
        for (int k = 0; k < LOADS; ++k) x += loaded[k];
    }
    if (x == 99) *out = x;
}

enum Traffic { NONE, READS, STORES, COPIES };

/// One thread of each block loads words that L2 holds, each where the one before says. The other warps move
/// memory meanwhile.
template <Traffic TRAFFIC>
__global__ void __launch_bounds__(1024)
    chase_behind(const int* words, int4* memory, unsigned mask, int* out, int rounds) {
    __shared__ volatile int has_ended;
    if (threadIdx.x == 0) has_ended = 0;
    __syncthreads();
    int sum = 0;
    if (threadIdx.x == 0) {
        constexpr int LINES = 1024, LOADS = 8;  // of a round
        unsigned at = hashed(blockIdx.x);
        for (int k = 0; k < LINES; ++k) sum += __ldcg(words + 32 * k);
#pragma unroll 1
        for (int r = 0; r < rounds * LOADS; ++r) {
            const int zero = __ldcg(words + 32 * (at >> 8 & LINES - 1));
            at = at * 0x2c9277b5u + 0xac564b05u + zero;
            sum += zero;
        }
        has_ended = 1 + sum;  // not before the loads have ended
    }
    unsigned at = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    while (threadIdx.x >= 32 && TRAFFIC != NONE && !has_ended) {
        int4 four[4] = {};
        for (unsigned k = 0; k < 4; ++k)
            if (TRAFFIC != STORES) four[k] = __ldcs(memory + (at + k * blockDim.x & mask));
        for (unsigned k = 0; k < 4; ++k)
            if (TRAFFIC != READS)
                __stcs(memory + mask + 1 + (at + k * blockDim.x & mask), four[k]);
            else
                sum += four[k].x;
        at += gridDim.x * blockDim.x * 4;
    }
    if (sum != 0) *out = sum;
}

/// Each block writes its own word, words `apart` from one another, and waits for that of the block before.
__global__ void ring(int* words, int apart, int rounds) {
    volatile int* const own = words + blockIdx.x * apart;
    volatile int* const before = words + (blockIdx.x + gridDim.x - 1) % gridDim.x * apart;
#pragma unroll 1
    for (int r = 1; r <= rounds; ++r) {
        *own = r;
        while (*before < r) {
        }
    }
}

}  // namespace micro
