// Atomics of every operation, type, space, scope and semantics. Each thread has a word of its own: the output
// is what the word held before, and what it holds afterwards.
#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

struct Words {
    u32 before, after;
};
struct Longs {
    u64 before, after;
};

// On global memory, within the output of the case; on shared memory, beside the words of other threads.
#define GLOBAL_WORD(I, ...)                                                                  \
    BLOCK_OPERATION(words, u32, Words, I, const u32 b = in[opcodes::CASES + i];              \
        const u32 c = in[2 * opcodes::CASES + i];                                            \
                    u32* p = &out[i].after; u32 d; *p = in[i];                               \
                    asm volatile(I " %0, [%1], " __VA_ARGS__ ";" : "=r"(d) : "l"(p), "r"(b), \
                        "r"(c) : "memory");                                                  \
                    out[i].before = d)
#define SHARED_WORD(I, ...)                                                                            \
    BLOCK_OPERATION(words, u32, Words, I, const u32 b = in[opcodes::CASES + i];                        \
        const u32 c = in[2 * opcodes::CASES + i];                                                      \
                    __shared__ u32 own[128]; own[t] = in[i]; u32 d; __syncthreads();                   \
                    asm volatile(I " %0, [%1], " __VA_ARGS__ ";"                                       \
                                 : "=r"(d) : "r"(unsigned(__cvta_generic_to_shared(own + t))), "r"(b), \
                                     "r"(c) : "memory");                                               \
                    __syncthreads(); out[i] = {d, own[t]})
#define GLOBAL_LONG(I, ...)                                                                  \
    BLOCK_OPERATION(longs, u64, Longs, I, const u64 b = in[opcodes::CASES + i];              \
        const u64 c = in[2 * opcodes::CASES + i];                                            \
                    u64* p = &out[i].after; u64 d; *p = in[i];                               \
                    asm volatile(I " %0, [%1], " __VA_ARGS__ ";" : "=l"(d) : "l"(p), "l"(b), \
                        "l"(c) : "memory");                                                  \
                    out[i].before = d)
#define SHARED_LONG(I, ...)                                                                            \
    BLOCK_OPERATION(longs, u64, Longs, I, const u64 b = in[opcodes::CASES + i];                        \
        const u64 c = in[2 * opcodes::CASES + i];                                                      \
                    __shared__ u64 own[128]; own[t] = in[i]; u64 d; __syncthreads();                   \
                    asm volatile(I " %0, [%1], " __VA_ARGS__ ";"                                       \
                                 : "=l"(d) : "r"(unsigned(__cvta_generic_to_shared(own + t))), "l"(b), \
                                     "l"(c) : "memory");                                               \
                    __syncthreads(); out[i] = {d, own[t]})
// Reductions return nothing.
#define GLOBAL_WORD_RED(I)                                                                              \
    BLOCK_OPERATION(words, u32, Words, I, const u32 b = in[opcodes::CASES + i]; u32* p = &out[i].after; \
        *p = in[i];                                                                                     \
                    asm volatile(I " [%0], %1;" ::"l"(p), "r"(b) : "memory"))
#define SHARED_WORD_RED(I)                                                                             \
    BLOCK_OPERATION(words, u32, u32, I, const u32 b = in[opcodes::CASES + i]; __shared__ u32 own[128]; \
        own[t] = in[i];                                                                                \
                    __syncthreads();                                                                   \
                    asm volatile(I " [%0], %1;" ::"r"(unsigned(__cvta_generic_to_shared(own + t))),    \
                        "r"(b) : "memory");                                                            \
                    __syncthreads(); out[i] = own[t])
#define GLOBAL_LONG_RED(I)                                                                              \
    BLOCK_OPERATION(longs, u64, Longs, I, const u64 b = in[opcodes::CASES + i]; u64* p = &out[i].after; \
        *p = in[i];                                                                                     \
                    asm volatile(I " [%0], %1;" ::"l"(p), "l"(b) : "memory"))
