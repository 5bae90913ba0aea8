// Products of matrices of floats and doubles, in each shape and type that sm_90 has an instruction for;
// loads, stores and moves of matrices.
#include "simt/test/opcodes/matrices.h"

// clang-format off: lists, several a line.

PRODUCT(442, F, MMA("m16n8k16", "f32.f16.f16.f32"), HALF, HALF, FLOAT);
PRODUCT(421, F, MMA("m16n8k8", "f32.f16.f16.f32"), HALF, HALF, FLOAT);
PRODUCT(242, W, MMA("m16n8k16", "f16.f16.f16.f16"), HALF, HALF, HALF);
PRODUCT(221, W, MMA("m16n8k8", "f16.f16.f16.f16"), HALF, HALF, HALF);
PRODUCT(442, F, MMA("m16n8k16", "f32.bf16.bf16.f32"), BFLOAT, BFLOAT, FLOAT);
PRODUCT(421, F, MMA("m16n8k8", "f32.bf16.bf16.f32"), BFLOAT, BFLOAT, FLOAT);
PRODUCT(442, F, MMA("m16n8k8", "f32.tf32.tf32.f32"), TF32, TF32, FLOAT);
PRODUCT(421, F, MMA("m16n8k4", "f32.tf32.tf32.f32"), TF32, TF32, FLOAT);
PRODUCT(822, F, MMA("m8n8k4", "f32.f16.f16.f32"), HALF, HALF, FLOAT);
PRODUCT(211, D, MMA("m8n8k4", "f64.f64.f64.f64"), DOUBLE, DOUBLE, DOUBLE);
PRODUCT(421, D, MMA("m16n8k4", "f64.f64.f64.f64"), DOUBLE, DOUBLE, DOUBLE);
PRODUCT(442, D, MMA("m16n8k8", "f64.f64.f64.f64"), DOUBLE, DOUBLE, DOUBLE);
PRODUCT(484, D, MMA("m16n8k16", "f64.f64.f64.f64"), DOUBLE, DOUBLE, DOUBLE);

// A sparse.
SPARSE(444, F, "m16n8k32.row.col.f32.f16.f16.f32", "0", OF_FOUR, HALF, HALF, FLOAT);
SPARSE(444, F, "m16n8k32.row.col.f32.bf16.bf16.f32", "1", OF_FOUR, BFLOAT, BFLOAT, FLOAT);
SPARSE(422, F, "m16n8k16.row.col.f32.f16.f16.f32", "0", OF_FOUR, HALF, HALF, FLOAT);
SPARSE(422, F, "m16n8k16.row.col.f32.bf16.bf16.f32", "3", OF_FOUR, BFLOAT, BFLOAT, FLOAT);
SPARSE(244, W, "m16n8k32.row.col.f16.f16.f16.f16", "1", OF_FOUR, HALF, HALF, HALF);
SPARSE(222, W, "m16n8k16.row.col.f16.f16.f16.f16", "2", OF_FOUR, HALF, HALF, HALF);
SPARSE(444, F, "m16n8k16.row.col.f32.tf32.tf32.f32", "1", OF_TWO, TF32, TF32, FLOAT);
SPARSE(422, F, "m16n8k8.row.col.f32.tf32.tf32.f32", "2", OF_TWO, TF32, TF32, FLOAT);

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
#define STORE(I, REGISTERS, ...)                                                                     \
    BLOCK_OPERATION(words, u32, Words4, "stmatrix.sync.aligned.m8n8." I,                             \
                    MEMORY(i * (1 + kind % 6 * 2) % 32);                                             \
                    asm volatile("stmatrix.sync.aligned.m8n8." I ".shared.b16 [%0], {" REGISTERS "};" \
                                 :: "r"(at), __VA_ARGS__ : "memory");                                \
                    __syncwarp(); const u32* const mine = memory + warp + t % 32;                    \
                    for (int k = 0; k < 4; ++k) out[i].of[k] = mine[k * 32] * 3 + mine[128 + k * 32])
#define FROM(k) "r"(in[i + k * 32 % opcodes::CASES] ^ k << 16)
STORE("x1", "%1", FROM(0)); STORE("x1.trans", "%1", FROM(0));
STORE("x2", "%1, %2", FROM(0), FROM(1)); STORE("x2.trans", "%1, %2", FROM(0), FROM(1));
STORE("x4", "%1, %2, %3, %4", FROM(0), FROM(1), FROM(2), FROM(3));
STORE("x4.trans", "%1, %2, %3, %4", FROM(0), FROM(1), FROM(2), FROM(3));
BLOCK_OPERATION(words, u32, u32, "movmatrix.sync.aligned.m8n8.trans.b16",
                asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
                             : "=r"(out[i]) : "r"(in[i] + u32(i) * 77)));

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
