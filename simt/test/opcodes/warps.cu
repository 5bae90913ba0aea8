// What the threads of a warp or a block do together, and the registers that tell them who they are.
#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

// Shuffles: the word, and in another output whether it came from a lane within the segment.
#define SHUFFLE(NAME, MODE, DELTA, CLAMP)                                                  \
    OPERATION(words, u32, u64, NAME, u32 value; u32 within;                                \
              asm volatile("{.reg .pred p; shfl.sync." MODE ".b32 %0|p, %2, %3, %4, -1;\n" \
                           "selp.b32 %1, 1, 0, p;}"                                        \
                           : "=r"(value), "=r"(within)                                     \
                           : "r"(a), "r"(DELTA), "r"(CLAMP));                              \
              d = u64(within) << 32 | value)
#define SEGMENTS(MODE, LAST)                                                                                \
    SHUFFLE("shfl." MODE " 32", MODE, b, LAST); SHUFFLE("shfl." MODE " 16", MODE, b, 0x1000 | LAST);        \
    SHUFFLE("shfl." MODE " 8", MODE, b, 0x1800 | LAST); SHUFFLE("shfl." MODE " 4", MODE, b, 0x1c00 | LAST); \
    SHUFFLE("shfl." MODE " 2", MODE, b, 0x1e00 | LAST); SHUFFLE("shfl." MODE " 1 lane", MODE, 1, LAST);     \
    SHUFFLE("shfl." MODE " 5 of 8", MODE, 5, 0x1800 | LAST); SHUFFLE("shfl." MODE " any", MODE, b, c & 0x1f1f)
SEGMENTS("up", 0); SEGMENTS("down", 0x1f); SEGMENTS("bfly", 0x1f); SEGMENTS("idx", 0x1f);
OPERATION(longs, u64, u64, "__shfl_xor of 64", d = __shfl_xor_sync(~0u, a, 7) + __shfl_up_sync(~0u, b, 3));

// By the odd lanes, then the even ones; by those of a random mask.
OPERATION(words, u32, u32, "shfl by halves of a warp", const int lane = threadIdx.x & 31;
          if (lane & 1) d = __shfl_sync(0xaaaaaaaa, a, b | 1) * 3;
              else d = __shfl_xor_sync(0x55555555, a, 6) ^ 5;
          d += __shfl_down_sync(~0u, d, 1));
#define SOME_LANES(NAME, ...)                                                       \
    OPERATION(words, u32, u32, NAME, d = c; const bool some = (a ^ a >> 3 ^ b) & 1; \
              const u32 mask = __ballot_sync(~0u, some); if (some) { __VA_ARGS__; } d += mask)
SOME_LANES("ballot by some", d = __ballot_sync(mask, int(b) < 0));
SOME_LANES("any by some", d = __any_sync(mask, b > c));
SOME_LANES("all by some", d = __all_sync(mask, b != c));
SOME_LANES("uni by some", d = __uni_sync(mask, b > 5));
SOME_LANES("activemask", d = __activemask()); SOME_LANES("match by some", d = __match_any_sync(mask, b & 7));
SOME_LANES("match of 64 by some", d = __match_any_sync(mask, u64(b & 1) << 40 | (c & 1)));
SOME_LANES("match all by some", int p; d = __match_all_sync(mask, b & 1, &p) * 2 + p);
SOME_LANES("sum by some", d = __reduce_add_sync(mask, b));
SOME_LANES("min by some", d = __reduce_min_sync(mask, int(b)));
SOME_LANES("first of some", d = __shfl_sync(mask, b, __ffs(mask) - 1));
SOME_LANES("syncwarp", __syncwarp(mask); d = b);
#define ALL_LANES(NAME, ...) OPERATION(words, u32, u32, NAME, __VA_ARGS__)
ALL_LANES("ballot", d = __ballot_sync(~0u, int(a) < int(b)));
ALL_LANES("any", d = __any_sync(~0u, a == 12345u));
ALL_LANES("all", d = __all_sync(~0u, a != b)); ALL_LANES("uni", d = __uni_sync(~0u, a > b));
ALL_LANES("match any", d = __match_any_sync(~0u, a & 15)); ALL_LANES("match all", int p;
    d = __match_all_sync(~0u, a >> 6, &p) + p);
