// Branches of all kinds, calls, meetings of lanes that have parted, fences, and copies by the copy engine.
#include "kernels/fast/detail/bulk_copy.cuh"
#include "simt/test/opcodes/operation.h"

using namespace trial;

// clang-format off: lists, several a line.

#define OF_BLOCK(NAME, OUT, ...)                                                 \
    BLOCK_OPERATION(words, u32, OUT, NAME, [[maybe_unused]] const u32 a = in[i]; \
                    [[maybe_unused]] const u32 b = in[opcodes::CASES + i]; __VA_ARGS__)
#define W(NAME, ...) OPERATION(words, u32, u32, NAME, __VA_ARGS__)

// Jumps by table, loops that lanes leave at different times, and calls, direct and by pointer.
W("switch", d = b; switch (a & 15) {
    case 0: for (u32 k = 0; k < (b & 7); ++k) d = d * 3 + c; break;
    case 1: for (u32 k = 0; k < (c & 7); ++k) d ^= b >> k; break;
    case 2: d = b / (c | 1); break;
    case 3: d = b % (c | 1); break;
    case 4: if (b > c) d = __popc(b) * c; break;
    case 5: while (d > 9) d = d / 3 - 1; break;
    case 6: for (u32 k = 0; k < (a >> 4 & 7); ++k) d = __brev(d) + k; break;
    case 7: d = d << (c & 7); d = d * d; [[fallthrough]];
    case 8: for (u32 k = 3; k < (c & 15); ++k) d += d >> k; break;
    case 9: d = __clz(b) + __ffs(c); break;
    case 10: if (int(c) < 0) return d * 7; break;
    case 12: d = c; for (u32 k = 0; k < (b & 3); ++k) d = d * 11 + 5; break;
    default: d = b - c;
});
W("brx.idx", asm("{.reg .b32 k; and.b32 k, %1, 3;\nL: .branchtargets A, B, C, D;\nbrx.idx k, L;\n"
                 "A: add.u32 %0, %2, %3; bra E;\nB: mul.lo.u32 %0, %2, %3; bra E;\n"
                 "C: xor.b32 %0, %2, %3; bra E;\n"
                 "D: sub.u32 %0, %2, %3;\nE: mad.lo.u32 %0, %0, 3, %1;}" : "=r"(d) : "r"(a), "r"(b), "r"(c)));
W("loop of a lane's length", d = b; for (u32 k = 0; k < (a & 63); ++k) d = d * 3 + c);
W("loop with break and continue", d = c; for (u32 k = 0; k < 40; ++k) {
    if (k % 3 == (a & 3)) continue;
    d = d * 5 + k;
    if ((d >> 4 & 31) == (b & 31)) break;
    for (u32 j = 0; j < (d & 3); ++j) { if ((d + j) % 7 == 2) break; d ^= j << k % 16; }
});
W("return from a loop", d = [](u32 x, u32 y, u32 z) {
    for (u32 k = 0; k < 50; ++k) { x = x * 1664525 + y; if ((x >> 9 & 15) == (z & 15)) return x + k; }
    return z;
}(a, b, c));
__noinline__ __device__ u32 twice(u32 x, u32 y) { return x * 2 + (y > 7 ? y : x % 5); }
__noinline__ __device__ u32 thrice(u32 x, u32 y) { return x * 3 ^ y; }
__noinline__ __device__ u32 depth(u32 x, u32 left) { return left == 0 ? x : depth(x * 7 + left,
    left - 1) ^ left; }
W("calls", d = a & 1 ? twice(b, c) : twice(c, a) + 1);
W("recursion", d = depth(a, b & 15));
W("calls by pointer", u32 (*const functions[])(u32, u32) = {twice, thrice, depth}; const u32 which = a % 3;
  d = functions[which](b, which == 2 ? c & 7 : c));

// Warp operations after lanes have parted.
W("shuffle after a loop", u32 x = a; for (u32 k = 0; k < (b & 31); ++k) x = x * 3 + k;
  d = __shfl_down_sync(~0u, x, 3) + __shfl_xor_sync(~0u, x, 5));
W("shuffles in a loop", d = a; for (int k = 16; k > 0; k /= 2) { if (d & 1) d = d * 3 + b;
    d += __shfl_up_sync(~0u, d, k); });
W("votes in a loop", d = 0; u32 x = a & 31; while (__any_sync(~0u, x < 29)) { d = d * 3 + (x & 1);
    x += 1 + (b & 3); });
