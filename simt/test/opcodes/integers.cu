// 32-bit and 16-bit integer arithmetic: sums, products, carries, shifted sums, quotients, least and greatest.
#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

W2("add.s32"); W2("add.sat.s32"); W2("sub.s32"); W2("sub.sat.s32");
W1("neg.s32"); W1("abs.s32");
W2("min.s32"); W2("max.s32"); W2("min.u32"); W2("max.u32"); W2("min.relu.s32"); W2("max.relu.s32");
W2("mul.lo.s32"); W2("mul.lo.u32"); W2("mul.hi.s32"); W2("mul.hi.u32");
W3("mad.lo.s32"); W3("mad.hi.s32"); W3("mad.hi.u32"); W3("mad.hi.sat.s32");
W2("mul24.lo.s32"); W2("mul24.lo.u32"); W2("mul24.hi.s32"); W2("mul24.hi.u32");
W3("mad24.lo.s32"); W3("mad24.lo.u32"); W3("mad24.hi.s32"); W3("mad24.hi.u32"); W3("mad24.hi.sat.s32");
W3("sad.s32"); W3("sad.u32");
W2("div.s32"); W2("div.u32"); W2("rem.s32"); W2("rem.u32");
W3("dp4a.s32.s32"); W3("dp4a.s32.u32"); W3("dp4a.u32.s32"); W3("dp4a.u32.u32");
W3("dp2a.lo.s32.s32"); W3("dp2a.lo.s32.u32"); W3("dp2a.lo.u32.s32"); W3("dp2a.lo.u32.u32");
W3("dp2a.hi.s32.s32"); W3("dp2a.hi.s32.u32"); W3("dp2a.hi.u32.s32"); W3("dp2a.hi.u32.u32");

// Two 16-bit numbers in a word.
P2("add.s16x2"); P2("add.u16x2");
P2("min.s16x2"); P2("max.s16x2"); P2("min.u16x2"); P2("max.u16x2"); P2("min.relu.s16x2");
P2("max.relu.s16x2");

// 16-bit numbers.
H2("add.s16"); H2("sub.s16"); H2("mul.lo.s16"); H2("mul.lo.u16"); H2("mul.hi.s16"); H2("mul.hi.u16");
H3("mad.lo.s16"); H3("mad.hi.s16"); H3("mad.hi.u16");
H2("min.s16"); H2("max.s16"); H2("min.u16"); H2("max.u16"); H1("neg.s16"); H1("abs.s16");
H2("div.s16"); H2("div.u16"); H2("rem.s16"); H2("rem.u16"); H1("not.b16"); H2("and.b16");
#define WIDE16(I) \
    OPERATION(halves, u32, u32, I, asm(I " %0, %1, %2;" : "=r"(d) : "h"(u16(a)), "h"(u16(b >> 16))))
WIDE16("mul.wide.s16"); WIDE16("mul.wide.u16");
#define WIDE16_SUM(I)                                                                                   \
    OPERATION(halves, u32, u32, I, asm(I " %0, %1, %2, %3;" : "=r"(d) : "h"(u16(a)), "h"(u16(b >> 16)), \
        "r"(c)))
WIDE16_SUM("mad.wide.s16"); WIDE16_SUM("mad.wide.u16");

// 32 bits times 32 bits.
#define WIDE(I) OPERATION(words, u32, u64, I, asm(I " %0, %1, %2;" : "=l"(d) : "r"(a), "r"(b)))
WIDE("mul.wide.s32"); WIDE("mul.wide.u32");
#define WIDE_SUM(I) \
    OPERATION(words, u32, u64, I, asm(I " %0, %1, %2, %3;" : "=l"(d) : "r"(a), "r"(b), "l"(u64(c) << 32 | a)))
WIDE_SUM("mad.wide.s32"); WIDE_SUM("mad.wide.u32");

