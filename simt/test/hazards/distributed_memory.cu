// Clusters: what else passes between the blocks of one: flags, sums and rows in distributed shared memory,
// fences of the cluster's scope, asynchronous stores and bulk copies to other blocks, a barrier that one
// block comes to alone.
#include <cuda/atomic>

#include "simt/test/hazards/cluster.h"
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64;

__device__ void meet(bool does) {
    if (does) cluster().sync();
}

enum class Flag { right, scope_of_block, no_release, no_acquire };

/// Block 0 hands a word to block 1 by a flag in block 1's shared memory.
template <Flag FLAG>
__global__ void __cluster_dims__(2) hand_over(int* out) {
    __shared__ int word, flag;
    if (threadIdx.x == 0) word = flag = 0;
    cluster().sync();
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        const unsigned to = unsigned(__cvta_generic_to_shared(&flag)) & 0xffffff;
        unsigned far;
        asm volatile("mapa.shared::cluster.u32 %0, %1, 1;" : "=r"(far) : "r"(to));
        *other(&word) = 42;
        if (FLAG == Flag::scope_of_block)
            asm volatile("st.release.cta.shared::cluster.u32 [%0], 1;" ::"r"(far) : "memory");
        else if (FLAG == Flag::no_release)
            asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" ::"r"(far) : "memory");
        else
            asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" ::"r"(far) : "memory");
    }
    if (threadIdx.x == 0 && blockIdx.x == 1) {
        const unsigned own = unsigned(__cvta_generic_to_shared(&flag));
        int set = 0;
        while (set == 0)
            if (FLAG == Flag::no_acquire)
                asm volatile("ld.relaxed.cluster.shared::cta.u32 %0, [%1];"
                             : "=r"(set)
                             : "r"(own)
                             : "memory");
            else
                asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];"
                             : "=r"(set)
                             : "r"(own)
                             : "memory");
        *out = word;
    }
    cluster().sync();
}
template <Flag FLAG>
std::string run_hand_over() {
    return result_of(hand_over<FLAG>, 2, 32, {42}, zeros(1));
}

enum class Sum { atomic, of_block, plain, zeroed_late };

/// All threads of the cluster count in one word of block 0.
template <Sum SUM>
__global__ void __cluster_dims__(2) count(int* out) {
    __shared__ int sum;
    if (SUM == Sum::zeroed_late) {
        if (threadIdx.x == 0) sum = 0;
        cluster().sync();
    }
    if (threadIdx.x == 0) sum = 0;
    if (SUM != Sum::zeroed_late) cluster().sync();
    int* const first = cluster().map_shared_rank(&sum, 0);
    if (SUM == Sum::of_block)
        atomicAdd_block(first, 1);
    else if (SUM == Sum::plain)
        *first += 1;
    else
        atomicAdd(first, 1);
    cluster().sync();
    if (blockIdx.x == 0 && threadIdx.x == 0) *out = sum;
}
template <Sum SUM, int COUNTING = THREADS>
std::string run_count() {
    return result_of(count<SUM>, 2, COUNTING, {2 * COUNTING}, zeros(1));
}

/// Each block passes its row on to the next one; with one row, a block overwrites what the next one still
/// reads.
template <int ROWS>
__global__ void __cluster_dims__(4) ring(int* out) {
    __shared__ int row[ROWS][THREADS];
    const int t = threadIdx.x, next = (cluster().block_rank() + 1) % 4;
    row[0][t] = 100 * blockIdx.x + t;
    cluster().sync();
    for (int round = 0; round < 3; ++round) {
        cluster().map_shared_rank(row[(round + 1) % ROWS], next)[t] = row[round % ROWS][(t + 1) % THREADS];
        cluster().sync();
    }
    out[blockIdx.x * THREADS + t] = row[3 % ROWS][t];
}
template <int ROWS>
std::string run_ring() {
    std::vector<int> values;
    for (int i = 0; i < 4 * THREADS; ++i) values.push_back(100 * ((i / THREADS + 1) % 4) + (i + 3) % THREADS);
    return result_of(ring<ROWS>, 4, THREADS, values, zeros(4 * THREADS));
}

