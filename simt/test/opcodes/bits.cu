// Logic, shifts, bit fields, and permutations of bytes.
#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

W2("and.b32"); W2("or.b32"); W2("xor.b32"); W1("not.b32"); W1("cnot.b32");
L2("and.b64"); L2("or.b64"); L2("xor.b64"); L1("not.b64"); L1("cnot.b64");

// All functions of three bits.
#define LOP3(I, TABLE)                             \
    OPERATION(words, u32, u32, "lop3.b32 " #TABLE, \
              asm("lop3.b32 %0, %1, %2, %3, " #TABLE ";" : "=r"(d) : "r"(a), "r"(b), "r"(c)))
#define LOP3_ROW(H)                                                                                \
    LOP3(I, 0x##H##0); LOP3(I, 0x##H##1); LOP3(I, 0x##H##2); LOP3(I, 0x##H##3); LOP3(I, 0x##H##4); \
    LOP3(I, 0x##H##5); LOP3(I, 0x##H##6); LOP3(I, 0x##H##7); LOP3(I, 0x##H##8); LOP3(I, 0x##H##9); \
    LOP3(I, 0x##H##a); LOP3(I, 0x##H##b); LOP3(I, 0x##H##c); LOP3(I, 0x##H##d); LOP3(I, 0x##H##e); \
    LOP3(I, 0x##H##f)
LOP3_ROW(0); LOP3_ROW(1); LOP3_ROW(2); LOP3_ROW(3); LOP3_ROW(4); LOP3_ROW(5); LOP3_ROW(6); LOP3_ROW(7);
LOP3_ROW(8); LOP3_ROW(9); LOP3_ROW(a); LOP3_ROW(b); LOP3_ROW(c); LOP3_ROW(d); LOP3_ROW(e); LOP3_ROW(f);

// With constants, and with a predicate as result.
OPERATION(words, u32, u32, "(a&0xff00)|b", d = (a & 0xff00) | b);
OPERATION(words, u32, u32, "(a&7)^(b|c)", d = (a & 7) ^ (b | c));
OPERATION(words, u32, u32, "(a&b)!=0?c:a", d = (a & b) != 0 ? c : a);
OPERATION(words, u32, u32, "(a&1)==0?b:c", d = (a & 1) == 0 ? b : c);
OPERATION(words, u32, u32, "((a|b)&c)==0?a+b:c", d = ((a | b) & c) == 0 ? a + b : c);
#define LOP3_BOOL(JOIN)                                                                                    \
    OPERATION(words, u32, u32, "lop3" JOIN,                                                                \
              asm("{.reg .pred p, q; setp.gt.s32 q, %1, %2; lop3" JOIN ".b32 %0|p, %1, %2, %3, 0x6a, q;\n" \
                  "@p xor.b32 %0, %0, 0x80000001;}"                                                        \
                  : "=&r"(d)                                                                               \
                  : "r"(a), "r"(b), "r"(c)))
LOP3_BOOL(".or"); LOP3_BOOL(".and");

// Counts above the width are clamped; those of shf can wrap.
#define SHIFT(I) OPERATION(words, u32, u32, I, asm(I " %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)))
SHIFT("shl.b32"); SHIFT("shr.u32"); SHIFT("shr.s32");
W3("shf.l.clamp.b32"); W3("shf.l.wrap.b32"); W3("shf.r.clamp.b32"); W3("shf.r.wrap.b32");
#define SHIFT16(I) \
    OPERATION(halves, u32, u16, I, asm(I " %0, %1, %2;" : "=h"(d) : "h"(u16(a)), "r"(b >> 16 & 0xff)))
SHIFT16("shl.b16"); SHIFT16("shr.u16"); SHIFT16("shr.s16");
#define SHIFT64(I) OPERATION(longs, u64, u64, I, asm(I " %0, %1, %2;" : "=l"(d) : "l"(a), "r"(u32(b))))
SHIFT64("shl.b64"); SHIFT64("shr.u64"); SHIFT64("shr.s64");
OPERATION(words, u32, u32, "a<<7", d = a << 7);
OPERATION(words, u32, u32, "a>>7", d = a >> 7);
OPERATION(words, u32, u32, "int(a)>>31", d = int(a) >> 31);
OPERATION(longs, u64, u64, "a<<40", d = a << 40);
OPERATION(longs, u64, u64, "a<<3", d = a << 3);
OPERATION(longs, u64, u64, "a>>3", d = a >> 3);
OPERATION(longs, u64, u64, "a>>33", d = a >> 33);
OPERATION(longs, u64, u64, "s64(a)>>5", d = (long long)(a) >> 5);
OPERATION(words, u32, u32, "rotate by 9", d = __funnelshift_l(a, a, 9));
OPERATION(words, u32, u32, "a<<(b&31)", d = a << (b & 31));
OPERATION(words, u32, u32, "a>>(b&31)", d = a >> (b & 31));
OPERATION(words, u32, u32, "1<<b", asm("shl.b32 %0, %1, %2;" : "=r"(d) : "r"(1), "r"(b)));
OPERATION(longs, u64, u64, "a<<(b&63)", d = a << (b & 63));
OPERATION(longs, u64, u64, "rotate of 64", d = a << (b & 63) | a >> (64 - (b & 63) & 63));

W3("bfe.u32"); W3("bfe.s32");
#define FIELD64(I) \
    OPERATION(longs, u64, u64, I, asm(I " %0, %1, %2, %3;" : "=l"(d) : "l"(a), "r"(u32(b)), "r"(u32(c))))
FIELD64("bfe.u64"); FIELD64("bfe.s64");
OPERATION(words, u32, u32, "bfe.u32 5,9", asm("bfe.u32 %0, %1, 5, 9;" : "=r"(d) : "r"(a)));
OPERATION(words, u32, u32, "bfe.s32 8,8", asm("bfe.s32 %0, %1, 8, 8;" : "=r"(d) : "r"(a)));
OPERATION(words, u32, u32, "bfi.b32 by registers",
          asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(d) : "r"(a), "r"(b), "r"(c), "r"(b >> 1)));
OPERATION(words, u32, u32, "bfi.b32 4,12", asm("bfi.b32 %0, %1, %2, 4, 12;" : "=r"(d) : "r"(a), "r"(b)));
OPERATION(longs, u64, u64, "bfi.b64",
          asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(d) : "l"(a), "l"(b), "r"(u32(c)), "r"(u32(b) & 127)));
W2("bmsk.clamp.b32"); W2("bmsk.wrap.b32");
W2("szext.clamp.s32"); W2("szext.clamp.u32"); W2("szext.wrap.s32"); W2("szext.wrap.u32");

W1("popc.b32"); W1("clz.b32"); W1("brev.b32"); W1("bfind.u32"); W1("bfind.s32");
W1("bfind.shiftamt.u32"); W1("bfind.shiftamt.s32");
#define COUNT64(I) OPERATION(longs, u64, u32, I, asm(I " %0, %1;" : "=r"(d) : "l"(a)))
COUNT64("popc.b64"); COUNT64("clz.b64"); COUNT64("bfind.u64"); COUNT64("bfind.s64");
COUNT64("bfind.shiftamt.u64");
L1("brev.b64");
OPERATION(words, u32, u32, "__ffs", d = __ffs(a));
OPERATION(longs, u64, u32, "__ffsll", d = __ffsll(a));
OPERATION(words, u32, u32, "fns", d = __fns(a, b & 31, int(c & 15) - 8));

#define PRMT(MODE) W3("prmt.b32" MODE)
PRMT(""); PRMT(".f4e"); PRMT(".b4e"); PRMT(".rc8"); PRMT(".ecl"); PRMT(".ecr"); PRMT(".rc16");
#define PERMUTE(SELECTOR)                             \
    OPERATION(words, u32, u32, "prmt.b32 " #SELECTOR, \
              asm("prmt.b32 %0, %1, %2, " #SELECTOR ";" : "=r"(d) : "r"(a), "r"(b)))
PERMUTE(0x0123); PERMUTE(0x7531); PERMUTE(0x5410); PERMUTE(0x7632); PERMUTE(0x8888); PERMUTE(0xba98);
PERMUTE(0x4f3c); PERMUTE(0x6543);
OPERATION(words, u32, u32, "prmt.b32 of 0", asm("prmt.b32 %0, %1, 0, %2;" : "=r"(d) : "r"(a), "r"(b)));

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