// Carries through three words.
#define CHAIN(NAME, FIRST, NEXT, LAST)                                                                  \
    OPERATION(words, u32, u32, NAME,                                                                    \
              asm("{.reg .b32 x, y;\n" FIRST " x, %1, %2;\n" NEXT " y, %2, %3;\n" LAST " %0, %3, %1;\n" \
                  "xor.b32 %0, %0, x;\nshf.l.wrap.b32 y, y, y, 7;\nxor.b32 %0, %0, y;}"                 \
                  : "=&r"(d)                                                                            \
                  : "r"(a), "r"(b), "r"(c)))
CHAIN("add.cc,addc.cc,addc", "add.cc.u32", "addc.cc.u32", "addc.u32");
CHAIN("sub.cc,subc.cc,subc", "sub.cc.u32", "subc.cc.u32", "subc.u32");
CHAIN("add.cc,addc.cc,subc", "add.cc.u32", "addc.cc.u32", "subc.u32");
#define PRODUCTS(NAME, FIRST, NEXT, LAST)                                                                  \
    OPERATION(words, u32, u64, NAME,                                                                       \
              u32 low; u32 high; asm("{.reg .b32 x;\n" FIRST " %0, %2, %3, %4;\n" NEXT " x, %3, %4, %2;\n" \
                                     LAST " %1, %4, %2, x;}"                                               \
                                     : "=&r"(low), "=&r"(high)                                             \
                                     : "r"(a), "r"(b), "r"(c));                                            \
              d = u64(high) << 32 | low)
PRODUCTS("mad.lo.cc,madc.hi.cc,madc.lo", "mad.lo.cc.u32", "madc.hi.cc.u32", "madc.lo.u32");
PRODUCTS("mad.hi.cc,madc.lo.cc,madc.hi", "mad.hi.cc.u32", "madc.lo.cc.u32", "madc.hi.u32");
PRODUCTS("mad.lo.cc,madc.lo.cc,madc.hi.s32", "mad.lo.cc.s32", "madc.lo.cc.s32", "madc.hi.s32");

// Sums of three, differences, and shifted sums, as the compiler joins them.
OPERATION(words, u32, u32, "a+b+c", d = a + b + c);
OPERATION(words, u32, u32, "a-b-c", d = a - b - c);
OPERATION(words, u32, u32, "c-a-b+1", d = c - a - b + 1);
OPERATION(words, u32, u32, "a*5+b", d = a * 5 + b);
OPERATION(words, u32, u32, "(a<<4)+b", d = (a << 4) + b);
OPERATION(words, u32, u32, "(a<<31)+b", d = (a << 31) + b);
OPERATION(words, u32, u32, "b-(a<<3)", d = b - (a << 3));
OPERATION(words, u32, u32, "(a>>5)+b", d = (a >> 5) + b);
OPERATION(words, u32, u32, "(int(a)>>27)+b", d = (int(a) >> 27) + b);
OPERATION(words, u32, u32, "int(a)/8", d = int(a) / 8);
OPERATION(words, u32, u32, "int(a)%16", d = int(a) % 16);
OPERATION(words, u32, u32, "a/10", d = a / 10);
OPERATION(words, u32, u32, "int(a)/7", d = int(a) / 7);
OPERATION(words, u32, u32, "a*b-c", d = a * b - c);
OPERATION(words, u32, u32, "c-a*b", d = c - a * b);
OPERATION(words, u32, u32, "a*-7+0x12345", d = int(a) * -7 + 0x12345);
OPERATION(words, u32, u64, "u64(a)*8+b", d = u64(a) * 8 + b);
OPERATION(words, u32, u64, "s64(a)*8+b", d = (long long)(int(a)) * 8 + b);
OPERATION(words, u32, u64, "u64(a)*b+c", d = u64(a) * b + c);
OPERATION(words, u32, u64, "s64(a)*b+c", d = (long long)(int(a)) * int(b) + int(c));
OPERATION(words, u32, u64, "base[a]",
    d = reinterpret_cast<u64>(reinterpret_cast<float4*>(u64(b) << 20) + int(a)));