ALL_LANES("redux add", d = __reduce_add_sync(~0u, a)); ALL_LANES("redux min", d = __reduce_min_sync(~0u, a));
ALL_LANES("redux max", d = __reduce_max_sync(~0u, a));
ALL_LANES("redux min s", d = __reduce_min_sync(~0u, int(a)));
ALL_LANES("redux max s", d = __reduce_max_sync(~0u, int(a)));
ALL_LANES("redux and", d = __reduce_and_sync(~0u, a | b));
ALL_LANES("redux or", d = __reduce_or_sync(~0u, a & b));
ALL_LANES("redux xor", d = __reduce_xor_sync(~0u, a));
ALL_LANES("redux add s", d = __reduce_add_sync(~0u, int(a)));
ALL_LANES("elect", asm volatile("{.reg .pred p; .reg .b32 x; elect.sync x|p, -1; selp.b32 %0, 1, 0, p;\n"
                                "shl.b32 x, x, 1; or.b32 %0, %0, x;}" : "=&r"(d)));
ALL_LANES("votes of uniform values", u32 any = 0; for (u32 k = 0; k < 4;
    ++k) any = any * 2 + __any_sync(~0u, k == (a & 3));
          d = any * 16 + __popc(__ballot_sync(~0u, b & 1)));

// Barriers of the block that count, and named ones that some warps only arrive at.
#define OF_BLOCK(NAME, OUT, ...)                                                 \
    BLOCK_OPERATION(words, u32, OUT, NAME, [[maybe_unused]] const u32 a = in[i]; \
                    [[maybe_unused]] const u32 b = in[opcodes::CASES + i]; __VA_ARGS__)
OF_BLOCK("__syncthreads_count", u32, out[i] = __syncthreads_count(int(a) < int(b)));
OF_BLOCK("__syncthreads_and", u32,
    out[i] = __syncthreads_and((a | t) != 1000) * 2 + __syncthreads_and(b > 3));
OF_BLOCK("__syncthreads_or", u32, out[i] = __syncthreads_or(a == b) * 2 + __syncthreads_or(a > b));
OF_BLOCK("bar.red.popc of two warps", u32, u32 d; asm volatile(
             "{.reg .pred p; setp.lt.u32 p, %1, %2; bar.red.popc.u32 %0, %3, 64, p;}"
             : "=r"(d) : "r"(a), "r"(b), "r"(1 + t / 64) : "memory"); out[i] = d);
OF_BLOCK("bar.arrive", u32, __shared__ u32 word[64];
         if (t < 64) { word[t] = a; asm volatile("bar.arrive 3, 128;" ::: "memory"); out[i] = b; }
         else { asm volatile("bar.sync 3, 128;" ::: "memory"); out[i] = word[t ^ 70] + b; });
OF_BLOCK("barrier.cta.sync", u32, __shared__ u32 word[128]; word[t] = a;
         asm volatile("barrier.cta.sync 2; barrier.cta.sync.aligned 4, 128;" ::: "memory");
             out[i] = word[t ^ 77] + b);

// Barriers in shared memory that count arrivals.
#define MBARRIER(NAME, ...)                                                                  \
    OF_BLOCK(NAME, u32, __shared__ u64 barrier; u32 d = 0; u64 state = 0;                    \
             const unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(&barrier)); \
                 if (t == 0) __VA_ARGS__;                                                    \
             out[i] = d + 0 * u32(state))
#define TEST(STATE)                                                                                 \
    asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}" \
                 : "=r"(done) : "r"(bar), "l"(STATE) : "memory"); d = d * 2 + done
#define PARITY(FORM, VALUE)                                                                               \
    asm volatile("{.reg .pred p; mbarrier." FORM ".parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}" \
                 : "=r"(done) : "r"(bar), "r"(VALUE) : "memory"); d = d * 2 + done