#define SHARED_LONG_RED(I)                                                                             \
    BLOCK_OPERATION(longs, u64, u64, I, const u64 b = in[opcodes::CASES + i]; __shared__ u64 own[128]; \
        own[t] = in[i];                                                                                \
                    __syncthreads();                                                                   \
                    asm volatile(I " [%0], %1;" ::"r"(unsigned(__cvta_generic_to_shared(own + t))),    \
                        "l"(b) : "memory");                                                            \
                    __syncthreads(); out[i] = own[t])

#define WORD(OP)                                                                \
    GLOBAL_WORD("atom.global." OP, "%2"); SHARED_WORD("atom.shared." OP, "%2"); \
        GLOBAL_WORD_RED("red.global." OP);                                      \
    SHARED_WORD_RED("red.shared." OP)
#define LONG(OP)                                                                \
    GLOBAL_LONG("atom.global." OP, "%2"); SHARED_LONG("atom.shared." OP, "%2"); \
        GLOBAL_LONG_RED("red.global." OP);                                      \
    SHARED_LONG_RED("red.shared." OP)
WORD("add.u32"); WORD("add.s32"); WORD("add.f32"); WORD("add.noftz.f16x2"); WORD("add.noftz.bf16x2");
WORD("min.s32"); WORD("max.s32"); WORD("min.u32"); WORD("max.u32"); WORD("inc.u32"); WORD("dec.u32");
WORD("and.b32"); WORD("or.b32"); WORD("xor.b32");
LONG("add.u64"); LONG("add.f64"); LONG("min.s64"); LONG("max.s64"); LONG("min.u64"); LONG("max.u64");
LONG("and.b64"); LONG("or.b64"); LONG("xor.b64");
GLOBAL_WORD("atom.global.exch.b32", "%2"); SHARED_WORD("atom.shared.exch.b32", "%2");
GLOBAL_LONG("atom.global.exch.b64", "%2"); SHARED_LONG("atom.shared.exch.b64", "%2");

// Compare and swap: where the third input is even, with what the word holds.
#define SWAP_WORD(SPACE, FORM)                                                                         \
    BLOCK_OPERATION(words, u32, Words, "atom." SPACE ".cas.b32", const u32 b = in[opcodes::CASES + i]; \
                    const u32 c = in[2 * opcodes::CASES + i]; FORM(u32, "b32", "=r", "r"))
#define SWAP_LONG(SPACE, FORM)                                                                         \
    BLOCK_OPERATION(longs, u64, Longs, "atom." SPACE ".cas.b64", const u64 b = in[opcodes::CASES + i]; \
                    const u64 c = in[2 * opcodes::CASES + i]; FORM(u64, "b64", "=l", "l"))
#define SWAP_GLOBAL(TYPE, BITS, TO, FROM)                                        \
    TYPE* p = &out[i].after; TYPE d; *p = in[i];                                 \
    asm volatile("atom.global.cas." BITS " %0, [%1], %2, %3;"                    \
                 : TO(d) : "l"(p), FROM(c & 1 ? c : in[i]), FROM(b) : "memory"); \
    out[i].before = d
#define SWAP_SHARED(TYPE, BITS, TO, FROM)                                                             \
    __shared__ TYPE own[128]; own[t] = in[i]; TYPE d; __syncthreads();                                \
    asm volatile("atom.shared.cas." BITS " %0, [%1], %2, %3;"                                         \
                 : TO(d) : "r"(unsigned(__cvta_generic_to_shared(own + t))), FROM(c & 1 ? c : in[i]), \
                     FROM(b) : "memory");                                                             \
    __syncthreads(); out[i] = {d, own[t]}
