// Faults that one schedule hides: the machine runs each program under several (simt-run --seeds). A race that
// only comes about if another block is first; work of a stream that the host does not wait for, which is
// often done by then.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int N = 256;

/// Who comes second reads what the first has left if that was block 1. ATOMIC: by atomics.
template <bool ATOMIC>
__global__ void hand_over_if_first(int* ticket, int* box, int* out) {
    const bool is_first = atomicAdd(ticket, 1) == 0;
    if (blockIdx.x == 1 && is_first) {
        if (ATOMIC)
            atomicExch(box, 42);
        else
            *box = 42;
    }
    if (blockIdx.x == 0 && !is_first) *out = ATOMIC ? atomicAdd(box, 0) : *box;
}

template <bool ATOMIC>
std::string run_hand_over_if_first() {
    Device<int> ticket(zeros(1)), box(zeros(1)), out(zeros(1));
    run(hand_over_if_first<ATOMIC>, 2, 1, ticket.data(), box.data(), out.data());
    return difference(ticket.read(), {2});
}

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }

enum class Waits { for_the_work, for_other_work, not_at_all };
enum class Reads { pinned, managed };

/// The host reads what a kernel writes into managed memory, or a copy into pinned memory.
template <Waits WAITS, Reads READS>
std::string run_host_read() {
    cudaStream_t stream, other;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    Device<int> vector(zeros(N)), elsewhere(zeros(N));
    int* read = nullptr;
    if (READS == Reads::managed)
        check(cudaMallocManaged(&read, N * sizeof(int)));
    else
        check(cudaMallocHost(&read, N * sizeof(int)));
    for (int i = 0; i < N; ++i) read[i] = 0;
    check(launch(fill, 1, N, stream, READS == Reads::managed ? read : vector.data(), 42));
    if (READS == Reads::pinned)
        check(cudaMemcpyAsync(read, vector.data(), N * sizeof(int), cudaMemcpyDeviceToHost, stream));
    check(launch(fill, 1, N, other, elsewhere.data(), 42));
    if (WAITS != Waits::not_at_all)
        check(cudaStreamSynchronize(WAITS == Waits::for_the_work ? stream : other));
    const std::vector<int> found(read, read + N);
    check(cudaDeviceSynchronize());
    check(READS == Reads::managed ? cudaFree(read) : cudaFreeHost(read));
    check(cudaStreamDestroy(stream));
    check(cudaStreamDestroy(other));
    return difference(found, repeated(N, 42));
}

const Bench schedules("schedules",
                      {
                          {"if_first_atomically", Expected::clean, "atomics do not race, whoever comes first",
                           run_hand_over_if_first<true>},
                          {"if_first", Expected::race, "if block 1 comes first, block 0 reads what it writes",
                           run_hand_over_if_first<false>},
                          {"host_reads_copy", Expected::clean, "the host waits for the copy",
                           run_host_read<Waits::for_the_work, Reads::pinned>},
                          {"host_reads_copy_too_early", Expected::race, "nothing waits for the copy",
                           run_host_read<Waits::not_at_all, Reads::pinned>},
                          {"host_waits_for_other_stream", Expected::race,
                           "the host waits, but for another stream",
                           run_host_read<Waits::for_other_work, Reads::pinned>},
                          {"host_reads_managed", Expected::clean, "the host waits for the launch",
                           run_host_read<Waits::for_the_work, Reads::managed>},
                          {"host_reads_managed_too_early", Expected::race, "nothing waits for the launch",
                           run_host_read<Waits::not_at_all, Reads::managed>},
                      });

}  // namespace
