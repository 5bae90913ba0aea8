// Conversions among all types, with all roundings, saturation, and denormals as they are or flushed.
#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

// How an instruction is given its source: the set, the type of its words, the constraint.
#define CONVERT_(SET, IN, OUT, I, TO, CONSTRAINT, FROM) \
    OPERATION(SET, IN, OUT, I, asm(I " %0, %1;" : TO(d) : CONSTRAINT(FROM)))
#define FROM_HALF(I, OUT, TO) CONVERT_(halves, u32, OUT, I, TO, "h", u16(a))
#define FROM_WORD(I, OUT, TO) CONVERT_(words, u32, OUT, I, TO, "r", a)
#define FROM_LONG(I, OUT, TO) CONVERT_(longs, u64, OUT, I, TO, "l", a)

// To 8 and 16 bits: registers of 16 or 32 bits.
#define TO_HALF(FROM, I) FROM(I, u16, "=h")
#define TO_WORD(FROM, I) FROM(I, u32, "=r")
#define TO_LONG(FROM, I) FROM(I, u64, "=l")

// Integers to integers.
#define TO_INTEGERS(FROM, TYPE)                                                                     \
    TO_WORD(FROM, "cvt.s8." TYPE); TO_WORD(FROM, "cvt.u8." TYPE); TO_HALF(FROM, "cvt.s16." TYPE);   \
    TO_HALF(FROM, "cvt.u16." TYPE); TO_WORD(FROM, "cvt.s32." TYPE); TO_WORD(FROM, "cvt.u32." TYPE); \
    TO_LONG(FROM, "cvt.s64." TYPE); TO_LONG(FROM, "cvt.u64." TYPE)
TO_INTEGERS(FROM_WORD, "s8"); TO_INTEGERS(FROM_WORD, "u8"); TO_INTEGERS(FROM_HALF, "s16");
TO_INTEGERS(FROM_HALF, "u16");
TO_INTEGERS(FROM_WORD, "s32"); TO_INTEGERS(FROM_WORD, "u32"); TO_INTEGERS(FROM_LONG, "s64");
TO_INTEGERS(FROM_LONG, "u64");
// Saturation, where the result's type lacks values of the source's.
#define SATURATED(TO, FROM, I) TO(FROM, "cvt.sat." I)
SATURATED(TO_WORD, FROM_WORD, "u8.s8"); SATURATED(TO_HALF, FROM_WORD, "u16.s8");
SATURATED(TO_WORD, FROM_WORD, "u32.s8"); SATURATED(TO_LONG, FROM_WORD, "u64.s8");
SATURATED(TO_WORD, FROM_WORD, "s8.u8"); SATURATED(TO_WORD, FROM_HALF, "s8.s16");
SATURATED(TO_WORD, FROM_HALF, "u8.s16"); SATURATED(TO_HALF, FROM_HALF, "u16.s16");
SATURATED(TO_WORD, FROM_HALF, "u32.s16"); SATURATED(TO_LONG, FROM_HALF, "u64.s16");
SATURATED(TO_WORD, FROM_HALF, "s8.u16"); SATURATED(TO_WORD, FROM_HALF, "u8.u16");
SATURATED(TO_HALF, FROM_HALF, "s16.u16"); SATURATED(TO_WORD, FROM_WORD, "s8.s32");
SATURATED(TO_WORD, FROM_WORD, "u8.s32"); SATURATED(TO_HALF, FROM_WORD, "s16.s32");
SATURATED(TO_HALF, FROM_WORD, "u16.s32"); SATURATED(TO_WORD, FROM_WORD, "u32.s32");
SATURATED(TO_LONG, FROM_WORD, "u64.s32"); SATURATED(TO_WORD, FROM_WORD, "s8.u32");
SATURATED(TO_WORD, FROM_WORD, "u8.u32"); SATURATED(TO_HALF, FROM_WORD, "s16.u32");
SATURATED(TO_HALF, FROM_WORD, "u16.u32"); SATURATED(TO_WORD, FROM_WORD, "s32.u32");
SATURATED(TO_WORD, FROM_LONG, "s8.s64"); SATURATED(TO_WORD, FROM_LONG, "u8.s64");
SATURATED(TO_HALF, FROM_LONG, "s16.s64"); SATURATED(TO_HALF, FROM_LONG, "u16.s64");
SATURATED(TO_WORD, FROM_LONG, "s32.s64"); SATURATED(TO_WORD, FROM_LONG, "u32.s64");
SATURATED(TO_LONG, FROM_LONG, "u64.s64"); SATURATED(TO_WORD, FROM_LONG, "s8.u64");
SATURATED(TO_WORD, FROM_LONG, "u8.u64"); SATURATED(TO_HALF, FROM_LONG, "s16.u64");
SATURATED(TO_HALF, FROM_LONG, "u16.u64"); SATURATED(TO_WORD, FROM_LONG, "s32.u64");
SATURATED(TO_WORD, FROM_LONG, "u32.u64"); SATURATED(TO_LONG, FROM_LONG, "s64.u64");

