// Clusters: distributed shared memory by every width, operation, type and semantics, mbarriers and
// asynchronous stores of other blocks, bulk copies between blocks and to several, the cluster's barrier,
// special registers. Each thread has a word of its own in the shared memory of the next block of its cluster.
#include "simt/test/opcodes/operation.h"

struct Words {
    u32 before, after;
};
struct Longs {
    u64 before, after;
};

constexpr int CLUSTER = 4;

__device__ u32 rank() {
    u32 r;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
    return r;
}
__device__ void meet() {
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}
template <class T>
__device__ u32 own_address(const T* p) {
    return u32(__cvta_generic_to_shared(p));
}
/// The address of the same place in another block's shared memory.
template <class T>
__device__ u32 far_address(const T* p, u32 of) {
    u32 d;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(d) : "r"(own_address(p)), "r"(of));
    return d;
}
template <class T>
__device__ T* far_pointer(T* p, u32 of) {
    u64 d;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(d) : "l"(p), "r"(of));
    return reinterpret_cast<T*>(d);
}
__device__ void wait_for(u32 bar, u32 parity) {
    asm volatile(
        "{.reg .pred p; again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n"
        "@!p bra again;}" ::"r"(bar),
        "r"(parity)
        : "memory");
}

inline opcodes::Launch launches(const void* kernel, int x, int y, int z) {
    return [=](const void* in, void* out) {
        cudaLaunchAttribute cluster;
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim.x = x;
        cluster.val.clusterDim.y = y;
        cluster.val.clusterDim.z = z;
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(opcodes::CASES / 128 / 4, 2, 2);
        config.blockDim = dim3(8, 4, 4);
        config.attrs = &cluster;
        config.numAttrs = 1;
        void* arguments[] = {&in, &out};
        cudaLaunchKernelExC(&config, kernel, arguments);
    };
}

/// Enter an operation of clusters of this shape.
template <class F, int X = CLUSTER, int Y = 1, int Z = 1>
bool add_cluster(const char* name, opcodes::Set set) {
    const auto kernel = reinterpret_cast<const void*>(opcodes::run_block<F>);
    return opcodes::enter(name, set, sizeof(typename F::Out), F::SINCE, launches(kernel, X, Y, Z));
}

#define OF_CLUSTER(SET, IN, OUT, NAME, ...) \
    SHAPED(__COUNTER__, (CLUSTER, 1, 1), SET, IN, OUT, NAME, __VA_ARGS__)
#define SHAPED(ID, ...) NUMBERED(ID, __VA_ARGS__)
#define UNPACK(...) __VA_ARGS__
#define NUMBERED(ID, SHAPE, SET, IN, OUT, NAME, ...)                                           \
    struct Operation##ID {                                                                     \
        using In = IN;                                                                         \
        using Out = OUT;                                                                       \
        static constexpr int SINCE = 90;                                                       \
        static __device__ void run(const In* in, Out* out, int block) {                        \
            const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; \
            const int i = block * 128 + t;                                                     \
            const u32 next = (rank() + 1) % CLUSTER;                                           \
            __VA_ARGS__;                                                                       \
        }                                                                                      \
    };                                                                                         \
    static const bool added##ID = add_cluster<Operation##ID, UNPACK SHAPE>(NAME, opcodes::Set::SET)

// What the thread's word in the next block held before, and what one's own holds once the block before has
// been there.
#define FAR(SET, T, OUT, NAME, C, ...)                                                                       \
    OF_CLUSTER(SET, T, OUT, NAME, __shared__ T own[128]; own[t] = in[i]; const T b = in[opcodes::CASES + i]; \
               const T c = in[2 * opcodes::CASES + i]; const u32 p = far_address(own + t, next); T d = 0;    \
               meet(); __VA_ARGS__; meet(); out[i] = {d, own[t]}; (void)b; (void)c)
#define FAR_WORD(I, ...)           \
    FAR(words, u32, Words, I, "r", \
        asm volatile(I " %0, [%1], " __VA_ARGS__ ";" : "=r"(d) : "r"(p), "r"(b), "r"(c) : "memory"))
