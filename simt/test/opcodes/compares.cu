// Comparisons of every type, their combination with predicates, and selection by them.
#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

// The result has a bit for p and, where the instruction has it, one for its complement q. Both are combined
// with whether c is negative.
#define WITH_Q(SET, IN, I, CONSTRAINT, CAST)                                                         \
    OPERATION(SET, IN, u32, I,                                                                       \
              asm("{.reg .pred p, q, r; .reg .b32 x; setp.lt.s32 r, %3, 0;\n" I " p|q, %1, %2, r;\n" \
                  "selp.b32 %0, 1, 0, p; selp.b32 x, 2, 0, q; or.b32 %0, %0, x;}"                    \
                  : "=&r"(d)                                                                         \
                  : CONSTRAINT(CAST(a)), CONSTRAINT(CAST(b)), "r"(u32(c))))
#define WITHOUT_Q(SET, IN, I, CONSTRAINT, CAST)                                                          \
    OPERATION(SET, IN, u32, I,                                                                           \
              asm("{.reg .pred p, r; setp.lt.s32 r, %3, 0;\n" I " p, %1, %2, !r; selp.b32 %0, 1, 0, p;}" \
                  : "=&r"(d)                                                                             \
                  : CONSTRAINT(CAST(a)), CONSTRAINT(CAST(b)), "r"(u32(c))))
#define PLAIN(SET, IN, I, CONSTRAINT, CAST)                                 \
    OPERATION(SET, IN, u32, I,                                              \
              asm("{.reg .pred p; " I " p, %1, %2; selp.b32 %0, %3, 0, p;}" \
                  : "=r"(d)                                                 \
                  : CONSTRAINT(CAST(a)), CONSTRAINT(CAST(b)), "r"(u32(c))))
#define SETP_JOINED(FORM, SET, IN, COMPARE, TYPE, CONSTRAINT, CAST) \
    PLAIN(SET, IN, "setp." COMPARE TYPE, CONSTRAINT, CAST);         \
    FORM(SET, IN, "setp." COMPARE ".and" TYPE, CONSTRAINT, CAST);   \
    FORM(SET, IN, "setp." COMPARE ".or" TYPE, CONSTRAINT, CAST);    \
    FORM(SET, IN, "setp." COMPARE ".xor" TYPE, CONSTRAINT, CAST)
#define INTEGER(...)                                                                 \
    JOINED("eq", __VA_ARGS__); JOINED("ne", __VA_ARGS__); JOINED("lt", __VA_ARGS__); \
    JOINED("le", __VA_ARGS__); JOINED("gt", __VA_ARGS__); JOINED("ge", __VA_ARGS__)
#define REAL(...)                                                                       \
    INTEGER(__VA_ARGS__); JOINED("equ", __VA_ARGS__); JOINED("neu", __VA_ARGS__);       \
    JOINED("ltu", __VA_ARGS__); JOINED("leu", __VA_ARGS__); JOINED("gtu", __VA_ARGS__); \
    JOINED("geu", __VA_ARGS__); JOINED("num", __VA_ARGS__); JOINED("nan", __VA_ARGS__)
#define JOINED(COMPARE, FORM, SET, IN, ...) SETP_JOINED(FORM, SET, IN, COMPARE, __VA_ARGS__)

INTEGER(WITH_Q, words, u32, ".s32", "r", u32);
INTEGER(WITH_Q, words, u32, ".u32", "r", u32);
INTEGER(WITH_Q, longs, u64, ".s64", "l", u64);
INTEGER(WITH_Q, longs, u64, ".u64", "l", u64);
INTEGER(WITH_Q, halves, u32, ".s16", "h", u16);
INTEGER(WITH_Q, halves, u32, ".u16", "h", u16);
REAL(WITH_Q, words, u32, ".f32", "r", u32);
REAL(WITH_Q, words, u32, ".ftz.f32", "r", u32);
REAL(WITH_Q, longs, u64, ".f64", "l", u64);
REAL(WITHOUT_Q, halves, u32, ".f16", "h", u16);
REAL(WITHOUT_Q, halves, u32, ".bf16", "h", u16);
PLAIN(words, u32, "setp.lo.u32", "r", u32); PLAIN(words, u32, "setp.hs.u32", "r", u32);

// Two halves at once, and sets of masks or ones.
#define SETP_PACKED(I)                                                            \
    OPERATION(halves, u32, u32, I,                                                \
              asm("{.reg .pred p, q; .reg .b32 x;\n" I " p|q, %1, %2;\n"          \
                  "selp.b32 %0, 1, 0, p; selp.b32 x, 2, 0, q; or.b32 %0, %0, x;}" \
                  : "=&r"(d)                                                      \
                  : "r"(a), "r"(b)))
