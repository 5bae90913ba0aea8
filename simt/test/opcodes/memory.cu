// Loads and stores of every width, with sign extension, in every space, of every cache operator and strength.
// Each case reads from a place that its second input chooses, or writes a part of its own 16 bytes of output.
#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

// 16 bytes of input, at a multiple of the width; the array of a set holds 3 * CASES words.
__device__ inline const char* place(const u32* in, int i, int width) {
    const unsigned bytes = in[opcodes::CASES + i] % (3 * opcodes::CASES * 4 - 16);
    return reinterpret_cast<const char*>(in) + bytes / width * width;
}

#define LOAD(WIDTH, I, OUT, TO)                                                        \
    BLOCK_OPERATION(words, u32, OUT, I, const char* from = place(in, i, WIDTH); OUT d; \
                    asm volatile(I " %0, [%1];" : TO(d) : "l"(from) : "memory"); out[i] = d)
#define LOAD2(WIDTH, I, OUT, TO)                                                             \
    BLOCK_OPERATION(words, u32, OUT##2, I, const char* from = place(in, i, WIDTH); OUT##2 d; \
                    asm volatile(I " {%0, %1}, [%2];" : TO(d.x), TO(d.y) : "l"(from) : "memory"); out[i] = d)
#define LOAD4(WIDTH, I)                                                                                \
    BLOCK_OPERATION(words, u32, uint4, I, const char* from = place(in, i, WIDTH); uint4 d;             \
                    asm volatile(I " {%0, %1, %2, %3}, [%4];"                                          \
                                 : "=r"(d.x), "=r"(d.y), "=r"(d.z), "=r"(d.w) : "l"(from) : "memory"); \
                    out[i] = d)
#define LOADS(OPERATOR)                                                                    \
    LOAD(1, "ld" OPERATOR ".u8", u32, "=r"); LOAD(1, "ld" OPERATOR ".s8", u32, "=r");      \
    LOAD(2, "ld" OPERATOR ".u16", u32, "=r"); LOAD(2, "ld" OPERATOR ".s16", u32, "=r");    \
    LOAD(4, "ld" OPERATOR ".b32", u32, "=r"); LOAD(8, "ld" OPERATOR ".b64", u64, "=l");    \
    LOAD2(8, "ld" OPERATOR ".v2.b32", uint, "=r"); LOAD4(16, "ld" OPERATOR ".v4.b32");     \
    LOAD2(16, "ld" OPERATOR ".v2.b64", ulonglong, "=l"); LOAD4(4, "ld" OPERATOR ".v4.u8"); \
    LOAD2(2, "ld" OPERATOR ".v2.u8", uint, "=r")
LOADS(""); LOADS(".global"); LOADS(".global.nc"); LOADS(".volatile.global"); LOADS(".relaxed.gpu.global");
LOADS(".acquire.gpu.global"); LOADS(".relaxed.sys"); LOADS(".volatile");
#define SOME_LOADS(OPERATOR)                                                           \
    LOAD(1, "ld" OPERATOR ".u8", u32, "=r"); LOAD(4, "ld" OPERATOR ".b32", u32, "=r"); \
    LOAD4(16, "ld" OPERATOR ".v4.b32")
SOME_LOADS(".global.ca"); SOME_LOADS(".global.cg"); SOME_LOADS(".global.cs"); SOME_LOADS(".global.lu");
SOME_LOADS(".global.cv"); SOME_LOADS(".global.L1::evict_last"); SOME_LOADS(".global.L1::no_allocate");
SOME_LOADS(".global.L1::evict_first"); SOME_LOADS(".global.L2::128B"); SOME_LOADS(".relaxed.cta.global");
SOME_LOADS(".acquire.cta.global"); SOME_LOADS(".acquire.sys.global"); SOME_LOADS(".relaxed.cluster.global");
LOADS(".acquire.gpu"); LOADS(".relaxed.gpu"); SOME_LOADS(".global.cg.nc"); SOME_LOADS(".weak.global");
SOME_LOADS(".relaxed.sys.global"); SOME_LOADS(".global.nc.L1::no_allocate");
SOME_LOADS(".global.nc.L2::256B");