#define FAR_LONG(I, ...)           \
    FAR(longs, u64, Longs, I, "l", \
        asm volatile(I " %0, [%1], " __VA_ARGS__ ";" : "=l"(d) : "r"(p), "l"(b), "l"(c) : "memory"))
#define FAR_WORD_RED(I) \
    FAR(words, u32, Words, I, "r", asm volatile(I " [%0], %1;" ::"r"(p), "r"(b) : "memory"))
#define FAR_LONG_RED(I) \
    FAR(longs, u64, Longs, I, "l", asm volatile(I " [%0], %1;" ::"r"(p), "l"(b) : "memory"))
#define WORD(OP)                                \
    FAR_WORD("atom.shared::cluster." OP, "%2"); \
    FAR_WORD_RED("red.shared::cluster." OP)
#define LONG(OP)                                \
    FAR_LONG("atom.shared::cluster." OP, "%2"); \
    FAR_LONG_RED("red.shared::cluster." OP)

WORD("add.u32");
WORD("add.s32");
WORD("add.f32");
WORD("add.noftz.f16x2");
WORD("add.noftz.bf16x2");
WORD("min.s32");
WORD("max.s32");
WORD("min.u32");
WORD("max.u32");
WORD("inc.u32");
WORD("dec.u32");
WORD("and.b32");
WORD("or.b32");
WORD("xor.b32");
LONG("add.u64");
LONG("add.f64");
LONG("min.s64");
LONG("max.s64");
LONG("min.u64");
LONG("max.u64");
LONG("and.b64");
LONG("or.b64");
LONG("xor.b64");
FAR_WORD("atom.shared::cluster.exch.b32", "%2");
FAR_LONG("atom.shared::cluster.exch.b64", "%2");
FAR_WORD("atom.relaxed.cluster.shared::cluster.add.u32", "%2");
FAR_WORD("atom.acq_rel.cluster.shared::cluster.add.u32", "%2");
FAR_WORD("atom.acquire.gpu.shared::cluster.exch.b32", "%2");
FAR_WORD_RED("red.release.cluster.shared::cluster.add.u32");
// Where the third input is even, with what the word holds.
FAR(words, u32, Words, "atom.shared::cluster.cas.b32", "r",
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(d) : "r"(p) : "memory");
    asm volatile("atom.shared::cluster.cas.b32 %0, [%1], %2, %3;" : "=r"(d) : "r"(p), "r"(c & 1 ? c : d),
                 "r"(b) : "memory"));
FAR(longs, u64, Longs, "atom.shared::cluster.cas.b64", "l",
    asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(d) : "r"(p) : "memory");
    asm volatile("atom.shared::cluster.cas.b64 %0, [%1], %2, %3;" : "=l"(d) : "r"(p), "l"(c & 1 ? c : d),
                 "l"(b) : "memory"));

// Loads and stores.
#define LOAD(I) FAR(words, u32, Words, I, "r", asm volatile(I " %0, [%1];" : "=r"(d) : "r"(p) : "memory"))
#define STORE(I) FAR(words, u32, Words, I, "r", asm volatile(I " [%0], %1;" ::"r"(p), "r"(b) : "memory"))
LOAD("ld.shared::cluster.u8");
LOAD("ld.shared::cluster.s8");
LOAD("ld.shared::cluster.u16");
LOAD("ld.shared::cluster.s16");
LOAD("ld.shared::cluster.u32");
LOAD("ld.volatile.shared::cluster.u32");
LOAD("ld.relaxed.cluster.shared::cluster.u32");
LOAD("ld.acquire.cluster.shared::cluster.u32");
STORE("st.shared::cluster.u8");
STORE("st.shared::cluster.u16");
STORE("st.shared::cluster.u32");
STORE("st.volatile.shared::cluster.u32");
STORE("st.relaxed.cluster.shared::cluster.u32");
STORE("st.release.cluster.shared::cluster.u32");
FAR(longs, u64, Longs, "ld.shared::cluster.u64", "l",
    asm volatile("ld.shared::cluster.u64 %0, [%1];" : "=l"(d) : "r"(p) : "memory"));
FAR(longs, u64, Longs, "st.shared::cluster.u64", "l",
    asm volatile("st.shared::cluster.u64 [%0], %1;" ::"r"(p), "l"(b) : "memory"));
