// fp16 and bf16, scalar and packed: sums, products, products with sums, least and greatest.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

#define FP16(FORM, I, PACK) FORM(I ".f16" PACK); FORM(I ".ftz.f16" PACK)
#define SATURATED(FORM, I, PACK) FP16(FORM, I, PACK); FORM(I ".sat.f16" PACK); FORM(I ".ftz.sat.f16" PACK)
#define ARITHMETIC(FORM2, FORM3, PACK)                                                                  \
    SATURATED(FORM2, "add", PACK); SATURATED(FORM2, "sub", PACK); SATURATED(FORM2, "mul", PACK);        \
    SATURATED(FORM2, "add.rn", PACK); SATURATED(FORM2, "mul.rn", PACK);                                 \
    SATURATED(FORM3, "fma.rn", PACK); FORM3("fma.rn.relu.f16" PACK); FORM3("fma.rn.ftz.relu.f16" PACK); \
    FORM2("add.bf16" PACK); FORM2("sub.bf16" PACK); FORM2("mul.bf16" PACK);                             \
    FORM2("add.rn.bf16" PACK); FORM2("mul.rn.bf16" PACK); FORM3("fma.rn.bf16" PACK);                    \
    FORM3("fma.rn.relu.bf16" PACK)
ARITHMETIC(H2, H3, "");
ARITHMETIC(P2, P3, "x2");

#define EXTREMES(FORM1, FORM2, PACK)                                                                        \
    FP16(FORM2, "min", PACK); FP16(FORM2, "max", PACK); FORM2("min.NaN.f16" PACK);                          \
        FORM2("max.ftz.NaN.f16" PACK);                                                                      \
    FORM2("min.xorsign.abs.f16" PACK); FORM2("max.NaN.xorsign.abs.f16" PACK);                               \
    FORM2("min.bf16" PACK); FORM2("max.bf16" PACK); FORM2("min.NaN.bf16" PACK); FORM2("max.NaN.bf16" PACK); \
    FORM2("max.xorsign.abs.bf16" PACK);                                                                     \
    FORM1("neg.f16" PACK); FORM1("neg.ftz.f16" PACK); FORM1("abs.f16" PACK); FORM1("abs.ftz.f16" PACK);     \
    FORM1("neg.bf16" PACK); FORM1("abs.bf16" PACK)
EXTREMES(H1, H2, "");
EXTREMES(P1, P2, "x2");

// Through the intrinsics: constants, halves exchanged, sums of the halves of one word.
__device__ inline __half2 half2_of(u32 word) { return *reinterpret_cast<const __half2*>(&word); }
__device__ inline __nv_bfloat162 bf162_of(u32 word) { return *reinterpret_cast<const __nv_bfloat162*>(&word);
    }
template <class Pair>
__device__ u32 word_of(Pair pair) {
    return *reinterpret_cast<const u32*>(&pair);
}
#define PAIR(NAME, ...)                                                                             \
    OPERATION(halves, u32, u32, NAME, const __half2 x = half2_of(a); const __half2 y = half2_of(b); \
              const __half2 z = half2_of(c); d = word_of(__VA_ARGS__) + 0 * word_of(__hadd2(y, z)))
PAIR("__hadd2(x,1.5)", __hadd2(x, __float2half2_rn(1.5f)));
PAIR("__hfma2(x,y,-z)", __hfma2(x, y, __hneg2(z)));
PAIR("__hadd2 exchanged", __hadd2(__lowhigh2highlow(x), y)); PAIR("__hmul2 low", __hmul2(__low2half2(x), y));
PAIR("__hfma2 high", __hfma2(__high2half2(x), y, __low2half2(z))); PAIR("|x|+y", __hadd2(__habs2(x), y));
PAIR("low+high", __half2half2(__hadd(__low2half(x), __high2half(x)))); PAIR("__h2div", __h2div(x, y));
PAIR("-x*y", __hmul2(__hneg2(x), y)); PAIR("__hmax2(x,0)", __hmax2(x, __float2half2_rn(0.0f)));
PAIR("__hcmadd", __hcmadd(x, y, z));
PAIR("x*3+0.5", __hfma2(x, __float2half2_rn(3.0f), __float2half2_rn(0.5f)));
PAIR("h2floor", h2floor(x)); PAIR("h2rint", h2rint(x)); PAIR("h2trunc", h2trunc(x));
PAIR("h2ceil", h2ceil(x));
#define BF_PAIR(NAME, ...)                                                  \
    OPERATION(halves, u32, u32, NAME, const __nv_bfloat162 x = bf162_of(a); \
        const __nv_bfloat162 y = bf162_of(b);                               \
              const __nv_bfloat162 z = bf162_of(c); d = word_of(__VA_ARGS__) + 0 * word_of(__hadd2(y, z)))
BF_PAIR("bf16:__hadd2(x,1.5)", __hadd2(x, __float2bfloat162_rn(1.5f)));
BF_PAIR("bf16:__hfma2(-x,y,z)", __hfma2(__hneg2(x), y, z));
BF_PAIR("bf16:__hadd2 exchanged", __hadd2(__lowhigh2highlow(x), y));
BF_PAIR("bf16:__hmul2 low", __hmul2(__low2bfloat162(x), y));
BF_PAIR("bf16:__hsub2 sat", __hsub2_sat(x, y));

// Of three.
PAIR("__hmax2 of 3", __hmax2(__hmax2(x, y), z)); PAIR("__hmin2 of 3", __hmin2(__hmin2(x, y), z));
PAIR("__hmax2_nan of 3", __hmax2_nan(__hmax2_nan(x, y), z));
PAIR("__hmin2_nan of 3", __hmin2_nan(__hmin2_nan(x, y), z));
PAIR("low __hmax of 3", __half2half2(__hmax(__hmax(__low2half(x), __high2half(y)), __low2half(z))));
PAIR("__hmax2 of 3, negated", __hmax2(__hmax2(__hneg2(x), y), __habs2(z)));
BF_PAIR("bf16:__hmax2 of 3", __hmax2(__hmax2(x, y), z));
BF_PAIR("bf16:__hmin2_nan of 3", __hmin2_nan(__hmin2_nan(x, y), z));
BF_PAIR("bf16:high __hmin of 3",
        __bfloat162bfloat162(__hmin(__hmin(__high2bfloat16(x), __low2bfloat16(y)), __high2bfloat16(z))));

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