// Within the output of the case, which holds 0xa5 where nothing is written.
__device__ inline char* slot(uint4* out, int i, u32 where, int width) {
    return reinterpret_cast<char*>(out + i) + (where & 15) / width * width;
}
#define STORE(WIDTH, I, FROM, VALUE)                                                               \
    BLOCK_OPERATION(words, u32, uint4, I, char* to = slot(out, i, in[opcodes::CASES + i], WIDTH);  \
                    const u32 a = in[i]; const u64 aa = u64(in[2 * opcodes::CASES + i]) << 32 | a; \
                    asm volatile(I " [%0], %1;" ::"l"(to), FROM(VALUE), "l"(aa) : "memory"))
#define STORE4(I)                                                                                         \
    BLOCK_OPERATION(words, u32, uint4, I, const u32 a = in[i]; const u32 b = in[opcodes::CASES + i];      \
                    asm volatile(I " [%0], {%1, %2, %3, %4};" ::"l"(out + i), "r"(a), "r"(b), "r"(a ^ b), \
                        "r"(a + b)                                                                        \
                                 : "memory"))
#define STORE2(WIDTH, I)                                                                             \
    BLOCK_OPERATION(words, u32, uint4, I, const u32 a = in[i]; const u32 b = in[opcodes::CASES + i]; \
                    char* to = slot(out, i, b, WIDTH);                                               \
                    asm volatile(I " [%0], {%1, %2};" ::"l"(to), "r"(a), "r"(b) : "memory"))
#define STORES(OPERATOR)                                                                                 \
    STORE(1, "st" OPERATOR ".u8", "r", a); STORE(2, "st" OPERATOR ".u16", "h", u16(a));                  \
    STORE(4, "st" OPERATOR ".b32", "r", a); STORE(8, "st" OPERATOR ".b64", "l", aa);                     \
    STORE2(8, "st" OPERATOR ".v2.b32"); STORE4("st" OPERATOR ".v4.b32"); STORE4("st" OPERATOR ".v4.u8"); \
    STORE2(2, "st" OPERATOR ".v2.u8")
STORES(""); STORES(".global"); STORES(".volatile.global"); STORES(".relaxed.gpu.global"); STORES(".volatile");
STORES(".relaxed.sys.global");
#define SOME_STORES(OPERATOR) STORE(1, "st" OPERATOR ".u8", "r", a); STORE(4, "st" OPERATOR ".b32", "r", a); \
    STORE4("st" OPERATOR ".v4.b32")
SOME_STORES(".global.wb"); SOME_STORES(".global.cg"); SOME_STORES(".global.cs"); SOME_STORES(".global.wt");
SOME_STORES(".relaxed.cta.global"); SOME_STORES(".release.gpu.global"); SOME_STORES(".release.sys.global");
SOME_STORES(".release.cta.global"); SOME_STORES(".release.gpu"); STORES(".relaxed.gpu");
SOME_STORES(".global.L1::no_allocate"); SOME_STORES(".relaxed.cluster.global");

// Shared memory: each thread of the block reads what others wrote.
#define SHARED_ROW                                                                        \
    __shared__ uint4 row[128]; const u32 a = in[i]; const u32 b = in[opcodes::CASES + i]; \
    row[t] = make_uint4(a, b, a ^ b, a + b); __syncthreads();                             \
    const unsigned base = static_cast<unsigned>(__cvta_generic_to_shared(row))
#define SHARED_LOAD(WIDTH, I, OUT, TO)                                                         \
    BLOCK_OPERATION(words, u32, OUT, I, SHARED_ROW; OUT d;                                     \
                    asm volatile(I " %0, [%1];" : TO(d) : "r"(base + b % 2048 / WIDTH * WIDTH) \
                        : "memory"); out[i] = d)
SHARED_LOAD(1, "ld.shared.u8", u32, "=r"); SHARED_LOAD(1, "ld.shared.s8", u32, "=r");
SHARED_LOAD(2, "ld.shared.u16", u32, "=r"); SHARED_LOAD(2, "ld.shared.s16", u32, "=r");
SHARED_LOAD(4, "ld.shared.b32", u32, "=r"); SHARED_LOAD(8, "ld.shared.b64", u64, "=l");
SHARED_LOAD(4, "ld.volatile.shared.b32", u32, "=r"); SHARED_LOAD(4, "ld.acquire.cta.shared.b32", u32, "=r");
BLOCK_OPERATION(words, u32, uint4, "ld.shared.v4.b32", SHARED_ROW; uint4 d;
                asm volatile("ld.shared.v4.b32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(d.x), "=r"(d.y), "=r"(d.z),
                                 "=r"(d.w) : "r"(base + b % 128 * 16) : "memory");
                out[i] = d);