MBARRIER("mbarrier: phases", {
    u32 done; u32 pending; u64 old;
    asm volatile("mbarrier.init.shared.b64 [%0], 3;" ::"r"(bar) : "memory");
    PARITY("test_wait", 0); PARITY("test_wait", 1);
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(bar) : "memory");
    TEST(state);
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state)); d = d * 8 + pending;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 2;" : "=l"(old) : "r"(bar) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(old)); d = d * 8 + pending;
    TEST(state); PARITY("test_wait", 0); PARITY("try_wait", 0); PARITY("test_wait", 1);
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1];" : "=l"(state) : "r"(bar) : "memory");
    TEST(state); PARITY("test_wait", 1);
    asm volatile("mbarrier.arrive.noComplete.shared.b64 %0, [%1], 1;" : "=l"(old) : "r"(bar) : "memory");
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(bar) : "memory");
    TEST(state); PARITY("try_wait", 1); PARITY("test_wait", 0);
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(bar) : "memory");
});
MBARRIER("mbarrier: bytes", {
    u32 done; u64 old;
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 %0, [%1], 48;" : "=l"(old) : "r"(bar) : "memory");
    TEST(old);
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 32;" ::"r"(bar) : "memory");
    PARITY("test_wait", 0);
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(bar) : "memory");
    PARITY("test_wait", 0);
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(bar) : "memory");
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(bar) : "memory"); PARITY("test_wait", 1);
    TEST(old);
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(bar) : "memory");
    PARITY("test_wait", 1);
});

// Special registers.
#define REGISTER(NAME) OF_BLOCK(NAME, u32, u32 d; asm volatile("mov.u32 %0, %" NAME ";" : "=r"(d)); \
    out[i] = d)
REGISTER("%tid.x"); REGISTER("%tid.y"); REGISTER("%tid.z"); REGISTER("%ntid.x"); REGISTER("%ntid.y");
REGISTER("%ntid.z");
REGISTER("%ctaid.x"); REGISTER("%ctaid.y"); REGISTER("%ctaid.z"); REGISTER("%nctaid.x");
REGISTER("%nctaid.y");
REGISTER("%nctaid.z"); REGISTER("%laneid"); REGISTER("%lanemask_eq"); REGISTER("%lanemask_lt");
REGISTER("%lanemask_le");
REGISTER("%lanemask_gt"); REGISTER("%lanemask_ge"); REGISTER("%dynamic_smem_size");
REGISTER("%total_smem_size");
REGISTER("%cluster_ctaid.x"); REGISTER("%cluster_nctaid.x"); REGISTER("%cluster_ctarank");
REGISTER("%clusterid.x");
OF_BLOCK("clocks go on", u32, u32 x; u32 y; u64 e; u64 f; u64 g; u64 h;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(x));
         asm volatile("mov.u64 %0, %%clock64;" : "=l"(e));
             asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g));
         asm volatile("nanosleep.u32 20;"); asm volatile("mov.u32 %0, %%clock;" : "=r"(y));
         asm volatile("mov.u64 %0, %%clock64;" : "=l"(f));
             asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(h));
         out[i] = (y - x < 1u << 31 && y != x) + 2 * (f > e) + 4 * (h >= g));
OF_BLOCK("multiprocessor", u32, u32 x; u32 y; u32 z; asm volatile("mov.u32 %0, %%smid;" : "=r"(x));
         asm volatile("mov.u32 %0, %%nsmid;" : "=r"(y)); asm volatile("mov.u32 %0, %%warpid;" : "=r"(z));
         out[i] = (x < y) + 2 * (z < 64));

MBARRIER("mbarrier: arrivals that drop out", {
    u32 done; u32 pending; u64 old;
    asm volatile("mbarrier.init.shared.b64 [%0], 6;" ::"r"(bar) : "memory");
    asm volatile("mbarrier.arrive_drop.shared.b64 %0, [%1], 2;" : "=l"(old) : "r"(bar) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(old)); d = pending;
    asm volatile("mbarrier.arrive_drop.expect_tx.shared.b64 %0, [%1], 16;" : "=l"(old) : "r"(bar) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(old)); d = d * 8 + pending;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 3;" : "=l"(old) : "r"(bar) : "memory"); TEST(old);
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(bar) : "memory");
    TEST(old);
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(bar) : "memory");
    asm volatile("mbarrier.pending_count.b64 %0, %1;" : "=r"(pending) : "l"(state)); d = d * 8 + pending;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1], 2;" : "=l"(old) : "r"(bar) : "memory"); TEST(state);
});
REGISTER("%nwarpid"); REGISTER("%nsmid"); REGISTER("%aggr_smem_size"); REGISTER("%cluster_nctarank");
REGISTER("%nclusterid.x"); REGISTER("%clusterid.y"); REGISTER("%cluster_ctaid.y");
REGISTER("%cluster_nctaid.y");

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
