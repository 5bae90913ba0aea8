// mbarriers: an arrival releases what the thread wrote, a wait acquires it; a bulk load's bytes are there for
// those who waited for its phase. Requires sm_90.
#include "kernels/fast/detail/bulk_copy.cuh"
#include "simt/test/hazards/program.h"

using namespace hazards;

extern __shared__ __align__(128) char memory[];

namespace mbarriers {

constexpr int THREADS = 64, BYTES = THREADS * sizeof(int);

struct Memory {
    alignas(128) int space[THREADS];
    Mbarrier full;
};

/// An initialised barrier, and a space of zeros that the copy engine may overwrite.
template <bool PROXY_FENCE = true>
__device__ Memory& prepare(unsigned arrivals) {
    Memory& own = *reinterpret_cast<Memory*>(memory);
    if (threadIdx.x == 0) own.full.init(arrivals);
    own.space[threadIdx.x] = 0;
    if (PROXY_FENCE) fence_proxy_async();
    fence_mbarrier_init();
    __syncthreads();
    return own;
}

/// Warp 0 writes, and arrives at a barrier for which warp 1 waits.
enum class Arrival { by_all, by_one, by_one_unsynchronised, before_write, by_none };

template <Arrival ARRIVAL>
__global__ void hand_over(int* out) {
    Memory& own = prepare(ARRIVAL == Arrival::by_all || ARRIVAL == Arrival::before_write ? 32 : 1);
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        if (ARRIVAL == Arrival::before_write) own.full.arrive();
        own.space[lane] = lane + 1;
        if (ARRIVAL == Arrival::by_all) own.full.arrive();
        if (ARRIVAL == Arrival::by_one) __syncwarp();
        if ((ARRIVAL == Arrival::by_one || ARRIVAL == Arrival::by_one_unsynchronised) && lane == 0)
            own.full.arrive();
    } else {
        own.full.wait(0);
        out[lane] = own.space[31 - lane];
    }
}

template <Arrival ARRIVAL>
std::string run_hand_over() {
    Device<int> out(zeros(32));
    run_with_memory(hand_over<ARRIVAL>, 1, THREADS, sizeof(Memory), out.data());
    std::vector<int> expected;
    for (int lane = 0; lane < 32; ++lane) expected.push_back(32 - lane);
    return difference(out.read(), expected);
}

/// Thread 0 loads a tile, which all threads read.
enum class Defect {
    nothing,
    wait_too_late,           // after the reads
    wait_by_one_warp,        // a barrier of the block follows
    wait_by_one_warp_alone,  // none does
    no_arrival,              // nor an announcement of the bytes
    no_proxy_fence,          // after the writes that the load overwrites
    source_too_short,        // by 16 bytes
    size_not_multiple_of_16,
};

template <Defect DEFECT>
__global__ void load(const int* in, int* out) {
    constexpr bool fenced = DEFECT != Defect::no_proxy_fence;
    Memory& own = prepare<fenced>(1);
    const int t = threadIdx.x;
    const unsigned bytes = DEFECT == Defect::size_not_multiple_of_16 ? BYTES - 4 : BYTES;
    if (t == 0) {
        if (DEFECT != Defect::no_arrival) own.full.arrive_expect_tx(bytes);
        bulk_load(own.space, in, bytes, own.full);
    }
    const bool one_warp = DEFECT == Defect::wait_by_one_warp || DEFECT == Defect::wait_by_one_warp_alone;
    if (DEFECT != Defect::wait_too_late && (!one_warp || t < 32)) own.full.wait(0);
    if (DEFECT == Defect::wait_by_one_warp) __syncthreads();
    out[t] = own.space[THREADS - 1 - t];
    if (DEFECT == Defect::wait_too_late) own.full.wait(0);
}

template <Defect DEFECT>
std::string run_load() {
    const std::vector<int> values = some_values(THREADS);
    Device<int> in(DEFECT == Defect::source_too_short ? some_values(THREADS - 4) : values);
    Device<int> out(zeros(THREADS));
    run_with_memory(load<DEFECT>, 1, THREADS, sizeof(Memory), in.data(), out.data());
    return difference(out.read(), reversed(values));
}

const Bench mbarriers(
    "mbarrier",
    {
        {"arrivals_of_all", Expected::clean, "every writer arrives", run_hand_over<Arrival::by_all>},
        {"arrival_of_one", Expected::clean, "__syncwarp orders the writes before the one arrival",
         run_hand_over<Arrival::by_one>},
        {"arrival_of_one_unsynchronised", Expected::race, "lane 0's arrival releases what it wrote itself",
         run_hand_over<Arrival::by_one_unsynchronised>},
        {"arrivals_before_writes", Expected::race, "an arrival releases only what precedes it",
         run_hand_over<Arrival::before_write>},
        {"arrival_of_none", Expected::deadlock, "no thread arrives, so the phase never completes",
         run_hand_over<Arrival::by_none>, OnGpu::hangs},
        {"load", Expected::clean, "every thread waits for the load", run_load<Defect::nothing>},
        {"load_wait_too_late", Expected::race, "threads read while the load is in flight",
         run_load<Defect::wait_too_late>},
        {"load_wait_and_barrier", Expected::clean, "a barrier passes on what the first warp waited for",
         run_load<Defect::wait_by_one_warp>},
        {"load_wait_of_one_warp", Expected::race, "the second warp does not wait",
         run_load<Defect::wait_by_one_warp_alone>},
        {"load_no_arrival", Expected::deadlock, "a load alone completes no phase",
         run_load<Defect::no_arrival>, OnGpu::hangs},
        {"load_no_proxy_fence", Expected::race, "the load overwrites what threads wrote just before",
         run_load<Defect::no_proxy_fence>},
        {"load_too_long", Expected::out_of_bounds, "the load reads past the end of the vector",
         run_load<Defect::source_too_short>},
        {"load_of_252_bytes", Expected::deadlock,
         "a bulk copy has a multiple of 16 bytes: 240 come, 252 are awaited",
         run_load<Defect::size_not_multiple_of_16>, OnGpu::hangs},
    });

}  // namespace mbarriers