OF_CLUSTER(words, u32, uint4, "ld.shared::cluster.v4.u32", __shared__ uint4 own[128]; const u32 a = in[i];
           own[t] = make_uint4(a, a ^ 1, ~a, a + 7); const u32 p = far_address(own + (t ^ 5), next); uint4 d;
           meet(); asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(d.x), "=r"(d.y),
                                "=r"(d.z), "=r"(d.w) : "r"(p) : "memory");
           meet(); out[i] = d);
OF_CLUSTER(words, u32, uint4, "st.shared::cluster.v4.u32", __shared__ uint4 own[128]; const u32 a = in[i];
           const u32 p = far_address(own + (t ^ 5), next); meet();
           asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(p), "r"(a), "r"(a ^ 1),
                        "r"(~a), "r"(a + 7) : "memory");
           meet(); out[i] = own[t]);
// By generic addresses: each lane another block's, some of them one's own, or global memory.
OF_CLUSTER(words, u32, u32, "generic loads of several blocks", __shared__ u32 own[128]; own[t] = in[i];
           meet(); const u32 b = in[opcodes::CASES + i];
           const u32* p = b % 5 == 4 ? in + i : far_pointer(own, b % 5) + b % 128; out[i] = *p; meet());
OF_CLUSTER(words, u32, u32, "generic stores to several blocks", __shared__ u32 own[128]; meet();
           far_pointer(own, (rank() + t) % CLUSTER)[t] = in[i]; meet(); out[i] = own[t]);
OF_CLUSTER(words, u32, u32, "generic atomics on several blocks", __shared__ u32 own[128]; own[t] = 0; meet();
           atomicAdd(far_pointer(own, in[i] % CLUSTER) + (in[i] >> 3) % 128, 1 + rank()); meet();
           out[i] = own[t]);
OF_CLUSTER(words, u32, u32, "a counter of the cluster", __shared__ u32 own; if (t == 0) own = 0; meet();
           atomicAdd(far_pointer(&own, 0), 1u); meet(); out[i] = *far_pointer(&own, 0); meet());

// Addresses.
OF_CLUSTER(words, u32, u32, "mapa.shared::cluster.u32", __shared__ u32 own[128];
           out[i] = far_address(own + t, in[i] % CLUSTER) - far_address(own, next));
OF_CLUSTER(words, u32, u32, "mapa.u64", __shared__ u32 own[128];
           out[i] = u32(reinterpret_cast<u64>(far_pointer(own + t, in[i] % CLUSTER)) -
                        reinterpret_cast<u64>(own)));
OF_CLUSTER(words, u32, u32, "getctarank.u64", __shared__ u32 own[128]; u32 d;
           asm volatile("getctarank.u64 %0, %1;" : "=r"(d) : "l"(far_pointer(own + t, in[i] % CLUSTER)));
           out[i] = d);
OF_CLUSTER(words, u32, u32, "getctarank.shared::cluster.u32", __shared__ u32 own[128]; u32 d;
           asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(d) : "r"(
               far_address(own + t, in[i] % CLUSTER)));
           out[i] = d);
#define IS(SPACE)                                                                                           \
    OF_CLUSTER(                                                                                             \
        words, u32, u32, "isspacep." SPACE, __shared__ u32 own[128]; own[t] = in[i]; u32 d;                 \
        const u32 b = in[opcodes::CASES + i]; const u32* p = b % 5 == 4 ? in + i : far_pointer(own, b % 5); \
        asm volatile("{.reg .pred p; isspacep." SPACE " p, %1; selp.u32 %0, 1, 0, p;}" : "=r"(d) : "l"(p)); \
        out[i] = d)
IS("shared");
IS("shared::cta");
IS("shared::cluster");
IS("global");
IS("local");

// Barriers: what each half orders.
#define BARRIER(NAME, ARRIVE, WAIT)                                                      \
    OF_CLUSTER(words, u32, u32, NAME, __shared__ u32 own[128]; own[t] = in[i];           \
               asm volatile(ARRIVE :: : "memory"); u32 a = in[opcodes::CASES + i] * 3;   \
               asm volatile(WAIT :: : "memory"); a ^= *far_pointer(own + (t ^ 3), next); \
               asm volatile(ARRIVE :: : "memory"); a += in[i]; asm volatile(WAIT :: : "memory"); out[i] = a)
