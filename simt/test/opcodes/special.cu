// The special functions, which a GPU approximates, and what is computed from them: not exact by any standard.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

#define BOTH1(I) W1(I ".f32"); W1(I ".ftz.f32")
BOTH1("rcp.approx"); BOTH1("rsqrt.approx"); BOTH1("sqrt.approx"); BOTH1("sin.approx"); BOTH1("cos.approx");
BOTH1("ex2.approx"); BOTH1("lg2.approx"); W1("tanh.approx.f32");
W2("div.approx.f32"); W2("div.approx.ftz.f32"); W2("div.full.f32"); W2("div.full.ftz.f32");
L1("rcp.approx.ftz.f64"); L1("rsqrt.approx.ftz.f64");
H1("ex2.approx.f16"); H1("tanh.approx.f16"); H1("ex2.approx.ftz.bf16"); H1("tanh.approx.bf16");
P1("ex2.approx.f16x2"); P1("tanh.approx.f16x2"); P1("ex2.approx.ftz.bf16x2"); P1("tanh.approx.bf16x2");

#define F(NAME, ...)                                                     \
    OPERATION(words, u32, u32, NAME, const float x = __uint_as_float(a); \
        const float y = __uint_as_float(b);                              \
              d = __float_as_uint(__VA_ARGS__) + 0 * __float_as_uint(y))
F("sinf", sinf(x)); F("cosf", cosf(x)); F("tanf", tanf(x)); F("expf", expf(x)); F("logf", logf(x));
F("powf", powf(x, y));
F("exp2f", exp2f(x)); F("log2f", log2f(x)); F("tanhf", tanhf(x)); F("rsqrtf", rsqrtf(x));
F("cbrtf", cbrtf(x));
F("atan2f", atan2f(x, y)); F("erff", erff(x)); F("__expf", __expf(x)); F("__logf", __logf(x));
F("__fdividef", __fdividef(x, y));
#define D(NAME, ...)                                                           \
    OPERATION(longs, u64, u64, NAME, const double x = __longlong_as_double(a); \
        d = __double_as_longlong(__VA_ARGS__))
D("sin", sin(x)); D("exp", exp(x)); D("log", log(x)); D("rsqrt", rsqrt(x)); D("cbrt", cbrt(x));
#define HALF(NAME, ...)                                                              \
    OPERATION(halves, u32, u16, NAME, const __half x = __ushort_as_half(a & 0xffff); \
        d = __half_as_ushort(__VA_ARGS__))
HALF("hsin", hsin(x)); HALF("hexp", hexp(x)); HALF("hlog", hlog(x)); HALF("hsqrt", hsqrt(x));
HALF("hrcp", hrcp(x));

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