/// The sums of blocks, added up by those that follow, as in a scan: `total` is written before the barrier, or
/// after.
template <bool AFTER>
__global__ void __cluster_dims__(4) offsets(int* out) {
    __shared__ int total;
    if (AFTER) {
        if (threadIdx.x == 0) total = 0;
        cluster().sync();
    }
    if (threadIdx.x == 0) total = 10 + blockIdx.x;
    if (!AFTER) cluster().sync();
    int sum = 0;
    for (unsigned rank = 0; rank < cluster().block_rank(); ++rank)
        sum += *cluster().map_shared_rank(&total, rank);
    cluster().sync();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
template <bool AFTER>
std::string run_offsets() {
    return result_of(offsets<AFTER>, 4, 32, {0, 10, 21, 33}, zeros(4));
}

/// A fence of the cluster, between the blocks of one or of two.
template <int SIZE>
__global__ void __cluster_dims__(SIZE) by_global_memory(int* word, int* flag, int* out) {
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *word = 42;
        asm volatile("fence.acq_rel.cluster;" ::: "memory");
        ready.store(1, cuda::memory_order_relaxed);
    } else {
        while (ready.load(cuda::memory_order_relaxed) == 0) {
        }
        asm volatile("fence.acq_rel.cluster;" ::: "memory");
        *out = *word;
    }
}
template <int SIZE>
std::string run_by_global_memory() {
    return result_of(by_global_memory<SIZE>, 2, 32, {42}, zeros(1), zeros(1), zeros(1));
}

/// Block 0 stores into block 1's memory asynchronously; block 1 waits at its mbarrier, or does not.
template <bool WAITS>
__global__ void __cluster_dims__(2) store_async(int* out) {
    __shared__ alignas(8) unsigned long long bar;
    __shared__ int own[THREADS];
    const int t = threadIdx.x;
    const unsigned b = unsigned(__cvta_generic_to_shared(&bar));
    own[t] = 0;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(b) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    cluster().sync();
    if (blockIdx.x == 0)
        asm volatile(
            "{.reg .b32 to, at; mapa.shared::cluster.u32 to, %0, 1; mapa.shared::cluster.u32 at, %1, 1;\n"
            "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [to], %2, [at];}" ::"r"(
                unsigned(__cvta_generic_to_shared(own + t))),
            "r"(b), "r"(3 * t + 1)
            : "memory");
    int got = 0;
    if (blockIdx.x == 1 && !WAITS) got = own[t];
    if (blockIdx.x == 1)
        asm volatile(
            "{.reg .pred p; again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n"
            "@!p bra again;}" ::"r"(b)
            : "memory");
    if (blockIdx.x == 1 && WAITS) got = own[t];
    cluster().sync();
    if (blockIdx.x == 1) out[t] = got;
}
template <bool WAITS>
std::string run_store_async() {
    return result_of(store_async<WAITS>, 2, THREADS, some_values(THREADS), zeros(THREADS));
}

/// A bulk copy to both blocks, which have read what it overwrites, or may not have.
template <bool MEETS>
__global__ void __cluster_dims__(2) multicast(const int* in, int* out) {
    __shared__ alignas(8) unsigned long long bar;
    __shared__ alignas(128) int own[THREADS];
    const int t = threadIdx.x;
    const unsigned b = unsigned(__cvta_generic_to_shared(&bar));
    own[t] = t;
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(b) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 256;" ::"r"(b) : "memory");
    }
    asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async;" ::: "memory");
    cluster().sync();
    const int before = own[THREADS - 1 - t];
    meet(MEETS);
    if (blockIdx.x == 0 && t == 0)
        asm volatile(
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
            "[%1], 256, [%2], %3;" ::"r"(unsigned(__cvta_generic_to_shared(own))),
            "l"(in), "r"(b), "h"(static_cast<unsigned short>(3))
            : "memory");
    asm volatile(
        "{.reg .pred p; again: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n"
        "@!p bra again;}" ::"r"(b)
        : "memory");
    out[blockIdx.x * THREADS + t] = own[t] + before;
    cluster().sync();
}
template <bool MEETS>
std::string run_multicast() {
    std::vector<int> values;
    for (int i = 0; i < 2 * THREADS; ++i) values.push_back(3 * (i % THREADS) + 1 + THREADS - 1 - i % THREADS);
    return result_of(multicast<MEETS>, 2, THREADS, values, some_values(THREADS), zeros(2 * THREADS));
}