W("reduction in a loop", d = a; for (u32 k = 0; k < 5; ++k) { if (d & 2) d ^= c;
    d += __reduce_add_sync(~0u, d & 7) + __shfl_sync(~0u, d, k); });
W("match in a loop", d = a & 7; for (u32 k = 0; k < 4; ++k) { d += __popc(__match_any_sync(~0u, d));
    if (d & 1) d += k; __syncwarp(); });
W("votes of some in a loop", const bool some = (a ^ b) & 1; const u32 mask = __ballot_sync(~0u, some);
    d = b & 63;
  if (some) { do { d += 1 + (c & 1); if (d & 4) d += b & 3; } while (__any_sync(mask, d < 70));
      d += __ballot_sync(mask, d & 1); });
W("groups of equal keys", u32 left = ~0u; d = a & 3; u32 key = a & 7; u32 sum = 0;
    const int lane = threadIdx.x & 31;
  while (left != 0) { const int first = __ffs(left) - 1; const u32 other = __shfl_sync(~0u, key, first);
      const u32 peers = __ballot_sync(~0u, key == other); if (key == other) { sum = peers;
          if (lane == first) d += __popc(peers); }
      left &= ~peers; }
  d = d * 3 + sum);
W("votes of a mask after parting",
    const u32 mask = (b & 1) == (a & 1) ? 0xffffffffu : 0xffffffffu >> (c & 0); u32 x = a;
  if (a & 2) { for (u32 k = 0; k < (b & 7); ++k) x = x * 3 + k; } d = __ballot_sync(mask, x & 1) ^ x;
  if (x & 4) { for (u32 k = 0; k < (c & 7); ++k) x = x * 5 + k; } d += __shfl_sync(mask, x, 7));
W("lock of a lane", __shared__ int lock[4]; __shared__ u32 held[4]; const int warp = threadIdx.x / 32; d = a;
  if (threadIdx.x % 32 == 0) { lock[warp] = 0; held[warp] = 0; } __syncwarp();
  for (bool done = false; !done;) if (atomicCAS(lock + warp, 0, 1) == 0) {
      held[warp] += a; __threadfence_block(); atomicExch(lock + warp, 0); done = true; }
  __syncwarp(); d = held[warp]);
W("lanes that leave", d = a * 3 + b; if (a % 5 == 0) return d; d ^= __popc(__activemask() & 0) + c;
    if (b % 3 == 0) return d + 1;
  for (u32 k = 0; k < (c & 7); ++k) { d = d * 3 + k; if (d % 11 == 0) return d; });

OF_BLOCK("a warp's short branch", u32, __shared__ u32 row[160]; row[t] = a; __syncthreads(); u32 d = b;
    if (t < 32) row[128 + t] = b; __syncthreads(); if (t >= 32) {
             d += row[t - 32]; if (t >= 64) { d ^= row[t - 64]; row[t + 32] = d; } } __syncthreads();
                 out[i] = d + row[t + 16]);

// Fences change no value.
#define FENCE(NAME, ...)                                                                   \
    OF_BLOCK(NAME, u32, __shared__ u32 row[128]; row[t] = a; __VA_ARGS__; __syncthreads(); \
        out[i] = row[t ^ 1] + b)
FENCE("__threadfence_block", __threadfence_block()); FENCE("__threadfence", __threadfence());
FENCE("__threadfence_system", __threadfence_system());
FENCE("fence.acq_rel.cta", asm volatile("fence.acq_rel.cta;" ::: "memory"));
FENCE("fence.acq_rel.gpu", asm volatile("fence.acq_rel.gpu;" ::: "memory"));
FENCE("fence.sc.gpu", asm volatile("fence.sc.gpu;" ::: "memory"));
FENCE("fence.sc.cta", asm volatile("fence.sc.cta;" ::: "memory"));
FENCE("fence.acq_rel.sys", asm volatile("fence.acq_rel.sys;" ::: "memory"));
FENCE("fence.acq_rel.cluster", asm volatile("fence.acq_rel.cluster;" ::: "memory"));
FENCE("fence.proxy.async", fence_proxy_async());
FENCE("fence.proxy.async, all", asm volatile("fence.proxy.async;" ::: "memory"));
FENCE("fence.mbarrier_init", fence_mbarrier_init());
FENCE("griddepcontrol", asm volatile("griddepcontrol.launch_dependents; griddepcontrol.wait;" ::: "memory"));
FENCE("nanosleep", __nanosleep(a & 63)); FENCE("pmevent", asm volatile("pmevent 3;"));
FENCE("barrier.cluster",
    asm volatile("barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;" ::: "memory"));
