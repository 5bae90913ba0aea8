// Single precision: sums, products, products with sums, quotients and roots rounded as IEEE 754 says.
#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

#define FORMS2(I, ROUND) \
    W2(I ROUND ".f32"); W2(I ROUND ".ftz.f32"); W2(I ROUND ".sat.f32"); W2(I ROUND ".ftz.sat.f32")
#define FORMS3(I, ROUND) \
    W3(I ROUND ".f32"); W3(I ROUND ".ftz.f32"); W3(I ROUND ".sat.f32"); W3(I ROUND ".ftz.sat.f32")
#define ROUNDINGS(FORMS, I) FORMS(I, ".rn"); FORMS(I, ".rz"); FORMS(I, ".rm"); FORMS(I, ".rp")
ROUNDINGS(FORMS2, "add");
ROUNDINGS(FORMS2, "sub");
ROUNDINGS(FORMS2, "mul");
ROUNDINGS(FORMS3, "fma");
#define PLAIN2(I, ROUND) W2(I ROUND ".f32"); W2(I ROUND ".ftz.f32")
#define PLAIN1(I, ROUND) W1(I ROUND ".f32"); W1(I ROUND ".ftz.f32")
ROUNDINGS(PLAIN2, "div");
ROUNDINGS(PLAIN1, "rcp");
ROUNDINGS(PLAIN1, "sqrt");

PLAIN2("min", ""); PLAIN2("max", ""); PLAIN2("min", ".NaN"); PLAIN2("max", ".NaN");
W2("min.xorsign.abs.f32"); W2("max.xorsign.abs.f32"); W2("min.ftz.NaN.xorsign.abs.f32");
PLAIN1("abs", ""); PLAIN1("neg", "");

// With constants, with signs changed and absolute values on the way.
#define F(NAME, ...)                                                                                         \
    OPERATION(words, u32, u32, NAME, const float x = __uint_as_float(a); const float y = __uint_as_float(b); \
              const float z = __uint_as_float(c);                                                            \
                  d = __float_as_uint(__VA_ARGS__) + 0 * __float_as_uint(y + z))
F("x+1.5f", x + 1.5f); F("x*-3.25f", x * -3.25f); F("fmaf(x,y,2)", fmaf(x, y, 2.0f));
F("fmaf(x,3,z)", fmaf(x, 3.0f, z));
F("|x|+|y|", fabsf(x) + fabsf(y)); F("|x|-y", fabsf(x) - y); F("-x-y", -x - y); F("-|x|+y", -fabsf(x) + y);
F("-x*y", -x * y); F("|x|*y", fabsf(x) * y); F("fmaf(-x,y,-z)", fmaf(-x, y, -z));
F("fmaf(x,y,-z)", fmaf(x, y, -z));
F("-fmaf(x,y,z)", -fmaf(x, y, z)); F("x*y+z", x * y + z); F("fminf(|x|,-y)", fminf(fabsf(x), -y));
F("x<y?x:z", x < y ? x : z); F("x/3.0f", x / 3.0f); F("1/x", 1.0f / x); F("sqrtf(x)", sqrtf(x));
F("x*x", x * x);
F("__saturatef(x*y)", __saturatef(x * y)); F("x*2^-130", x * 7.3e-40f); F("fmaxf(x,0)", fmaxf(x, 0.0f));
F("floorf", floorf(x)); F("ceilf", ceilf(x)); F("truncf", truncf(x)); F("rintf", rintf(x));
F("roundf", roundf(x));
F("fmodf", fmodf(x, y)); F("remainderf", remainderf(x, y)); F("ldexpf", ldexpf(x, int(b & 511) - 256));
F("frexpf", [](float v) { int e; const float m = frexpf(v, &e); return m * (1 + (e & 15)); }(x));
F("nextafterf", nextafterf(x, y)); F("fdimf", fdimf(x, y)); F("logbf", logbf(x));
F("copysignf", copysignf(x, y));
F("hypot by fma", sqrtf(fmaf(x, x, y * y)));

// A product and a power of two are one instruction; so is a comparison whose result is a float.
F("x*y*0.125", x * y * 0.125f); F("x*y*0.25", x * y * 0.25f); F("x*y*0.5", x * y * 0.5f);
F("x*y*4", x * y * 4.0f); F("x*y*8", x * y * 8.0f); F("x*-y*8", x * -y * 8.0f);
#define SCALED(BY) \
    OPERATION(words, u32, u32, "ftz x*y*" BY, \
              asm("{.reg .f32 t; mul.ftz.f32 t, %1, %2; mul.ftz.f32 %0, t, " BY ";}" \
                  : "=r"(d) : "r"(a), "r"(b)))
SCALED("0f3e000000"); SCALED("0f3e800000"); SCALED("0f3f000000"); SCALED("0f40800000"); SCALED("0f41000000");
W2("set.lt.f32.f32"); W2("set.lt.ftz.f32.f32"); W2("set.neu.ftz.f32.f32"); W2("set.equ.ftz.f32.f32");
W2("set.gt.ftz.u32.f32"); W2("set.num.ftz.f32.f32");

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
