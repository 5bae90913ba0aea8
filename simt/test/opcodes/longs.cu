// 64-bit integers: sums, products, quotients, least and greatest.
#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

L2("add.s64"); L2("sub.s64"); L1("neg.s64"); L1("abs.s64");
L2("mul.lo.s64"); L2("mul.lo.u64"); L2("mul.hi.s64"); L2("mul.hi.u64");
L3("mad.lo.s64"); L3("mad.hi.s64"); L3("mad.hi.u64");
L2("min.s64"); L2("max.s64"); L2("min.u64"); L2("max.u64");
L2("div.s64"); L2("div.u64"); L2("rem.s64"); L2("rem.u64");
OPERATION(longs, u64, u64, "add.cc.u64,addc.u64",
          asm("{.reg .b64 x; add.cc.u64 x, %1, %2; addc.u64 %0, %2, %3; xor.b64 %0, %0, x;}"
              : "=l"(d) : "l"(a), "l"(b), "l"(c)));
OPERATION(longs, u64, u64, "sub.cc.u64,subc.u64",
          asm("{.reg .b64 x; sub.cc.u64 x, %1, %2; subc.u64 %0, %2, %3; xor.b64 %0, %0, x;}"
              : "=l"(d) : "l"(a), "l"(b), "l"(c)));
OPERATION(longs, u64, u64, "a+b+c", d = a + b + c);
OPERATION(longs, u64, u64, "a-b-c", d = a - b - c);
OPERATION(longs, u64, u64, "a*8+b", d = a * 8 + b);
OPERATION(longs, u64, u64, "(a<<37)+b", d = (a << 37) + b);
OPERATION(longs, u64, u64, "a+0x123456789a", d = a + 0x123456789a);
OPERATION(longs, u64, u64, "a*10", d = a * 10);
OPERATION(longs, u64, u64, "a/10", d = a / 10);
OPERATION(longs, u64, u64, "s64(a)%1000", d = (long long)(a) % 1000);
OPERATION(longs, u64, u64, "s64(a)/16", d = (long long)(a) / 16);
OPERATION(longs, u64, u64, "a/u32(b)", d = u32(b) == 0 ? c : a / u32(b));
OPERATION(longs, u64, u64, "a<b?b-a:c", d = a < b ? b - a : c);
OPERATION(longs, u64, u64, "s64(a)<s64(b)?a:c+1", d = (long long)(a) < (long long)(b) ? a : c + 1);
OPERATION(longs, u64, u64, "clamp", d = min(max((long long)(a), -1000LL), 1LL << 40));
OPERATION(longs, u64, u64, "product of 128 bits, folded",
    const unsigned __int128 p = (unsigned __int128)(a)*b + c;
          d = u64(p >> 64) ^ u64(p));
OPERATION(longs, u64, u64, "quotient of 128 bits, folded",
          const unsigned __int128 p = ((unsigned __int128)(a) << 64 | b) / (c | 1);
          d = u64(p >> 64) ^ u64(p));

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