BARRIER("barrier.cluster.arrive", "barrier.cluster.arrive;", "barrier.cluster.wait;");
BARRIER("barrier.cluster.arrive.release", "barrier.cluster.arrive.release;", "barrier.cluster.wait.acquire;");
BARRIER("barrier.cluster.arrive.release.aligned", "barrier.cluster.arrive.release.aligned;",
        "barrier.cluster.wait.acquire.aligned;");
BARRIER("barrier.cluster.arrive.relaxed", "fence.acq_rel.cluster;\nbarrier.cluster.arrive.relaxed;",
        "barrier.cluster.wait;");
BARRIER("barrier.cluster.arrive.relaxed.aligned",
        "fence.sc.cluster;\nbarrier.cluster.arrive.relaxed.aligned;", "barrier.cluster.wait.aligned;");
OF_CLUSTER(words, u32, u32, "barrier.cluster with warps that have ended", __shared__ u32 own[128];
           own[t] = in[i]; out[i] = 5; meet(); if (t < 32 * (rank() % 3)) return;
           const u32 a = *far_pointer(own + t, next); meet(); out[i] = a);

// mbarriers of other blocks.
#define MBARRIER(NAME, COUNT, ...)                                                                           \
    OF_CLUSTER(                                                                                              \
        words, u32, uint4, NAME, __shared__ alignas(8) u64 bar; __shared__ uint4 own[128];                   \
        const u32 b = own_address(&bar); const u32 f = far_address(&bar, next);                              \
        const u32 p = far_address(own + t, next); const u32 a = in[i]; own[t] = make_uint4(1, 2, 3, 4);      \
        if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(COUNT) : "memory"); \
        asm volatile("fence.mbarrier_init.release.cluster;" :: : "memory"); meet(); __VA_ARGS__;             \
        wait_for(b, 0); out[i] = own[t]; meet(); (void)a; (void)p)
#define ARRIVE(NAME, COUNT, ...)                                                \
    MBARRIER(NAME, COUNT, *far_pointer(own + t, next) = make_uint4(a, 1, a, t); \
             asm volatile(__VA_ARGS__ : "memory"))
ARRIVE("mbarrier.arrive.release.cluster, far", 128,
       "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(f));
ARRIVE("mbarrier.arrive.release.cluster with count, far", 384,
       "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0], 3;" ::"r"(f));
ARRIVE("mbarrier.arrive_drop.release.cluster, far", 128,
       "mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(f));
ARRIVE("mbarrier.arrive.expect_tx and complete_tx, far", 128,
       "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [%0], 16;\n"
       "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 16;" ::"r"(f));
ARRIVE("mbarrier.expect_tx, far", 128,
       "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%0], 8;\n"
       "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];\n"
       "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%0], 8;" ::"r"(f));
#define ASYNC(NAME, BYTES, ...)                                                                             \
    MBARRIER(                                                                                               \
        NAME, 128,                                                                                          \
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], " #BYTES ";" ::"r"(b) : "memory"); \
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes" __VA_ARGS__ : "memory"))
ASYNC("st.async.b32", 4, ".b32 [%0], %1, [%2];" ::"r"(p), "r"(a), "r"(f));
ASYNC("st.async.b64", 8, ".b64 [%0], %1, [%2];" ::"r"(p), "l"(u64(a) << 32 | ~a), "r"(f));
ASYNC("st.async.v2.b32", 8, ".v2.b32 [%0], {%1, %2}, [%3];" ::"r"(p), "r"(a), "r"(a ^ 9), "r"(f));
ASYNC("st.async.v4.b32", 16, ".v4.b32 [%0], {%1, %2, %3, %1}, [%4];" ::"r"(p), "r"(a), "r"(a ^ 9), "r"(~a),
      "r"(f));