SWAP_WORD("global", SWAP_GLOBAL); SWAP_WORD("shared", SWAP_SHARED);
SWAP_LONG("global", SWAP_GLOBAL); SWAP_LONG("shared", SWAP_SHARED);
BLOCK_OPERATION(words, u32, Words, "atom.global.cas.b16", const u32 b = in[opcodes::CASES + i];
    u32* p = &out[i].after;
                *p = in[i]; const int half = b >> 4 & 1; u16* q = reinterpret_cast<u16*>(p) + half; u16 d;
                asm volatile("atom.global.cas.b16 %0, [%1], %2, %3;" : "=h"(d)
                             : "l"(q), "h"(u16(b & 1 ? b : in[i] >> 16 * half)), "h"(u16(b >> 3)) : "memory");
                out[i].before = d);
BLOCK_OPERATION(longs, u64, Longs, "atom.global.cas.b128, first long", const u64 b = in[opcodes::CASES + i];
                u64 d; u64 e; const u64 a = in[i]; out[i] = {a, ~a};
                asm volatile("{.reg .b128 x, y, z; mov.b128 y, {%3, %4}; mov.b128 z, {%5, %6};\n"
                             "atom.global.cas.b128 x, [%2], y, z; mov.b128 {%0, %1}, x;}"
                             : "=l"(d), "=l"(e) : "l"(out + i), "l"(a), "l"(b & 1 ? ~a : b), "l"(b),
                                 "l"(a + b) : "memory");
                out[i].before += d; out[i].after ^= e);
BLOCK_OPERATION(longs, u64, Longs, "atom.global.exch.b128, folded", const u64 b = in[opcodes::CASES + i];
                u64 d; u64 e; const u64 a = in[i]; out[i] = {a, ~a};
                asm volatile("{.reg .b128 x, y; mov.b128 y, {%3, %4}; atom.global.exch.b128 x, [%2], y;\n"
                             "mov.b128 {%0, %1}, x;}"
                             : "=l"(d), "=l"(e) : "l"(out + i), "l"(b), "l"(a + b) : "memory");
                out[i].before += d; out[i].after ^= e);

// Halves, and several floats at once.
#define HALF(OP)                                                                                           \
    BLOCK_OPERATION(halves, u32, Words, "atom.global.add.noftz." OP, const u32 b = in[opcodes::CASES + i]; \
                    u32* p = &out[i].after; *p = in[i]; u16 d;                                             \
                    asm volatile("atom.global.add.noftz." OP " %0, [%1], %2;"                              \
                                 : "=h"(d) : "l"(reinterpret_cast<u16*>(p) + (b >> 3 & 1)),                \
                                     "h"(u16(b)) : "memory");                                              \
                    out[i].before = d)
HALF("f16"); HALF("bf16");
BLOCK_OPERATION(words, u32, uint4, "red.global.add.v4.f32", const u32 b = in[opcodes::CASES + i];
                out[i] = make_uint4(in[i], b, in[i] ^ b, 1);
                asm volatile("red.global.add.v4.f32 [%0], {%1, %2, %1, %2};" ::"l"(out + i), "r"(b),
                    "r"(in[i]) : "memory"));

// Scopes and semantics, on generic addresses too.
#define FORMS(SEMANTICS) GLOBAL_WORD("atom" SEMANTICS ".global.add.u32", "%2"); \
GLOBAL_WORD("atom" SEMANTICS ".add.u32", "%2")
FORMS(".relaxed.cta"); FORMS(".relaxed.gpu"); FORMS(".relaxed.sys"); FORMS(".acquire.gpu");
FORMS(".release.gpu");
FORMS(".acq_rel.gpu"); FORMS(".acq_rel.cta"); FORMS(".acq_rel.sys"); FORMS(".relaxed.cluster");
GLOBAL_WORD_RED("red.relaxed.cta.global.add.u32"); GLOBAL_WORD_RED("red.release.gpu.global.add.u32");
GLOBAL_WORD_RED("red.relaxed.sys.global.xor.b32"); GLOBAL_WORD_RED("red.relaxed.gpu.add.u32");
GLOBAL_WORD("atom.exch.b32", "%2"); GLOBAL_LONG("atom.add.u64", "%2"); GLOBAL_LONG("atom.max.s64", "%2");
GLOBAL_LONG("atom.relaxed.cta.global.add.u64", "%2"); GLOBAL_LONG("atom.acq_rel.sys.global.exch.b64", "%2");