BLOCK_OPERATION(words, u32, uint4, "ld.b32 of shared", SHARED_ROW; const uint4* generic = row + b % 128;
                u32 d; asm volatile("ld.b32 %0, [%1];" : "=r"(d) : "l"(generic) : "memory");
                uint4 e; asm volatile("ld.v4.b32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(e.x), "=r"(e.y), "=r"(e.z), "=r"(e.w) : "l"(row + a % 128) : "memory");
                e.x += d; out[i] = e);
#define SHARED_STORE(WIDTH, I, FROM, VALUE)                                                      \
    BLOCK_OPERATION(words, u32, uint4, I, SHARED_ROW; const u64 aa = u64(b) << 32 | a;           \
                    asm volatile(I " [%0], %1;" ::"r"(base + t * 16 + (b & 15) / WIDTH * WIDTH), \
                        FROM(VALUE), "l"(aa)                                                     \
                                 : "memory");                                                    \
                    __syncthreads(); out[i] = row[t ^ 5])
SHARED_STORE(1, "st.shared.u8", "r", a); SHARED_STORE(2, "st.shared.u16", "h", u16(a));
SHARED_STORE(4, "st.shared.b32", "r", a); SHARED_STORE(8, "st.shared.b64", "l", aa);
SHARED_STORE(4, "st.volatile.shared.b32", "r", a); SHARED_STORE(4, "st.release.cta.shared.b32", "r", a);
BLOCK_OPERATION(words, u32, uint4, "st of shared, generic", SHARED_ROW;
                asm volatile("st.u16 [%0], %1;" ::"l"(reinterpret_cast<char*>(row + t) + (b & 14)),
                    "h"(u16(a)) : "memory");
                asm volatile("st.v2.b32 [%0], {%1, %2};" ::"l"(reinterpret_cast<char*>(row + t) + (a & 8)),
                    "r"(a), "r"(b)
                             : "memory");
                __syncthreads(); out[i] = row[t ^ 9]);

// Local memory: arrays that are indexed at run time.
template <class T>
__device__ void through_local(const u32* in, uint4* out, int i) {
    T own[24];
    for (int k = 0; k < 24; ++k) own[k] = T(in[(i + k * 37) % (3 * opcodes::CASES)] >> k % 7);
    u64 sum = 0;
    for (u32 k = 0; k < 24; ++k) {
        const u32 at = (in[opcodes::CASES + i] + k * 5) % 24;
        sum = sum * 31 + u64((long long)(own[at]));
        own[(at * 7 + k) % 24] = T(sum >> k % 3);
    }
    out[i] = make_uint4(u32(sum), u32(sum >> 32), u32(own[in[i] % 24]), 0);
}
#define LOCAL(TYPE) BLOCK_OPERATION(words, u32, uint4, "local:" #TYPE, through_local<TYPE>(in, out, i))
LOCAL(signed char); LOCAL(unsigned char); LOCAL(short); LOCAL(u16); LOCAL(int); LOCAL(u32); LOCAL(u64);
LOCAL(float);
BLOCK_OPERATION(words, u32, uint4, "local:uint4", uint4 own[6];
                for (int k = 0; k < 6;
                    ++k) own[k] = make_uint4(in[i] + k, in[i] * k, in[i + opcodes::CASES], k);
                const u32 b = in[opcodes::CASES + i]; own[b % 6].y = in[i] ^ b;
                    own[(b >> 8) % 6] = own[(b >> 4) % 6];
                uint4 d = own[(b >> 12) % 6]; d.w += own[b % 5].y; out[i] = d);
// More values than registers: they are spilled.
template <class F>
__global__ void __launch_bounds__(1024, 2) spilling(const u32* in, u32* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    u32 own[48];
    for (int k = 0; k < 48; ++k) own[k] = in[(i + 64 * k) % (3 * opcodes::CASES)];
    for (int round = 0; round < 3; ++round)
        for (int k = 0; k < 48; ++k) own[k] = own[k] * own[(k + 5) % 48] + own[(k * 7 + round) % 48];
    u32 sum = 0;
    for (int k = 0; k < 48; ++k) sum = sum * 3 + (own[k] ^ own[(k + 24) % 48]);
    out[i] = sum;
}
static const bool added_spilling = [] {
    opcodes::operations().push_back({"spilled registers", opcodes::Set::words, 4, 75, [](const void* in,
        void* out) {
        spilling<u32><<<opcodes::CASES / 1024, 1024>>>(static_cast<const u32*>(in), static_cast<u32*>(out));
            }});
    return true;
}();
BLOCK_OPERATION(words, u32, u32, "ld of local, generic", u32 own[9]; for (int k = 0; k < 9;
    ++k) own[k] = in[i] * k + k;
                const u32 b = in[opcodes::CASES + i]; const u32* from = own + b % 9;
                    if (b & 64) from = in + (i ^ 1);
                u32 d; asm volatile("ld.b32 %0, [%1];" : "=r"(d) : "l"(from) : "memory"); out[i] = d);

// Constant memory, indexed by lane.
__constant__ unsigned char table[256] = {
#define FOUR(N) (unsigned char)(N), (unsigned char)(N * 7 + 1), (unsigned char)(N * 13 + 5), \
    (unsigned char)(N * 29 + 11)
#define SIXTEEN(N) FOUR(N), FOUR(N + 1), FOUR(N + 2), FOUR(N + 3)
    SIXTEEN(3), SIXTEEN(19), SIXTEEN(40), SIXTEEN(77), SIXTEEN(101), SIXTEEN(124), SIXTEEN(150), SIXTEEN(171),
    SIXTEEN(9), SIXTEEN(25), SIXTEEN(46), SIXTEEN(83), SIXTEEN(107), SIXTEEN(130), SIXTEEN(156),
        SIXTEEN(177)};
#define CONSTANT(WIDTH, I, OUT, TO)                                                              \
    BLOCK_OPERATION(words, u32, OUT, I, const u32 b = in[opcodes::CASES + i];                    \
                    u64 from; asm("cvta.to.const.u64 %0, %1;" : "=l"(from) : "l"(table)); OUT d; \
                    asm volatile(I " %0, [%1];" : TO(d) : "l"(from + b % 256 / WIDTH * WIDTH)); out[i] = d)
CONSTANT(1, "ld.const.u8", u32, "=r"); CONSTANT(1, "ld.const.s8", u32, "=r");
CONSTANT(2, "ld.const.u16", u32, "=r");
CONSTANT(2, "ld.const.s16", u32, "=r"); CONSTANT(4, "ld.const.b32", u32, "=r");
CONSTANT(8, "ld.const.b64", u64, "=l");
BLOCK_OPERATION(words, u32, u32, "ld.b32 of constant, generic", const u32 b = in[opcodes::CASES + i]; u32 d;
                asm volatile("ld.b32 %0, [%1];" : "=r"(d) : "l"(table + b % 64 * 4)); out[i] = d);

// Asynchronous copies to shared memory; what the source does not fill is 0.
#define ASYNC(NAME, OPERATOR, BYTES, FILLED)                                                             \
    BLOCK_OPERATION(words, u32, uint4, NAME, __shared__ uint4 row[128]; row[t] = make_uint4(t, t, t, t); \
                    const u32 b = in[opcodes::CASES + i]; __syncthreads();                               \
                    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(row + t));        \
                    asm volatile("cp.async" OPERATOR ".shared.global [%0], [%1], " #BYTES ", %2;\n"      \
                                 "cp.async.commit_group; cp.async.wait_group 0;" ::"r"(to                \
                                     + b % (16 / BYTES) * BYTES),                                        \
                                 "l"(in + b % opcodes::CASES / (BYTES / 4) * (BYTES / 4)),               \
                                     "r"(FILLED) : "memory");                                            \
                    __syncthreads(); out[i] = row[t ^ 3])
