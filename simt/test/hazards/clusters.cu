// Clusters: blocks that access one another's shared memory. Their barrier orders them, as the block's does
// its threads; a block must have begun before others access its memory, and not end before they have (CUDA
// C++ Programming Guide, "Distributed Shared Memory"; PTX ISA, "barrier.cluster").
#include "simt/test/hazards/cluster.h"
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64;

enum class Defect {
    nothing,
    no_first,       // barrier: the blocks need not have begun
    no_middle,      // between writes and reads
    block_barrier,  // in its place
    no_last         // a block may end before the other has read
};

__device__ void meet(bool does) {
    if (does) cluster().sync();
}

/// Each block reads what the other has written into its own memory.
template <Defect DEFECT>
__global__ void __cluster_dims__(2) pull(int* out) {
    __shared__ int own[THREADS];
    const int t = threadIdx.x;
    own[t] = 0;
    meet(DEFECT == Defect::no_middle || DEFECT == Defect::block_barrier);
    own[t] = 100 * blockIdx.x + t;
    if (DEFECT == Defect::block_barrier) __syncthreads();
    meet(DEFECT != Defect::no_middle && DEFECT != Defect::block_barrier);
    const int got = other(own)[THREADS - 1 - t];
    meet(DEFECT != Defect::no_last);
    out[blockIdx.x * THREADS + t] = got;
}

/// Each block writes into the other's memory, and then reads its own.
template <Defect DEFECT>
__global__ void __cluster_dims__(2) push(int* out) {
    __shared__ int own[THREADS];
    const int t = threadIdx.x;
    if (DEFECT == Defect::no_middle || DEFECT == Defect::block_barrier) own[t] = 0;
    meet(DEFECT != Defect::no_first);
    other(own)[t] = 100 * (blockIdx.x ^ 1) + THREADS - 1 - t;
    if (DEFECT == Defect::block_barrier) __syncthreads();
    meet(DEFECT != Defect::no_middle && DEFECT != Defect::block_barrier);
    out[blockIdx.x * THREADS + t] = own[t];
    meet(DEFECT == Defect::no_middle || DEFECT == Defect::block_barrier);
}

std::vector<int> exchanged() {
    std::vector<int> values;
    for (int i = 0; i < 2 * THREADS; ++i)
        values.push_back(100 * (1 - i / THREADS) + THREADS - 1 - i % THREADS);
    return values;
}
std::vector<int> pushed() {
    std::vector<int> values;
    for (int i = 0; i < 2 * THREADS; ++i) values.push_back(100 * (i / THREADS) + THREADS - 1 - i % THREADS);
    return values;
}
template <Defect DEFECT>
std::string run_pull() {
    return result_of(pull<DEFECT>, 2, THREADS, exchanged(), zeros(2 * THREADS));
}
template <Defect DEFECT>
std::string run_push() {
    return result_of(push<DEFECT>, 2, THREADS, pushed(), zeros(2 * THREADS));
}

enum class Halves { right, write_between, read_between, twice, no_arrival };

/// The two halves of the barrier.
template <Halves HALVES>
__global__ void __cluster_dims__(2) split(int* out) {
    __shared__ int own[THREADS];
    const int t = threadIdx.x;
    auto group = cluster();
    own[t] = 0;
    group.sync();
    int got = 0;
    if (HALVES != Halves::write_between) own[t] = 100 * blockIdx.x + t;
    if (HALVES != Halves::no_arrival) group.barrier_arrive();
    if (HALVES == Halves::twice) asm volatile("barrier.cluster.arrive;" ::: "memory");
    if (HALVES == Halves::write_between) own[t] = 100 * blockIdx.x + t;
    if (HALVES == Halves::read_between) got = other(own)[THREADS - 1 - t];
    asm volatile("barrier.cluster.wait;" ::: "memory");
    if (HALVES != Halves::read_between && HALVES != Halves::no_arrival) got = other(own)[THREADS - 1 - t];
    group.sync();
    out[blockIdx.x * THREADS + t] = got;
}
template <Halves HALVES>
std::string run_split() {
    return result_of(split<HALVES>, 2, THREADS, exchanged(), zeros(2 * THREADS));
}

enum class Fence { none, block, cluster };

/// An arrival that releases nothing, with a fence before it or without.
template <Fence FENCE>
__global__ void __cluster_dims__(2) relaxed(int* out) {
    __shared__ int own[THREADS];
    const int t = threadIdx.x;
    cluster().sync();
    own[t] = 100 * blockIdx.x + t;
    if (FENCE == Fence::block) asm volatile("fence.acq_rel.cta;" ::: "memory");
    if (FENCE == Fence::cluster) asm volatile("fence.acq_rel.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
    asm volatile("barrier.cluster.wait;" ::: "memory");
    const int got = other(own)[THREADS - 1 - t];
    cluster().sync();
    out[blockIdx.x * THREADS + t] = got;
}
template <Fence FENCE>
std::string run_relaxed() {
    return result_of(relaxed<FENCE>, 2, THREADS, exchanged(), zeros(2 * THREADS));
}

const Bench clusters(
    "cluster",
    {
        {"pull", Expected::clean, "barriers before the reads and after them", run_pull<Defect::nothing>},
        {"pull_no_barrier", Expected::race, "nothing orders a block's writes and the other's reads",
         run_pull<Defect::no_middle>},
        {"pull_block_barrier", Expected::race, "__syncthreads() orders no other block's threads",
         run_pull<Defect::block_barrier>},
        {"pull_no_last_barrier", Expected::block_lifetime,
         "a block may end while the other one still reads from it", run_pull<Defect::no_last>},
        {"push", Expected::clean, "a barrier before the writes and one after them",
         run_push<Defect::nothing>},
        {"push_no_first_barrier", Expected::block_lifetime, "the block that is written to may not have begun",
         run_push<Defect::no_first>},
        {"push_no_barrier", Expected::race, "a block reads while the other one writes",
         run_push<Defect::no_middle>},
        {"push_block_barrier", Expected::race, "__syncthreads() orders no other block's threads",
         run_push<Defect::block_barrier>},
        {"split_barrier", Expected::clean, "the writes precede the arrival, the reads follow the wait",
         run_split<Halves::right>},
        {"split_write_between", Expected::race, "an arrival releases what precedes it",
         run_split<Halves::write_between>},
        {"split_read_between", Expected::race, "who has arrived has not waited yet",
         run_split<Halves::read_between>},
        {"split_arrival_twice", Expected::divergent_barrier, "a wait must lie between two arrivals",
         run_split<Halves::twice>},
        {"split_no_arrival", Expected::divergent_barrier, "a wait without an arrival",
         run_split<Halves::no_arrival>},
        {"relaxed_arrival_fence", Expected::clean, "a fence of the cluster precedes the arrival",
         run_relaxed<Fence::cluster>},
        {"relaxed_arrival", Expected::race, "a relaxed arrival releases nothing", run_relaxed<Fence::none>},
        {"relaxed_arrival_block_fence", Expected::race, "the fence reaches threads of the block only",
         run_relaxed<Fence::block>},
    });

}  // namespace