FENCE("barrier.cluster, released",
    asm volatile("barrier.cluster.arrive.release; barrier.cluster.wait.acquire;" ::: "memory"));

// The copy engine, in both directions.
OF_BLOCK("bulk_load", uint4, __shared__ alignas(128) uint4 row[128]; __shared__ Mbarrier full;
    if (t == 0) full.init(1);
         fence_mbarrier_init(); __syncthreads();
         const uint4* from = reinterpret_cast<const uint4*>(in) + (i - t) / 4;
         if (t == 0) { full.arrive_expect_tx(2048); bulk_load(row, from, 1024, full);
             bulk_load(row + 64, from + 128, 1024, full); }
         full.wait(0); out[i] = row[t ^ 3]);
OF_BLOCK("bulk_store", uint4, __shared__ alignas(128) uint4 row[128]; row[t] = make_uint4(a, b, a + b, t);
    fence_proxy_async();
         __syncthreads(); if (t == 0) { bulk_store(out + i, row + 5, 16 * 100); cp_async_bulk_commit_group();
                                        cp_async_bulk_wait_group_read<0>(); });
OF_BLOCK("bulk_store, waited for", uint4, __shared__ alignas(128) uint4 row[128];
    row[t ^ 7] = make_uint4(a, b, a ^ b, t);
         fence_proxy_async(); __syncthreads();
         if (t % 32 == 0) { bulk_store(out + i, row + t, 16 * 32); cp_async_bulk_commit_group();
                            asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); out[i].w += 1000; });
OF_BLOCK("bulk copies by each lane", uint4, __shared__ alignas(128) uint4 row[128]; __shared__ Mbarrier full;
         if (t == 0) full.init(128); fence_mbarrier_init(); __syncthreads();
         full.arrive_expect_tx(16);
             bulk_load(row + t, reinterpret_cast<const uint4*>(in) + b % 1000, 16, full); full.wait(0);
         out[i] = row[t ^ 9]);
OF_BLOCK("bulk copies of some", uint4, __shared__ alignas(128) uint4 row[128]; __shared__ Mbarrier full[2];
    row[t] = make_uint4(t, t, t, t);
         if (t < 2) full[t].init(1); fence_mbarrier_init(); __syncthreads();
         for (u32 part = 0; part < 2; ++part) if (t == 0) {
             const u32 bytes = ((i / 128 + part) % 4 + 1) * 256; const u32 first = part * 64 * 16;
             full[part].arrive_expect_tx(bytes);
             bulk_load(reinterpret_cast<char*>(row) + first,
                 reinterpret_cast<const char*>(in) + first + (i / 128) * 4 % 1024 * 16, bytes, full[part]);
         }
         full[0].wait(0); full[1].wait(0); out[i] = row[t ^ 6]);
OF_BLOCK("bulk_prefetch", u32, if (t == 0) bulk_prefetch(in + i, 512); out[i] = a);
OF_BLOCK("cp.async and an mbarrier", uint4, __shared__ uint4 row[128]; __shared__ u64 full;
         const unsigned bar = shared_address(&full);
         if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 128;" ::"r"(bar) : "memory");
             __syncthreads();
         asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n"
                      "cp.async.mbarrier.arrive.noinc.shared.b64 [%2];"
                      ::"r"(shared_address(row + t)), "l"(in + b % 1000 * 4), "r"(bar) : "memory");
         reinterpret_cast<Mbarrier*>(&full)->wait(0); out[i] = row[t ^ 6]);
OF_BLOCK("bulk_load from uniform addresses", uint4, __shared__ alignas(128) uint4 row[128];
    __shared__ Mbarrier full; if (t == 0) full.init(1);
         fence_mbarrier_init(); __syncthreads();
         for (int part = 0; part < 4; ++part) {
             const int offset = int(in[opcodes::CASES + block * 4 + part] % 1000) * 16 - 8000;
             if (t == 0) { full.arrive_expect_tx(512);
                 bulk_load(row + part * 32, reinterpret_cast<const char*>(in + 4000) + offset, 512, full); }
             full.wait(part & 1); __syncthreads();
         }
         out[i] = row[t ^ 3]);

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