ASYNC("cp.async 4", ".ca", 4, 4); ASYNC("cp.async 8", ".ca", 8, 8); ASYNC("cp.async 16", ".ca", 16, 16);
ASYNC("cp.async.cg 16", ".cg", 16, 16); ASYNC("cp.async 4, filled", ".ca", 4, b >> 13 & 4);
ASYNC("cp.async 16, filled", ".ca", 16, (b >> 13) % 17);

// Which space a generic address is in; addresses of one space as generic ones.
BLOCK_OPERATION(words, u32, u32, "isspacep", __shared__ u32 word[128]; u32 own[3];
    const u32 b = in[opcodes::CASES + i];
                own[0] = own[1] = own[2] = b; own[b % 3] += t; word[t] = b ^ t; __syncthreads();
                const u32* pointer = b % 3 == 0 ? in + i : b % 3 == 1 ? word + (t ^ 1) : own + b % 3; u32 d;
                asm volatile("{.reg .pred p; isspacep.global p, %1; selp.b32 %0, 1, 0, p;\n"
                "isspacep.shared p, %1;\n"
                             "@p or.b32 %0, %0, 2; isspacep.local p, %1; @p or.b32 %0, %0, 4;}" : "=&r"(d)
                                 : "l"(pointer));
                out[i] = d + (*pointer << 3));