// Reals to integers.
#define REAL_TO(FROM, ROUND, TYPE)                                                  \
    TO_WORD(FROM, "cvt" ROUND ".s8." TYPE); TO_WORD(FROM, "cvt" ROUND ".u8." TYPE); \
    REAL_TO_WIDE(FROM, ROUND, TYPE)
#define REAL_TO_WIDE(FROM, ROUND, TYPE)                                               \
    TO_HALF(FROM, "cvt" ROUND ".s16." TYPE); TO_HALF(FROM, "cvt" ROUND ".u16." TYPE); \
    TO_WORD(FROM, "cvt" ROUND ".s32." TYPE); TO_WORD(FROM, "cvt" ROUND ".u32." TYPE); \
    TO_LONG(FROM, "cvt" ROUND ".s64." TYPE); TO_LONG(FROM, "cvt" ROUND ".u64." TYPE)
#define REAL_TO_INTEGERS(FROM, FTZ, TYPE)                                                              \
    REAL_TO(FROM, ".rni" FTZ, TYPE); REAL_TO(FROM, ".rzi" FTZ, TYPE); REAL_TO(FROM, ".rmi" FTZ, TYPE); \
    REAL_TO(FROM, ".rpi" FTZ, TYPE)
REAL_TO_INTEGERS(FROM_WORD, "", "f32");
REAL_TO_INTEGERS(FROM_WORD, ".ftz", "f32");
REAL_TO_INTEGERS(FROM_LONG, "", "f64");
REAL_TO_INTEGERS(FROM_HALF, "", "f16");
REAL_TO_WIDE(FROM_HALF, ".rni", "bf16"); REAL_TO_WIDE(FROM_HALF, ".rzi", "bf16");
REAL_TO_WIDE(FROM_HALF, ".rmi", "bf16");
REAL_TO_WIDE(FROM_HALF, ".rpi", "bf16");

// Integers to reals.
#define TO_REAL(FROM, ROUND, TYPE)                                                    \
    TO_WORD(FROM, "cvt" ROUND ".f32." TYPE); TO_LONG(FROM, "cvt" ROUND ".f64." TYPE); \
    TO_HALF(FROM, "cvt" ROUND ".f16." TYPE)
#define TO_REALS(FROM, TYPE)                                                            \
    TO_REAL(FROM, ".rn", TYPE); TO_REAL(FROM, ".rz", TYPE); TO_REAL(FROM, ".rm", TYPE); \
    TO_REAL(FROM, ".rp", TYPE)
TO_REALS(FROM_WORD, "s8"); TO_REALS(FROM_WORD, "u8"); TO_REALS(FROM_HALF, "s16"); TO_REALS(FROM_HALF, "u16");
TO_REALS(FROM_WORD, "s32"); TO_REALS(FROM_WORD, "u32"); TO_REALS(FROM_LONG, "s64");
TO_REALS(FROM_LONG, "u64");
#define TO_BF16(FROM, TYPE)                                                 \
    TO_HALF(FROM, "cvt.rn.bf16." TYPE); TO_HALF(FROM, "cvt.rz.bf16." TYPE); \
        TO_HALF(FROM, "cvt.rm.bf16." TYPE);                                 \
    TO_HALF(FROM, "cvt.rp.bf16." TYPE)
TO_BF16(FROM_HALF, "s16"); TO_BF16(FROM_HALF, "u16"); TO_BF16(FROM_WORD, "s32"); TO_BF16(FROM_WORD, "u32");
TO_BF16(FROM_LONG, "s64"); TO_BF16(FROM_LONG, "u64");
TO_WORD(FROM_WORD, "cvt.rn.sat.f32.s32"); TO_WORD(FROM_WORD, "cvt.rz.sat.f32.u32");

// Reals to reals.
TO_LONG(FROM_WORD, "cvt.f64.f32"); TO_LONG(FROM_WORD, "cvt.ftz.f64.f32");
TO_LONG(FROM_WORD, "cvt.sat.f64.f32");
TO_WORD(FROM_HALF, "cvt.f32.f16"); TO_WORD(FROM_HALF, "cvt.ftz.f32.f16");
TO_WORD(FROM_HALF, "cvt.sat.f32.f16");
TO_WORD(FROM_HALF, "cvt.f32.bf16"); TO_LONG(FROM_HALF, "cvt.f64.f16"); TO_LONG(FROM_HALF, "cvt.f64.bf16");
#define NARROW(ROUND)                                                                           \
    TO_WORD(FROM_LONG, "cvt" ROUND ".f32.f64"); TO_WORD(FROM_LONG, "cvt" ROUND ".ftz.f32.f64"); \
    TO_WORD(FROM_LONG, "cvt" ROUND ".sat.f32.f64"); TO_HALF(FROM_LONG, "cvt" ROUND ".f16.f64"); \
    TO_HALF(FROM_WORD, "cvt" ROUND ".f16.f32"); TO_HALF(FROM_WORD, "cvt" ROUND ".ftz.f16.f32"); \
    TO_HALF(FROM_WORD, "cvt" ROUND ".sat.f16.f32")
