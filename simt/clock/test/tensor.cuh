// Kernels that do nothing but products of matrices on tensor cores, or load and move matrices: see
// kernels.cuh.
#pragma once
#include "simt/clock/test/kernels.cuh"

namespace micro {

// Of a product: the types of sums and factors, how many registers c, a and b have, and PTX.
#define PRODUCT(NAME, SUM, FACTOR, ND, NA, NB, ...)                                              \
    struct NAME {                                                                                \
        using Sum = SUM;                                                                         \
        using Factor = FACTOR;                                                                   \
        static constexpr int D = ND, A = NA, B = NB;                                             \
        static __device__ void add(Sum (&c)[ND], const Factor (&a)[NA], const Factor (&b)[NB]) { \
            asm volatile("mma.sync.aligned." __VA_ARGS__);                                       \
        }                                                                                        \
    };
#define TWO(C, x) C(x[0]), C(x[1])
#define FOUR(C, x) TWO(C, x), C(x[2]), C(x[3])
#define EIGHT(C, x) FOUR(C, x), C(x[4]), C(x[5]), C(x[6]), C(x[7])
#define OF_211(S, F) " {%0,%1}, {%2}, {%3}, {%0,%1};" : TWO("+" S, c) : F(a[0]), F(b[0])
#define OF_242(S, F) " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};" : TWO("+" S, c) : FOUR(F, a), TWO(F, b)
#define OF_421(S, F) " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" : FOUR("+" S, c) : TWO(F, a), F(b[0])
#define OF_442(S, F) \
    " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" : FOUR("+" S, c) : FOUR(F, a), TWO(F, b)
#define OF_484(S, F)                                                                                  \
    " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};" : FOUR("+" S, c) \
        : EIGHT(F, a), FOUR(F, b)

PRODUCT(Half16816, float, unsigned, 4, 4, 2, "m16n8k16.row.col.f32.f16.f16.f32" OF_442("f", "r"))
PRODUCT(Half1688, float, unsigned, 4, 2, 1, "m16n8k8.row.col.f32.f16.f16.f32" OF_421("f", "r"))
PRODUCT(HalfSums16816, unsigned, unsigned, 2, 4, 2, "m16n8k16.row.col.f16.f16.f16.f16" OF_242("r", "r"))
PRODUCT(Tf321688, float, unsigned, 4, 4, 2, "m16n8k8.row.col.f32.tf32.tf32.f32" OF_442("f", "r"))
PRODUCT(Tf321684, float, unsigned, 4, 2, 1, "m16n8k4.row.col.f32.tf32.tf32.f32" OF_421("f", "r"))
PRODUCT(Bytes16832, unsigned, unsigned, 4, 4, 2, "m16n8k32.row.col.s32.s8.s8.s32" OF_442("r", "r"))
PRODUCT(Bytes16816, unsigned, unsigned, 4, 2, 1, "m16n8k16.row.col.s32.s8.s8.s32" OF_421("r", "r"))
PRODUCT(Bytes8816, unsigned, unsigned, 2, 1, 1, "m8n8k16.row.col.s32.s8.s8.s32" OF_211("r", "r"))
PRODUCT(Bits168256, unsigned, unsigned, 4, 4, 2, "m16n8k256.row.col.s32.b1.b1.s32.and.popc" OF_442("r", "r"))
PRODUCT(Bits168128, unsigned, unsigned, 4, 2, 1, "m16n8k128.row.col.s32.b1.b1.s32.and.popc" OF_421("r", "r"))
PRODUCT(Doubles884, double, double, 2, 1, 1, "m8n8k4.row.col.f64.f64.f64.f64" OF_211("d", "d"))
PRODUCT(Doubles1684, double, double, 4, 2, 1, "m16n8k4.row.col.f64.f64.f64.f64" OF_421("d", "d"))
PRODUCT(Doubles1688, double, double, 4, 4, 2, "m16n8k8.row.col.f64.f64.f64.f64" OF_442("d", "d"))
PRODUCT(Doubles16816, double, double, 4, 8, 4, "m16n8k16.row.col.f64.f64.f64.f64" OF_484("d", "d"))

/// SUMS: products that need not wait for one another.
template <class Product, int SUMS>
__global__ void __launch_bounds__(1024) products(int* out, int rounds) {
    typename Product::Sum c[SUMS][Product::D] = {};
    typename Product::Factor a[Product::A], b[Product::B];
    // Zero, of which the compiler does not know.
    for (int k = 0; k < Product::A; ++k) a[k] = out[k];
    for (int k = 0; k < Product::B; ++k) b[k] = out[k];
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k) Product::add(c[k % SUMS], a, b);
    bool is_zero = true;
    for (auto& sum : c)
        for (const auto x : sum) is_zero &= x == 0;
    if (!is_zero) *out = rounds;
}
/// Matrices from shared memory, four at a time, each from where the one before says; STRIDE: words from row
/// to row.
template <int STRIDE>
__global__ void load_matrix_chain(int* out, int rounds) {
    __shared__ alignas(16) int words[32 * STRIDE];
    for (int k = threadIdx.x; k < 32 * STRIDE; k += blockDim.x) words[k] = 0;
    __syncthreads();
    const unsigned at = unsigned(__cvta_generic_to_shared(words)) + threadIdx.x % 32 * STRIDE * 4;
    unsigned x = 0, y, z, u;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k)
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(x), "=r"(y), "=r"(z), "=r"(u)
                         : "r"(at + x));
    if (x != 0) *out = int(x + y + z + u);
}
__global__ void move_matrix_chain(int* out, int rounds) {
    unsigned x = 0;
#pragma unroll 1
    for (int r = 0; r < rounds; ++r)
#pragma unroll
        for (int k = 0; k < UNROLLED; ++k)
            asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(x));
    if (x != 0) *out = int(x);
}

}  // namespace micro