BLOCK_OPERATION(words, u32, u32, "prefetch", const u32* from = in + (i ^ 7); u32 d;
                asm volatile("prefetch.global.L1 [%1]; prefetch.global.L2 [%1]; prefetchu.L1 [%1];\n"
                             "ld.global.b32 %0, [%1];"
                             : "=r"(d) : "l"(from) : "memory"); out[i] = d);

ASYNC("cp.async 8, filled", ".ca", 8, (b >> 13) % 9);
ASYNC("cp.async 4, filled in part", ".ca", 4, (b >> 13) % 5);
ASYNC("cp.async.cg 16, filled", ".cg", 16, (b >> 13) % 17);
BLOCK_OPERATION(words, u32, u32, "prefetch of local", u32 own[9];
                for (int k = 0; k < 9; ++k) own[k] = in[i] * k + k;
                const u32 b = in[opcodes::CASES + i]; u32 d;
                asm volatile("prefetch.local.L1 [%1]; prefetch.local.L2 [%1]; ld.local.b32 %0, [%1];"
                             : "=r"(d) : "l"(__cvta_generic_to_local(own + b % 9)) : "memory"); out[i] = d);

// Lanes of a warp that store to one place, one of 64 bytes' for all.
#define STORE_OF_SOME(I, VALUE, TO) \
    if (a % 5 != 0) asm volatile(I " [%0], " VALUE ";" ::TO(to), "r"(a), "l"(aa), "h"(u16(a)) : "memory")
#define ONE_PLACE(WIDTH, TYPE, VALUE)                                                               \
    BLOCK_OPERATION(words, u32, uint4, "st.global" TYPE " to one place", const u32 a = in[i];       \
                    const u32 b = in[opcodes::CASES + i]; const u64 aa = u64(b) << 32 | a;          \
                    char* to = reinterpret_cast<char*>(out + i - t % 32) + b % 64 / WIDTH * WIDTH;  \
                    STORE_OF_SOME("st.global" TYPE, VALUE, "l"));                                   \
    BLOCK_OPERATION(words, u32, uint4, "st.shared" TYPE " to one place", __shared__ uint4 row[16];  \
                    const u32 a = in[i]; const u32 b = in[opcodes::CASES + i];                      \
                    const u64 aa = u64(b) << 32 | a;                                                \
                    if (t < 16) row[t] = make_uint4(0, 0, 0, 0); __syncthreads();                   \
                    const u32 to = static_cast<u32>(__cvta_generic_to_shared(row + t / 32 * 4)) +   \
                                   b % 64 / WIDTH * WIDTH;                                          \
                    STORE_OF_SOME("st.shared" TYPE, VALUE, "r");                                    \
                    __syncthreads(); out[i] = row[t / 32 * 4 + t % 4])
ONE_PLACE(1, ".u8", "%1"); ONE_PLACE(2, ".u16", "%3"); ONE_PLACE(4, ".b32", "%1"); ONE_PLACE(8, ".b64", "%2");
ONE_PLACE(16, ".v2.b64", "{%2, %2}");

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