NARROW(".rn"); NARROW(".rz"); NARROW(".rm"); NARROW(".rp");
TO_HALF(FROM_WORD, "cvt.rn.bf16.f32"); TO_HALF(FROM_WORD, "cvt.rz.bf16.f32");
TO_HALF(FROM_WORD, "cvt.rn.relu.bf16.f32");
TO_HALF(FROM_WORD, "cvt.rn.relu.f16.f32"); TO_WORD(FROM_WORD, "cvt.rna.tf32.f32");
TO_HALF(FROM_HALF, "cvt.rn.bf16.f16"); TO_HALF(FROM_HALF, "cvt.rn.f16.bf16");
#define TO_WHOLE(FROM, TO, TYPE) \
    TO(FROM, "cvt.rni" TYPE); TO(FROM, "cvt.rzi" TYPE); TO(FROM, "cvt.rmi" TYPE); TO(FROM, "cvt.rpi" TYPE)
TO_WHOLE(FROM_WORD, TO_WORD, ".f32.f32"); TO_WHOLE(FROM_WORD, TO_WORD, ".ftz.f32.f32");
TO_WHOLE(FROM_WORD, TO_WORD, ".sat.f32.f32"); TO_WHOLE(FROM_LONG, TO_LONG, ".f64.f64");
TO_WHOLE(FROM_HALF, TO_HALF, ".f16.f16");
TO_WORD(FROM_WORD, "cvt.sat.f32.f32"); TO_WORD(FROM_WORD, "cvt.ftz.f32.f32");
TO_WORD(FROM_WORD, "cvt.ftz.sat.f32.f32");
TO_HALF(FROM_HALF, "cvt.sat.f16.f16"); TO_LONG(FROM_LONG, "cvt.sat.f64.f64");

// Two reals to two halves of a word.
W2("cvt.rn.f16x2.f32"); W2("cvt.rz.f16x2.f32"); W2("cvt.rn.relu.f16x2.f32"); W2("cvt.rn.bf16x2.f32");
W2("cvt.rz.bf16x2.f32"); W2("cvt.rn.relu.bf16x2.f32");
W3("cvt.pack.sat.u8.s32.b32"); W3("cvt.pack.sat.s8.s32.b32"); W2("cvt.pack.sat.u16.s32");
W2("cvt.pack.sat.s16.s32");

// Of halves whose sign is changed on the way: a modifier of the source. So is which half of a word it is.
#define CHANGED_(CHANGE, I, OUT, TO)                                                              \
    OPERATION(halves, u32, OUT, I " of " CHANGE,                                                  \
              asm("{.reg .b16 t; " CHANGE " t, %1; " I " %0, t;}" : TO(d) : "h"(u16(a))));        \
    OPERATION(halves, u32, OUT, I " of " CHANGE " high",                                          \
              asm("{.reg .b16 t; " CHANGE " t, %1; " I " %0, t;}" : TO(d) : "h"(u16(a >> 16))))
#define CHANGED(I, OUT, TO, TYPE)           \
    CHANGED_("neg." TYPE, I TYPE, OUT, TO); \
    CHANGED_("abs." TYPE, I TYPE, OUT, TO)
CHANGED("cvt.rni.s32.", u32, "=r", "f16"); CHANGED("cvt.rzi.u32.", u32, "=r", "f16");
CHANGED("cvt.rmi.s64.", u64, "=l", "f16"); CHANGED("cvt.rpi.s16.", u16, "=h", "f16");
CHANGED("cvt.rzi.s8.", u32, "=r", "f16"); CHANGED("cvt.f32.", u32, "=r", "f16");
CHANGED("cvt.f64.", u64, "=l", "f16"); CHANGED("cvt.sat.f16.", u16, "=h", "f16");
CHANGED("cvt.rmi.f16.", u16, "=h", "f16"); CHANGED("cvt.rni.f16.", u16, "=h", "f16");
CHANGED("cvt.rni.s32.", u32, "=r", "bf16"); CHANGED("cvt.rzi.u64.", u64, "=l", "bf16");
CHANGED("cvt.f64.", u64, "=l", "bf16"); CHANGED("cvt.rpi.bf16.", u16, "=h", "bf16");

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
