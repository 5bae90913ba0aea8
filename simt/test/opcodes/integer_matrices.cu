// Products of matrices of integers. Of four bits and of differing bits sm_90 has no instruction: it takes
// several.
#include "simt/test/opcodes/matrices.h"

// clang-format off: lists, several a line.

// With and without .satfinite; of four bits; of one.
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

// A sparse.
SPARSE(444, W, "m16n8k64.row.col.s32.s8.u8.s32", "0", OF_FOUR, BYTES, BYTES, SUM);
SPARSE(422, W, "m16n8k32.row.col.satfinite.s32.u8.s8.s32", "1", OF_FOUR, BYTES, BYTES, SUM);

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
