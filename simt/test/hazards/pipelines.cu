// A pipeline: warp 0 loads chunks into a ring of spaces, warp 1 adds them up. A full barrier tells that a
// chunk has arrived, an empty barrier that it has been read. Requires sm_90.
#include "kernels/fast/detail/bulk_copy.cuh"
#include "simt/test/hazards/program.h"

using namespace hazards;

extern __shared__ __align__(128) char memory[];

namespace pipelines {

constexpr int CHUNK = 64, CHUNKS = 6, BYTES = CHUNK * sizeof(int), SPACES = 2;

enum class Defect {
    nothing,
    arrive_before_reading,       // at the empty barrier
    no_syncwarp_before_arrival,  // at the empty barrier, of lane 0 for its warp
    no_wait_on_empty,
    wait_on_full_too_late,  // after reading
};

/// A full and an empty barrier per stage: chunk c is in phase c / STAGES of stage c % STAGES. Only correct
/// waits and arrivals keep lanes and phases in step. So a faulty program gives every chunk barriers of its
/// own, which have one phase: STAGES is CHUNKS.
template <int STAGES>
struct Memory {
    alignas(128) int space[SPACES][CHUNK];
    Mbarrier full[STAGES], empty[STAGES];
};

template <Defect DEFECT, int STAGES>
__device__ void produce(Memory<STAGES>& own, const int* in) {
    for (int c = 0; c < CHUNKS; ++c) {
        const int before = c - SPACES;  // the chunk that was in this space
        if (DEFECT != Defect::no_wait_on_empty && before >= 0)
            own.empty[before % STAGES].wait(before / STAGES % 2);
        __syncwarp();  // all lanes have seen this phase before the load lets the next but one begin
        if (threadIdx.x == 0) {
            own.full[c % STAGES].arrive_expect_tx(BYTES);
            bulk_load(own.space[c % SPACES], in + c * CHUNK, BYTES, own.full[c % STAGES]);
        }
    }
}

template <Defect DEFECT, int STAGES>
__device__ int consume(Memory<STAGES>& own) {
    const int lane = threadIdx.x % 32;
    int sum = 0;
    for (int c = 0; c < CHUNKS; ++c) {
        const int stage = c % STAGES;
        if (DEFECT != Defect::wait_on_full_too_late) own.full[stage].wait(c / STAGES % 2);
        if (DEFECT == Defect::arrive_before_reading && lane == 0) own.empty[stage].arrive();
        sum += own.space[c % SPACES][lane] + own.space[c % SPACES][lane + 32];
        if (DEFECT == Defect::wait_on_full_too_late) own.full[stage].wait(c / STAGES % 2);
        if (DEFECT != Defect::no_syncwarp_before_arrival) __syncwarp();
        if (DEFECT != Defect::arrive_before_reading && lane == 0) own.empty[stage].arrive();
    }
    return sum;
}

template <Defect DEFECT, int STAGES>
__global__ void sum_chunks(const int* in, int* out) {
    auto& own = *reinterpret_cast<Memory<STAGES>*>(memory);
    const int t = threadIdx.x;
    for (int s = 0; s < SPACES; ++s) own.space[s][t] = 0;
    fence_proxy_async();
    if (t < STAGES) {
        own.full[t].init(1);
        own.empty[t].init(1);
    }
    fence_mbarrier_init();
    __syncthreads();
    if (t < 32)
        produce<DEFECT>(own, in);
    else
        out[t - 32] = consume<DEFECT>(own);
}

template <Defect DEFECT, int STAGES = SPACES>
std::string run_sum_chunks() {
    const std::vector<int> values = some_values(CHUNKS * CHUNK);
    Device<int> in(values), out(zeros(32));
    run_with_memory(sum_chunks<DEFECT, STAGES>, 1, 64, sizeof(Memory<STAGES>), in.data(), out.data());
    std::vector<int> sums(32);
    for (int i = 0; i < CHUNKS * CHUNK; ++i) sums[i % 32] += values[i];
    return difference(out.read(), sums);
}

const Bench pipelines(
    "pipeline",
    {
        {"pipeline", Expected::clean, "full before a chunk is read, empty before its space is loaded again",
         run_sum_chunks<Defect::nothing>},
        {"pipeline_own_barriers", Expected::clean, "the same with barriers of one phase each",
         run_sum_chunks<Defect::nothing, CHUNKS>},
        {"pipeline_early_arrival", Expected::race, "a space is given back before it is read",
         run_sum_chunks<Defect::arrive_before_reading, CHUNKS>},
        {"pipeline_no_syncwarp", Expected::race, "lane 0 gives back what other lanes still read",
         run_sum_chunks<Defect::no_syncwarp_before_arrival, CHUNKS>},
        {"pipeline_no_wait_on_empty", Expected::race, "a space is loaded again while it is read",
         run_sum_chunks<Defect::no_wait_on_empty, CHUNKS>},
        {"pipeline_wait_too_late", Expected::race, "a chunk is read while it is in flight",
         run_sum_chunks<Defect::wait_on_full_too_late, CHUNKS>},
    });

}  // namespace pipelines