// What all threads of the grid add up to, contended.
#define TOTAL(NAME, ...)                                                         \
    BLOCK_OPERATION(words, u32, u32, NAME, const u32 a = in[i];                  \
                    [[maybe_unused]] u32* p = out + (i / 1024 * 1024 + (a & 7)); \
                    [[maybe_unused]] u32* q = out + i / 1024 * 1024 + 8 + (t & 3); __VA_ARGS__)
TOTAL("atomicAdd, contended", atomicAdd(p, a)); TOTAL("atomicMax, contended", atomicMax(p, a));
TOTAL("atomicXor, contended", atomicXor(p, a));
TOTAL("atomicMin, contended", atomicMin(reinterpret_cast<int*>(p), int(a)));
TOTAL("atomicAdd of ones", atomicAdd(q, 1)); TOTAL("atomicAdd to one word", atomicAdd(out, a));
TOTAL("atomicOr by some", if (a & 1) atomicOr(q, a)); TOTAL("atomicInc, contended", atomicInc(q, 1000000));
TOTAL("atomicAnd by a loop", for (u32 k = 0; k < (a & 3); ++k) atomicAnd(q, ~(1u << (a >> 3 & 31))));
BLOCK_OPERATION(words, u32, u32, "shared atomics, contended", __shared__ u32 all[40]; const u32 a = in[i];
                if (t < 40) all[t] = t == 33 ? ~0u : 0; __syncthreads();
                atomicAdd(all + (a & 31), 1); atomicAdd(all + 32, a); atomicMin(all + 33, a);
                    atomicMax(all + 34, a);
                atomicXor(all + 35, a); atomicOr(all + 36, a & 0x0f0f); if (t & 1) atomicAdd(all + 37, 1);
                atomicInc(all + 38, 50); atomicDec(all + 39, 50); __syncthreads(); out[i] = all[t % 40]);

// Generic addresses of shared memory: what is not done there natively is a loop.
#define GENERIC(SET, TYPE, PAIR, I, TO, FROM)                                                                \
    BLOCK_OPERATION(SET, TYPE, PAIR, I " of shared", const TYPE b = in[opcodes::CASES + i];                  \
                    __shared__ TYPE own[128]; own[t] = in[i]; __syncthreads(); TYPE d;                       \
                    asm volatile(I " %0, [%1], %2;" : TO(d) : "l"(own + (t ^ 1)), FROM(b) : "memory");       \
                    __syncthreads(); out[i] = {d, own[t]})
GENERIC(words, u32, Words, "atom.add.u32", "=r", "r"); GENERIC(words, u32, Words, "atom.add.f32", "=r", "r");
GENERIC(words, u32, Words, "atom.max.s32", "=r", "r"); GENERIC(words, u32, Words, "atom.exch.b32", "=r", "r");
GENERIC(words, u32, Words, "atom.inc.u32", "=r", "r"); GENERIC(longs, u64, Longs, "atom.add.f64", "=l", "l");
GENERIC(longs, u64, Longs, "atom.add.u64", "=l", "l"); GENERIC(longs, u64, Longs, "atom.exch.b64", "=l", "l");
GENERIC(halves, u32, Words, "atom.add.noftz.f16x2", "=r", "r");
GENERIC(halves, u32, Words, "atom.add.noftz.bf16x2", "=r", "r");
BLOCK_OPERATION(words, u32, Words, "atom.cas.b32 of shared", const u32 b = in[opcodes::CASES + i];
                __shared__ u32 own[128]; own[t] = in[i]; __syncthreads(); u32 d;
                asm volatile("atom.cas.b32 %0, [%1], %2, %3;"
                             : "=r"(d) : "l"(own + t), "r"(b & 1 ? b : in[i]), "r"(b) : "memory");
                __syncthreads(); out[i] = {d, own[t]});