SETP_PACKED("setp.eq.f16x2"); SETP_PACKED("setp.lt.f16x2"); SETP_PACKED("setp.geu.f16x2");
SETP_PACKED("setp.nan.f16x2"); SETP_PACKED("setp.neu.ftz.f16x2"); SETP_PACKED("setp.gt.bf16x2");
SETP_PACKED("setp.leu.bf16x2");
P2("set.lt.f16x2.f16x2"); P2("set.eq.f16x2.f16x2"); P2("set.geu.f16x2.f16x2"); P2("set.nan.ftz.f16x2.f16x2");
P2("set.gt.bf16x2.bf16x2"); P2("set.ne.bf16x2.bf16x2"); P2("set.gt.u32.f16x2"); P2("set.leu.u32.bf16x2");
W2("set.eq.u32.f32"); W2("set.lt.f32.f32"); W2("set.geu.u32.f32"); W2("set.nan.ftz.f32.f32");
W2("set.gt.u32.s32");
W2("set.le.f32.u32"); W2("set.ne.s32.s32");
#define SET_F64(I) OPERATION(longs, u64, u32, I, asm(I " %0, %1, %2;" : "=r"(d) : "l"(a), "l"(b)))
SET_F64("set.lt.u32.f64"); SET_F64("set.neu.f32.f64");

W3("slct.s32.s32"); W3("slct.f32.s32"); W3("slct.f32.f32"); W3("slct.ftz.f32.f32"); W3("slct.u32.f32");
#define SLCT64(I) OPERATION(longs, u64, u64, I, asm(I " %0, %1, %2, %3;" : "=l"(d) : "l"(a), "l"(b), \
    "r"(u32(c))))
SLCT64("slct.s64.s32"); SLCT64("slct.f64.f32");

#define TESTP(I, SET, IN, CONSTRAINT) \
    OPERATION(SET, IN, u32, I,        \
        asm("{.reg .pred p; " I " p, %1; selp.b32 %0, 1, 0, p;}" : "=r"(d) : CONSTRAINT(a)))
#define TESTS(TYPE, SET, IN, CONSTRAINT)                                                                  \
    TESTP("testp.finite" TYPE, SET, IN, CONSTRAINT); TESTP("testp.infinite" TYPE, SET, IN, CONSTRAINT);   \
    TESTP("testp.number" TYPE, SET, IN, CONSTRAINT); TESTP("testp.notanumber" TYPE, SET, IN, CONSTRAINT); \
    TESTP("testp.normal" TYPE, SET, IN, CONSTRAINT); TESTP("testp.subnormal" TYPE, SET, IN, CONSTRAINT)
TESTS(".f32", words, u32, "r");
TESTS(".f64", longs, u64, "l");
W2("copysign.f32"); L2("copysign.f64");

// Many predicates at once: they are packed into a register and unpacked (P2R, R2P), and combined (PLOP3).
#define JOIN(NAME, ...) OPERATION(words, u32, u32, NAME, const bool p = int(a) < int(b), q = b < c, \
    r = (a & 4) != 0;                                                                               \
                                  d = (__VA_ARGS__) ? a : b)
JOIN("p&q|r", p && q || r); JOIN("p^q^r", p ^ q ^ r); JOIN("(p|q)&!r", (p || q) && !r);
JOIN("p?q:r", p ? q : r);
JOIN("p==q&r", (p == q) && r); JOIN("majority", int(p) + q + r > 1); JOIN("!(p&q&r)", !(p && q && r));
#define PLOP(NAME, ...)                                                                  \
    OPERATION(words, u32, u32, NAME,                                                     \
              asm("{.reg .pred p, q, r; setp.lt.s32 p, %1, %2; setp.lt.u32 q, %2, %3;\n" \
                  "setp.eq.f32 r, %1, %3;\n" __VA_ARGS__ "\nselp.b32 %0, %1, %3, p;}"    \
                  : "=r"(d)                                                              \
                  : "r"(a), "r"(b), "r"(c)))
PLOP("and.pred,or.pred", "and.pred p, p, q; or.pred p, p, r;");
PLOP("xor.pred,not.pred", "xor.pred p, p, q; not.pred r, r; and.pred p, p, r;");
PLOP("or.pred,xor.pred", "or.pred p, p, q; xor.pred p, p, r;");
OPERATION(words, u32, u32, "ten predicates", {
    bool p[10];
    for (int i = 0; i < 10; ++i) p[i] = (a >> i & 3) < (b >> 2 * i & 3);
    d = c;
    for (int round = 0; round < 3; ++round)
        for (int i = 0; i < 10; ++i)
            if (p[i]) d = d * 5 + (round ^ i); else d ^= b >> i;
});
OPERATION(words, u32, u32, "predicates through a loop", {
    const bool p = int(a) < 0, q = int(b) < 0, r = a < b, s = (a & b) == 0, t = (c & 1) != 0, u = c > b,
        v = a == b;
    d = c;
    for (unsigned i = 0; i < (a & 15) + 3; ++i) {
        if (p && i % 2 == 0) d += 3 * i;
        if (q != (i % 3 == 1)) d ^= a >> i;
        if (r) d = d << 1 | d >> 31;
        if (s || i == 5) d -= b;
        if (t) d *= 7;
        if (u && v) d = ~d;
    }
});

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