OPERATION(words, u32, u64, "base[unsigned a]",
    d = reinterpret_cast<u64>(reinterpret_cast<int*>(u64(b) << 20) + a));

// Joined forms that have intrinsics.
OPERATION(words, u32, u32, "__vimax3_s32", d = __vimax3_s32(a, b, c));
OPERATION(words, u32, u32, "__vimin3_s32", d = __vimin3_s32(a, b, c));
OPERATION(words, u32, u32, "__vimax3_u32", d = __vimax3_u32(a, b, c));
OPERATION(words, u32, u32, "__vimin3_u32", d = __vimin3_u32(a, b, c));
OPERATION(words, u32, u32, "__vimax3_s32_relu", d = __vimax3_s32_relu(a, b, c));
OPERATION(words, u32, u32, "__vimin3_s32_relu", d = __vimin3_s32_relu(a, b, c));
OPERATION(words, u32, u32, "__vimax_s32_relu", d = __vimax_s32_relu(a, b));
OPERATION(words, u32, u32, "__viaddmax_s32", d = __viaddmax_s32(a, b, c));
OPERATION(words, u32, u32, "__viaddmin_s32", d = __viaddmin_s32(a, b, c));
OPERATION(words, u32, u32, "__viaddmax_u32", d = __viaddmax_u32(a, b, c));
OPERATION(words, u32, u32, "__viaddmin_u32", d = __viaddmin_u32(a, b, c));
OPERATION(words, u32, u32, "__viaddmax_s32_relu", d = __viaddmax_s32_relu(a, b, c));
OPERATION(words, u32, u32, "__viaddmin_s32_relu", d = __viaddmin_s32_relu(a, b, c));
OPERATION(words, u32, u32, "__viaddmax_s16x2", d = __viaddmax_s16x2(a, b, c));
OPERATION(words, u32, u32, "__viaddmin_u16x2", d = __viaddmin_u16x2(a, b, c));
OPERATION(words, u32, u32, "__viaddmax_s16x2_relu", d = __viaddmax_s16x2_relu(a, b, c));
OPERATION(words, u32, u32, "__vimax3_s16x2", d = __vimax3_s16x2(a, b, c));
OPERATION(words, u32, u32, "__vimin3_u16x2", d = __vimin3_u16x2(a, b, c));
OPERATION(words, u32, u32, "__vibmax_s32", bool p; d = __vibmax_s32(a, b, &p); d = d * 2 + p);
OPERATION(words, u32, u32, "__vibmin_u32", bool p; d = __vibmin_u32(a, b, &p); d = d * 2 + p);
OPERATION(words, u32, u32, "__vibmax_s16x2", bool p; bool q; d = __vibmax_s16x2(a, b, &p, &q);
    d = d * 4 + p * 2 + q);

// Four bytes or two halves in a word.
OPERATION(words, u32, u32, "__vadd4", d = __vadd4(a, b));
OPERATION(words, u32, u32, "__vsub2", d = __vsub2(a, b));
OPERATION(words, u32, u32, "__vabsdiffu4", d = __vabsdiffu4(a, b));
OPERATION(words, u32, u32, "__vsadu4", d = __vsadu4(a, b));
OPERATION(words, u32, u32, "__vmaxs4", d = __vmaxs4(a, b));
OPERATION(words, u32, u32, "__vcmpgtu4", d = __vcmpgtu4(a, b));
OPERATION(words, u32, u32, "__vaddss2", d = __vaddss2(a, b));
OPERATION(words, u32, u32, "__vavgu4", d = __vavgu4(a, b));
OPERATION(words, u32, u32, "__vabs2", d = __vabs2(a));
OPERATION(words, u32, u32, "__hadd", d = __hadd(int(a), int(b)));
OPERATION(words, u32, u32, "__urhadd", d = __urhadd(a, b));
OPERATION(words, u32, u32, "__usad", d = __usad(a, b, c));

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