// Several elements at once, each atomic by itself.
#define PAIR(SET, I)                                                                                       \
    BLOCK_OPERATION(SET, u32, uint4, I, const u32 b = in[opcodes::CASES + i]; const u32 a = in[i];         \
                    u32* p = &out[i].z; p[0] = a; p[1] = b; uint2 d;                                       \
                    asm volatile(I " {%0, %1}, [%2], {%3, %4};"                                            \
                                 : "=r"(d.x), "=r"(d.y) : "l"(p), "r"(b), "r"(in[2 * opcodes::CASES + i])  \
                                 : "memory");                                                              \
                    out[i].x = d.x, out[i].y = d.y)
PAIR(words, "atom.global.v2.f32.add"); PAIR(halves, "atom.global.v2.f16x2.add.noftz");
PAIR(halves, "atom.global.v2.bf16x2.add.noftz"); PAIR(halves, "atom.global.v2.f16x2.min.noftz");
PAIR(halves, "atom.global.v2.bf16x2.max.noftz");
#define FOUR(SET, I)                                                                                      \
    BLOCK_OPERATION(SET, u32, uint4, I, const u32 b = in[opcodes::CASES + i]; const u32 a = in[i];        \
                    out[i] = make_uint4(a, b, a ^ b, 1); uint4 d;                                         \
                    asm volatile(I " {%0, %1, %2, %3}, [%4], {%5, %6, %5, %6};"                           \
                                 : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w)                             \
                                 : "l"(out + i), "r"(b), "r"(in[2 * opcodes::CASES + i]) : "memory");     \
                    out[i].x ^= d.x * 3, out[i].y ^= d.y * 3, out[i].z ^= d.z * 3, out[i].w ^= d.w * 3)
FOUR(words, "atom.global.v4.f32.add"); FOUR(halves, "atom.global.v4.f16x2.add.noftz");
FOUR(halves, "atom.global.v4.bf16x2.add.noftz");

// At generic addresses, of which every other one is in shared memory: what is not done there has a loop.
#define EITHER(SET, OUT, TYPE, TO, FROM, I, ...)                                                         \
    BLOCK_OPERATION(SET, TYPE, OUT, I " of either", const TYPE b = in[opcodes::CASES + i];               \
                    const TYPE c = in[2 * opcodes::CASES + i];                                           \
                    __shared__ TYPE own[128]; TYPE* p = t & 1 ? own + t : &out[i].after; TYPE d;         \
                    *p = in[i]; __syncthreads();                                                         \
                    asm volatile(I " %0, [%1], " __VA_ARGS__ ";"                                         \
                                 : TO(d) : "l"(p), FROM(b), FROM(c) : "memory");                         \
                    __syncthreads(); out[i] = {d, *p})
#define EITHER_WORD(I, ...) EITHER(words, Words, u32, "=r", "r", I, __VA_ARGS__)
#define EITHER_LONG(I, ...) EITHER(longs, Longs, u64, "=l", "l", I, __VA_ARGS__)
EITHER_WORD("atom.exch.b32", "%2"); EITHER_WORD("atom.cas.b32", "%2, %3"); EITHER_WORD("atom.add.u32", "%2");
EITHER_WORD("atom.add.f32", "%2"); EITHER_WORD("atom.add.noftz.f16x2", "%2");
EITHER_LONG("atom.exch.b64", "%2"); EITHER_LONG("atom.cas.b64", "%2, %3"); EITHER_LONG("atom.add.u64", "%2");
EITHER_LONG("atom.max.s64", "%2"); EITHER_LONG("atom.and.b64", "%2"); EITHER_LONG("atom.add.f64", "%2");

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
