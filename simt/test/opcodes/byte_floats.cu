// Floats of eight bits: conversions, and products of matrices, for which mma.sync of sm_90 takes several
// instructions.
#include "simt/test/opcodes/matrices.h"

// clang-format off: lists, several a line.

#define TO_HALVES(I) OPERATION(words, u32, u32, I, asm(I " %0, %1;" : "=r"(d) : "h"(u16(a + b))))
TO_HALVES("cvt.rn.f16x2.e4m3x2"); TO_HALVES("cvt.rn.relu.f16x2.e4m3x2");
TO_HALVES("cvt.rn.f16x2.e5m2x2"); TO_HALVES("cvt.rn.relu.f16x2.e5m2x2");
#define UPPER(I) OPERATION(words, u32, u32, I " high", asm(I " %0, %1;" : "=r"(d) : "h"(u16(a >> 16))))
UPPER("cvt.rn.f16x2.e4m3x2"); UPPER("cvt.rn.f16x2.e5m2x2");
#define OF_FLOATS(I) OPERATION(words, float, u16, I, asm(I " %0, %1, %2;" : "=h"(d) : "f"(a), "f"(b)))
OF_FLOATS("cvt.rn.satfinite.e4m3x2.f32"); OF_FLOATS("cvt.rn.satfinite.relu.e4m3x2.f32");
OF_FLOATS("cvt.rn.satfinite.e5m2x2.f32"); OF_FLOATS("cvt.rn.satfinite.relu.e5m2x2.f32");
#define OF_HALVES(I) OPERATION(halves, u32, u16, I, asm(I " %0, %1;" : "=h"(d) : "r"(a ^ b)))
OF_HALVES("cvt.rn.satfinite.e4m3x2.f16x2"); OF_HALVES("cvt.rn.satfinite.relu.e4m3x2.f16x2");
OF_HALVES("cvt.rn.satfinite.e5m2x2.f16x2"); OF_HALVES("cvt.rn.satfinite.relu.e5m2x2.f16x2");
OPERATION(words, float, u32, "cvt.rn.satfinite.e4m3x2.f32 twice", u16 x; u16 y;
          asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(x) : "f"(a), "f"(b * 0.125f));
          asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(y) : "f"(c * 1e-3f), "f"(a * 100.0f));
          d = x | u32(y) << 16);

PRODUCT(442, F, MMA("m16n8k32", "f32.e4m3.e5m2.f32"), E4M3, E5M2, FLOAT);
PRODUCT(442, F, MMA("m16n8k32", "f32.e5m2.e4m3.f32"), E5M2, E4M3, FLOAT);
PRODUCT(242, W, MMA("m16n8k32", "f16.e4m3.e4m3.f16"), E4M3, E4M3, HALF);
PRODUCT(421, F, MMA("m16n8k16", "f32.e5m2.e5m2.f32"), E5M2, E5M2, FLOAT);

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
