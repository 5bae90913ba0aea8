// A reduction in one launch: each block writes its part and takes a ticket; the block with the last ticket
// adds the parts of all blocks.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64, BLOCKS = 4;

enum class Defect {
    nothing,
    no_releasing_fence,
    releasing_fence_in_block,
    no_acquiring_fence,  // as in NVIDIA's sample threadFenceReduction
    plain_ticket,
    ticket_before_last,
    no_barrier_before_ticket,
    no_barrier_after_ticket,
};

template <Defect DEFECT>
__global__ void sum_all(const int* in, int* parts, int* tickets, int* total) {
    __shared__ bool last;
    const int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    if (t == 0) last = false;
    __syncthreads();

    parts[i] = 2 * in[i];
    if (DEFECT != Defect::no_barrier_before_ticket) __syncthreads();
    if (t == 0) {
        if (DEFECT == Defect::releasing_fence_in_block)
            __threadfence_block();
        else if (DEFECT != Defect::no_releasing_fence)
            __threadfence();
        const int ticket = DEFECT == Defect::plain_ticket ? (*tickets)++ : atomicAdd(tickets, 1);
        last = ticket == BLOCKS - (DEFECT == Defect::ticket_before_last ? 2 : 1);
        if (DEFECT != Defect::no_acquiring_fence) __threadfence();
    }
    if (DEFECT != Defect::no_barrier_after_ticket) __syncthreads();

    if (last) {
        int sum = 0;
        for (int block = 0; block < BLOCKS; ++block) sum += parts[block * THREADS + t];
        atomicAdd(total, sum);
    }
}

template <Defect DEFECT>
std::string run_sum_all() {
    const std::vector<int> values = some_values(BLOCKS * THREADS);
    Device<int> in(values), parts(zeros(BLOCKS * THREADS)), tickets(zeros(1)), total(zeros(1));
    run(sum_all<DEFECT>, BLOCKS, THREADS, in.data(), parts.data(), tickets.data(), total.data());
    int sum = 0;
    for (const int value : values) sum += 2 * value;
    return difference(total.read(), {sum});
}

const Bench last_block(
    "last block",
    {
        {"last_block", Expected::clean, "barrier, fence, ticket, fence, barrier: parts precede their sum",
         run_sum_all<Defect::nothing>},
        {"last_block_no_release", Expected::race, "the ticket may be seen before the parts",
         run_sum_all<Defect::no_releasing_fence>},
        {"last_block_no_acquire", Expected::missing_acquire, "the parts may be read before the ticket",
         run_sum_all<Defect::no_acquiring_fence>},
        {"last_block_plain_ticket", Expected::race, "blocks increment the ticket plainly",
         run_sum_all<Defect::plain_ticket>},
        {"last_block_off_by_one", Expected::race, "the last block but one adds before the last has written",
         run_sum_all<Defect::ticket_before_last>},
        {"last_block_no_barrier_before", Expected::race,
         "thread 0's fence releases only what it wrote itself",
         run_sum_all<Defect::no_barrier_before_ticket>},
        {"last_block_no_barrier_after", Expected::race, "others read whether they are last too early",
         run_sum_all<Defect::no_barrier_after_ticket>},
    });

}  // namespace
