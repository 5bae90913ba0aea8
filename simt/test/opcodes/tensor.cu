// Tensor cores: mma.sync in each shape and type that sm_90 has, and the loads, stores and moves of matrices.
#include "simt/test/opcodes/fragments.h"

using opcodes::fragment;
using opcodes::Matrix;

template <class T, int N>
struct Registers {
    T of[N];
};

__device__ inline u32 bits_of(float value) { return __float_as_uint(value); }
__device__ inline u32 bits_of(u32 value) { return value; }
__device__ inline u64 bits_of(double value) { return u64(__double_as_longlong(value)); }
__device__ inline void set(u32& to, u64 bits) { to = u32(bits); }
__device__ inline void set(float& to, u64 bits) { to = __uint_as_float(u32(bits)); }
__device__ inline void set(double& to, u64 bits) { to = __longlong_as_double((long long)(bits)); }

// A product of matrices: its name in PTX; how many registers d, a and b have, c as d; of which types (float F,
// double D, word W) sums and factors are; and the formats of their numbers.
#define PRODUCT(COUNTS, TYPES, I, OF_A, OF_B, OF_C) PRODUCT_AS(ASM_##COUNTS, COUNTS, TYPES, I, OF_A, OF_B, OF_C)
#define PRODUCT_AS(ASM, COUNTS, TYPES, I, OF_A, OF_B, OF_C)                                    \
    PRODUCT_OF(ASM, COUNTS_##COUNTS, TYPES_##TYPES, I, OF_A, OF_B, OF_C)
#define PRODUCT_OF(ASM, COUNTS, TYPES, I, OF_A, OF_B, OF_C) PRODUCT_BY(ASM, COUNTS, TYPES, I, OF_A, OF_B, OF_C)
#define PRODUCT_BY(ASM, ND, NA, NB, SUM, FACTOR, CS, CF, OUT, I, OF_A, OF_B, OF_C)                        \
    using OUT##ND##_##NA##_##NB [[maybe_unused]] = Registers<OUT, ND>;                                    \
    BLOCK_OPERATION(words, u32, OUT##ND##_##NA##_##NB, I, FACTOR a[NA]; FACTOR b[NB]; SUM c[ND]; SUM d[ND]; \
                    for (int r = 0; r < NA; ++r) set(a[r], fragment(in, i, r, opcodes::OF_A, Matrix::A));  \
                    for (int r = 0; r < NB; ++r) set(b[r], fragment(in, i, r, opcodes::OF_B, Matrix::B));  \
                    for (int r = 0; r < ND; ++r) set(c[r], fragment(in, i, r, opcodes::OF_C, Matrix::C));  \
                    ASM(I, CS, CF); for (int r = 0; r < ND; ++r) out[i].of[r] = bits_of(d[r]))
#define COUNTS_211 2, 1, 1
#define COUNTS_221 2, 2, 1
#define COUNTS_242 2, 4, 2
#define COUNTS_421 4, 2, 1
#define COUNTS_422 4, 2, 2
#define COUNTS_442 4, 4, 2
#define COUNTS_484 4, 8, 4
#define COUNTS_822 8, 2, 2
#define TYPES_F float, u32, "f", "r", u32
#define TYPES_W u32, u32, "r", "r", u32
#define TYPES_D double, double, "d", "d", u64

#define IN2(C, x) C(x[0]), C(x[1])
#define IN4(C, x) IN2(C, x), C(x[2]), C(x[3])
#define IN8(C, x) IN4(C, x), C(x[4]), C(x[5]), C(x[6]), C(x[7])
#define ASM_211(I, CS, CF) \
    asm volatile(I " {%0,%1}, {%2}, {%3}, {%4,%5};" : IN2("=" CS, d) : CF(a[0]), CF(b[0]), IN2(CS, c))
#define ASM_221(I, CS, CF) \
    asm volatile(I " {%0,%1}, {%2,%3}, {%4}, {%5,%6};" : IN2("=" CS, d) : IN2(CF, a), CF(b[0]), IN2(CS, c))
#define ASM_242(I, CS, CF)                                      \
    asm volatile(I " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%8,%9};" \
                 : IN2("=" CS, d)                               \
                 : IN4(CF, a), IN2(CF, b), IN2(CS, c))
#define ASM_421(I, CS, CF)                                              \
    asm volatile(I " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%7,%8,%9,%10};"     \
                 : IN4("=" CS, d)                                       \
                 : IN2(CF, a), CF(b[0]), IN4(CS, c))
#define ASM_422(I, CS, CF)                                              \
    asm volatile(I " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11};" \
                 : IN4("=" CS, d)                                       \
                 : IN2(CF, a), IN2(CF, b), IN4(CS, c))
#define ASM_442(I, CS, CF)                                                      \
    asm volatile(I " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};" \
                 : IN4("=" CS, d)                                               \
                 : IN4(CF, a), IN2(CF, b), IN4(CS, c))
#define ASM_484(I, CS, CF)                                                                                   \
    asm volatile(                                                                                            \
        I " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%16,%17,%18,%19};"               \
        : IN4("=" CS, d)                                                                                     \
        : IN8(CF, a), IN4(CF, b), IN4(CS, c))
#define ASM_822(I, CS, CF)                                                                                   \
    asm volatile(                                                                                            \
        I " {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%12,%13,%14,%15,%16,%17,%18,%19};"               \
        : IN8("=" CS, d)                                                                                     \
        : IN2(CF, a), IN2(CF, b), IN8(CS, c))

// clang-format off: lists, several a line.

#define MMA(SHAPE, TYPES) "mma.sync.aligned." SHAPE ".row.col." TYPES
PRODUCT(442, F, MMA("m16n8k16", "f32.f16.f16.f32"), HALF, HALF, FLOAT);
PRODUCT(421, F, MMA("m16n8k8", "f32.f16.f16.f32"), HALF, HALF, FLOAT);
PRODUCT(242, W, MMA("m16n8k16", "f16.f16.f16.f16"), HALF, HALF, HALF);
PRODUCT(221, W, MMA("m16n8k8", "f16.f16.f16.f16"), HALF, HALF, HALF);
PRODUCT(442, F, MMA("m16n8k16", "f32.bf16.bf16.f32"), BFLOAT, BFLOAT, FLOAT);
PRODUCT(421, F, MMA("m16n8k8", "f32.bf16.bf16.f32"), BFLOAT, BFLOAT, FLOAT);
PRODUCT(442, F, MMA("m16n8k8", "f32.tf32.tf32.f32"), TF32, TF32, FLOAT);
PRODUCT(421, F, MMA("m16n8k4", "f32.tf32.tf32.f32"), TF32, TF32, FLOAT);
PRODUCT(442, F, MMA("m16n8k32", "f32.e4m3.e5m2.f32"), E4M3, E5M2, FLOAT);
PRODUCT(442, F, MMA("m16n8k32", "f32.e5m2.e4m3.f32"), E5M2, E4M3, FLOAT);
PRODUCT(242, W, MMA("m16n8k32", "f16.e4m3.e4m3.f16"), E4M3, E4M3, HALF);
PRODUCT(421, F, MMA("m16n8k16", "f32.e5m2.e5m2.f32"), E5M2, E5M2, FLOAT);
PRODUCT(822, F, MMA("m8n8k4", "f32.f16.f16.f32"), HALF, HALF, FLOAT);
PRODUCT(211, D, MMA("m8n8k4", "f64.f64.f64.f64"), DOUBLE, DOUBLE, DOUBLE);
PRODUCT(421, D, MMA("m16n8k4", "f64.f64.f64.f64"), DOUBLE, DOUBLE, DOUBLE);
PRODUCT(442, D, MMA("m16n8k8", "f64.f64.f64.f64"), DOUBLE, DOUBLE, DOUBLE);
PRODUCT(484, D, MMA("m16n8k16", "f64.f64.f64.f64"), DOUBLE, DOUBLE, DOUBLE);

// Integers, with and without .satfinite; of four bits and of one, where sm_90 has other instructions.
#define INTEGERS(A, B)                                                                                \
    PRODUCT(211, W, MMA("m8n8k16", "s32." A "." B ".s32"), BYTES, BYTES, SUM);                        \
    PRODUCT(421, W, MMA("m16n8k16", "satfinite.s32." A "." B ".s32"), BYTES, BYTES, SUM);             \
    PRODUCT(442, W, MMA("m16n8k32", "s32." A "." B ".s32"), BYTES, BYTES, SUM);                       \
    PRODUCT(442, W, MMA("m16n8k32", "satfinite.s32." A "." B ".s32"), BYTES, BYTES, SUM)
INTEGERS("s8", "s8"); INTEGERS("u8", "u8"); INTEGERS("s8", "u8"); INTEGERS("u8", "s8");
PRODUCT(421, W, MMA("m16n8k16", "s32.s8.s8.s32"), BYTES, BYTES, SUM);
PRODUCT(211, W, MMA("m8n8k16", "satfinite.s32.u8.s8.s32"), BYTES, BYTES, SUM);
PRODUCT(211, W, MMA("m8n8k32", "s32.s4.s4.s32"), BITS, BITS, SUM);
PRODUCT(421, W, MMA("m16n8k32", "s32.u4.s4.s32"), BITS, BITS, SUM);
PRODUCT(442, W, MMA("m16n8k64", "satfinite.s32.s4.u4.s32"), BITS, BITS, SUM);
#define BINARY(I, OF)                                                        \
    PRODUCT(211, W, MMA("m8n8k128", "s32.b1.b1.s32." OF), BITS, BITS, SUM);  \
    PRODUCT(421, W, MMA("m16n8k128", "s32.b1.b1.s32." OF), BITS, BITS, SUM); \
    PRODUCT(442, W, MMA("m16n8k256", "s32.b1.b1.s32." OF), BITS, BITS, SUM)
BINARY("and", "and.popc"); BINARY("xor", "xor.popc");

// A is sparse: of every four numbers two are there, and which, say the lanes that the selector names.
#define SPARSE(COUNTS, TYPES, I, SELECTOR, PAIRS, OF_A, OF_B, OF_C)                                             \
    SPARSE_AS(SPARSE_ASM_##COUNTS, SPARSE_##COUNTS, TYPES_##TYPES, "mma.sp::ordered_metadata.sync.aligned." I,  \
              SELECTOR, PAIRS, OF_A, OF_B, OF_C)
#define SPARSE_AS(...) SPARSE_BY(__VA_ARGS__)
#define SPARSE_BY(ASM, ND, NA, NB, SUM, FACTOR, CS, CF, OUT, I, SELECTOR, PAIRS, OF_A, OF_B, OF_C)                     \
    using SPARSE##OUT##ND [[maybe_unused]] = Registers<OUT, ND>;                                                       \
    BLOCK_OPERATION(words, u32, SPARSE##OUT##ND, I " " SELECTOR, FACTOR a[NA]; FACTOR b[NB]; SUM c[ND]; SUM d[ND];     \
                    u32 e = 0; for (int k = 0; k < 8; ++k) e |= (PAIRS >> (in[i] + in[i + 2 * opcodes::CASES] + k * 7u + i) % 6 * 4 & 15) << 4 * k; \
                    for (int r = 0; r < NA; ++r) set(a[r], fragment(in, i, r, opcodes::OF_A, Matrix::A));              \
                    for (int r = 0; r < NB; ++r) set(b[r], fragment(in, i, r, opcodes::OF_B, Matrix::B));              \
                    for (int r = 0; r < ND; ++r) set(c[r], fragment(in, i, r, opcodes::OF_C, Matrix::C));              \
                    ASM(I, CS, CF, SELECTOR); for (int r = 0; r < ND; ++r) out[i].of[r] = bits_of(d[r]))
#define SPARSE_222 2, 2, 2
#define SPARSE_244 2, 4, 4
#define SPARSE_422 4, 2, 2
#define SPARSE_444 4, 4, 4
#define SPARSE_ASM_222(I, CS, CF, SELECTOR)                                     \
    asm volatile(I " {%0,%1}, {%2,%3}, {%4,%5}, {%6,%7}, %8, " SELECTOR ";"     \
                 : IN2("=" CS, d)                                               \
                 : IN2(CF, a), IN2(CF, b), IN2(CS, c), "r"(e))
#define SPARSE_ASM_244(I, CS, CF, SELECTOR)                                                 \
    asm volatile(I " {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%10,%11}, %12, " SELECTOR ";"  \
                 : IN2("=" CS, d)                                                           \
                 : IN4(CF, a), IN4(CF, b), IN2(CS, c), "r"(e))
#define SPARSE_ASM_422(I, CS, CF, SELECTOR)                                                      \
    asm volatile(I " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%8,%9,%10,%11}, %12, " SELECTOR ";"       \
                 : IN4("=" CS, d)                                                                \
                 : IN2(CF, a), IN2(CF, b), IN4(CS, c), "r"(e))
#define SPARSE_ASM_444(I, CS, CF, SELECTOR)                                                                  \
    asm volatile(I " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%12,%13,%14,%15}, %16, " SELECTOR ";"   \
                 : IN4("=" CS, d)                                                                            \
                 : IN4(CF, a), IN4(CF, b), IN4(CS, c), "r"(e))
// Pairs in ascending order: of four numbers, and of two of tf32.
#define OF_FOUR 0xedc984u
#define OF_TWO 0x4ee4e4u
SPARSE(444, F, "m16n8k32.row.col.f32.f16.f16.f32", "0", OF_FOUR, HALF, HALF, FLOAT);
SPARSE(444, F, "m16n8k32.row.col.f32.bf16.bf16.f32", "1", OF_FOUR, BFLOAT, BFLOAT, FLOAT);
SPARSE(422, F, "m16n8k16.row.col.f32.f16.f16.f32", "0", OF_FOUR, HALF, HALF, FLOAT);
SPARSE(422, F, "m16n8k16.row.col.f32.bf16.bf16.f32", "3", OF_FOUR, BFLOAT, BFLOAT, FLOAT);
SPARSE(244, W, "m16n8k32.row.col.f16.f16.f16.f16", "1", OF_FOUR, HALF, HALF, HALF);
SPARSE(222, W, "m16n8k16.row.col.f16.f16.f16.f16", "2", OF_FOUR, HALF, HALF, HALF);
SPARSE(444, F, "m16n8k16.row.col.f32.tf32.tf32.f32", "1", OF_TWO, TF32, TF32, FLOAT);
SPARSE(422, F, "m16n8k8.row.col.f32.tf32.tf32.f32", "2", OF_TWO, TF32, TF32, FLOAT);
SPARSE(444, W, "m16n8k64.row.col.s32.s8.u8.s32", "0", OF_FOUR, BYTES, BYTES, SUM);
SPARSE(422, W, "m16n8k32.row.col.satfinite.s32.u8.s8.s32", "1", OF_FOUR, BYTES, BYTES, SUM);

// Matrices of 8 x 8 halves in shared memory: a warp has 1,024 bytes, of which each lane names a row of 16.
using Words1 = Registers<u32, 1>;
using Words2 = Registers<u32, 2>;
using Words4 = Registers<u32, 4>;
#define MEMORY(ROW)                                                                                          \
    __shared__ alignas(16) u32 memory[1024];                                                                 \
    const int warp = t / 32 * 256, kind = i / 32, row = ROW;                                                 \
    for (int k = 0; k < 8; ++k) memory[warp + k * 32 + t % 32] = in[i] + in[(i + k * 777) % opcodes::CASES]; \
    __syncwarp();                                                                                            \
    const u32 at = u32(__cvta_generic_to_shared(memory + warp + (row * (1 + kind % 2) ^ kind / 2 % 8) * 4))
#define ROWS kind % 3 == 0 ? i % 32 : kind % 3 == 1 ? (i * 5 + 3) % 32 : in[i] % 32
#define LOAD(I, TYPE, REGISTERS, ...)                                                            \
    BLOCK_OPERATION(words, u32, TYPE, "ldmatrix.sync.aligned.m8n8." I, MEMORY(ROWS);                  \
                    asm volatile("ldmatrix.sync.aligned.m8n8." I ".shared.b16 {" REGISTERS ";"   \
                                 : __VA_ARGS__ : "r"(at)))
#define OF(k) "=r"(out[i].of[k])
LOAD("x1", Words1, "%0}, [%1]", OF(0)); LOAD("x1.trans", Words1, "%0}, [%1]", OF(0));
LOAD("x2", Words2, "%0, %1}, [%2]", OF(0), OF(1)); LOAD("x2.trans", Words2, "%0, %1}, [%2]", OF(0), OF(1));
LOAD("x4", Words4, "%0, %1, %2, %3}, [%4]", OF(0), OF(1), OF(2), OF(3));
LOAD("x4.trans", Words4, "%0, %1, %2, %3}, [%4]", OF(0), OF(1), OF(2), OF(3));
// No two lanes name one row, or which stays is anybody's guess.
#define STORE(I, REGISTERS, ...)                                                                               \
    BLOCK_OPERATION(words, u32, Words4, "stmatrix.sync.aligned.m8n8." I, MEMORY(i * (1 + kind % 6 * 2) % 32);                            \
                    asm volatile("stmatrix.sync.aligned.m8n8." I ".shared.b16 [%0], {" REGISTERS "};"          \
                                 :: "r"(at), __VA_ARGS__ : "memory");                                          \
                    __syncwarp();                                                                              \
                    for (int k = 0; k < 4; ++k)                                                                \
                        out[i].of[k] = memory[warp + k * 32 + t % 32] * 3 + memory[warp + 128 + k * 32 + t % 32])
#define FROM(k) "r"(in[i + k * 32 % opcodes::CASES] ^ k << 16)
STORE("x1", "%1", FROM(0)); STORE("x1.trans", "%1", FROM(0));
STORE("x2", "%1, %2", FROM(0), FROM(1)); STORE("x2.trans", "%1, %2", FROM(0), FROM(1));
STORE("x4", "%1, %2, %3, %4", FROM(0), FROM(1), FROM(2), FROM(3));
STORE("x4.trans", "%1, %2, %3, %4", FROM(0), FROM(1), FROM(2), FROM(3));
BLOCK_OPERATION(words, u32, u32, "movmatrix.sync.aligned.m8n8.trans.b16",
                asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(out[i]) : "r"(in[i] + u32(i) * 77)));

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