// Bulk copies: from a block to another, and from global memory to several.
OF_CLUSTER(
    words, u32, u32, "cp.async.bulk.shared::cluster.shared::cta", __shared__ alignas(16) u32 own[128];
    __shared__ alignas(16) u32 got[128]; __shared__ alignas(8) u64 bar; own[t] = in[i] + 3;
    const u32 b = own_address(&bar); if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(b) : "memory");
    } asm volatile("fence.proxy.async.shared::cta;" :: : "memory");
    meet(); if (t == 0) asm volatile(
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" ::"r"(
            far_address(got, next)),
        "r"(own_address(own)), "r"(far_address(&bar, next)) : "memory");
    wait_for(b, 0); out[i] = got[t]; meet());
OF_CLUSTER(
    words, u32, u32, "cp.async.bulk.shared::cluster.global, far", __shared__ alignas(16) u32 got[128];
    __shared__ alignas(8) u64 bar; const u32 b = own_address(&bar); if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 512;" ::"r"(b) : "memory");
    } meet();
    if (t == 0) asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 512, [%2];" ::"r"(
            far_address(got, next)),
        "l"(in + i), "r"(far_address(&bar, next)) : "memory");
    wait_for(b, 0); out[i] = got[t]; meet());
#define MULTICAST(NAME, MASK, BYTES)                                                                   \
    OF_CLUSTER(                                                                                        \
        words, u32, u32, NAME, __shared__ alignas(16) u32 got[4][32]; __shared__ alignas(8) u64 bar;   \
        got[t / 32][t % 32] = 1; const u32 b = own_address(&bar); const u32 r = rank(); if (t == 0) {  \
            asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");                \
            asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(BYTES) \
                         : "memory");                                                                  \
        } asm volatile("fence.proxy.async.shared::cta;" :: : "memory");                                \
        meet(); const u16 mask = MASK; if (t == 0 && mask != 0) asm volatile(                          \
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"                        \
            ".multicast::cluster [%0], [%1], 128, [%2], %3;" ::"r"(own_address(got[r])),               \
            "l"(in + i / 128 * 128 + 32 * r), "r"(b), "h"(mask) : "memory");                           \
        wait_for(b, 0); out[i] = got[t / 32][t % 32]; meet())
MULTICAST("cp.async.bulk.multicast::cluster to all", 15, 512);
MULTICAST("cp.async.bulk.multicast::cluster by one to two", r == 2 ? 6 : 0, (r == 1 || r == 2) * 128);
MULTICAST("cp.async.bulk.multicast::cluster to the block itself", 1 << r, 128);

// Special registers, in clusters of several shapes.
#define REGISTER(SHAPE, NAME)                                           \
    SHAPED(__COUNTER__, SHAPE, words, u32, u32, #SHAPE " " NAME, u32 d; \
           asm volatile("mov.u32 %0, %" NAME ";" : "=r"(d)); out[i] = d)
#define AXES(SHAPE, NAME)       \
    REGISTER(SHAPE, NAME ".x"); \
    REGISTER(SHAPE, NAME ".y"); \
    REGISTER(SHAPE, NAME ".z")
#define REGISTERS(SHAPE)                                                                              \
    AXES(SHAPE, "%cluster_ctaid");                                                                    \
    AXES(SHAPE, "%cluster_nctaid");                                                                   \
    AXES(SHAPE, "%clusterid");                                                                        \
    AXES(SHAPE, "%nclusterid");                                                                       \
    REGISTER(SHAPE, "%cluster_ctarank");                                                              \
    REGISTER(SHAPE, "%cluster_nctarank");                                                             \
    SHAPED(__COUNTER__, SHAPE, words, u32, u32, #SHAPE " %is_explicit_cluster", u32 d; asm volatile(  \
               "{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}" : "=r"(d)); \
           out[i] = d)
REGISTERS((1, 1, 1));
REGISTERS((2, 1, 1));
REGISTERS((3, 2, 1));
REGISTERS((1, 2, 2));
REGISTERS((2, 2, 2));
BLOCK_OPERATION(words, u32, u32, "no cluster %is_explicit_cluster", u32 d; asm volatile(
                    "{.reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p;}" : "=r"(d));
                out[i] = d);
BLOCK_OPERATION(words, u32, u32, "no cluster, its barrier", __shared__ u32 own[128]; own[t] = in[i]; meet();
                out[i] = own[t ^ 33] + rank());

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