/// Block 0 comes to the barrier once more than block 1, which waits for what follows there.
__global__ void __cluster_dims__(2) once_more(int* out) {
    __shared__ int flag;
    flag = 0;
    cluster().sync();
    if (blockIdx.x == 0) {
        cluster().sync();
        *other(&flag) = 1;
    } else {
        while (*static_cast<volatile int*>(&flag) == 0) {
        }
    }
    cluster().sync();
    *out = flag;
}
std::string run_once_more() { return result_of(once_more, 2, 1, {1}, zeros(1)); }

/// A rank as large as the cluster.
__global__ void __cluster_dims__(2) rank_beyond(int* out) {
    __shared__ int own;
    own = blockIdx.x;
    cluster().sync();
    if (blockIdx.x == 1) *out = *cluster().map_shared_rank(&own, cluster().block_rank() + 1);
    cluster().sync();
}
std::string run_rank_beyond() { return result_of(rank_beyond, 2, 1, {0}, zeros(1)); }

const Bench distributed_memory(
    "cluster",
    {
        {"far_flag", Expected::clean, "released and acquired in the cluster's scope",
         run_hand_over<Flag::right>},
        {"far_flag_of_block", Expected::race, "the release reaches threads of the block only",
         run_hand_over<Flag::scope_of_block>},
        {"far_flag_relaxed", Expected::race, "a relaxed store releases nothing",
         run_hand_over<Flag::no_release>},
        {"far_flag_no_acquire", Expected::missing_acquire, "a relaxed load acquires nothing",
         run_hand_over<Flag::no_acquire>},
        {"far_count", Expected::clean, "atomics of the device's scope", run_count<Sum::atomic>},
        {"far_count_of_block", Expected::race, "atomics of the block's scope, by two blocks",
         run_count<Sum::of_block>},
        {"far_count_plain", Expected::race, "a plain sum by two blocks", run_count<Sum::plain, 1>},
        {"far_count_zeroed_late", Expected::race, "the word is set to 0 after the barrier",
         run_count<Sum::zeroed_late>},
        {"ring", Expected::clean, "two rows take turns", run_ring<2>},
        {"ring_one_row", Expected::race, "a row is overwritten while its block reads it", run_ring<1>},
        {"block_sums", Expected::clean, "all sums are written before the barrier", run_offsets<false>},
        {"block_sums_late", Expected::race, "sums are written after the barrier", run_offsets<true>},
        {"cluster_fence", Expected::clean, "the fences' scope includes both blocks", run_by_global_memory<2>},
        {"cluster_fence_of_two", Expected::race, "the blocks are of two clusters", run_by_global_memory<1>},
        {"store_async", Expected::clean, "the block waits at its mbarrier", run_store_async<true>},
        {"store_async_no_wait", Expected::race, "it reads while the stores are in flight",
         run_store_async<false>},
        {"multicast", Expected::clean, "a barrier follows the reads of what is overwritten",
         run_multicast<true>},
        {"multicast_no_barrier", Expected::race, "the copy overwrites what the other block may still read",
         run_multicast<false>},
        {"cluster_barrier_once_more", Expected::deadlock,
         "one block comes to the barrier, the other does not", run_once_more, OnGpu::hangs},
        {"rank_beyond", Expected::out_of_bounds, "the cluster has no block of this rank", run_rank_beyond},
    });

}  // namespace
