// cp.async: a thread copies to shared memory in the background. Its bytes are there for that thread once it
// has waited for its group, and for others once a barrier follows the wait.
#include <cuda_pipeline_primitives.h>

#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int THREADS = 64;
enum class Defect { nothing, no_wait, no_barrier, no_commit, wait_for_older, source_changes };

template <Defect DEFECT>
__global__ void reverse(int* in, int* out) {
    __shared__ int tile[2][THREADS];
    const int t = threadIdx.x;
    tile[0][t] = tile[1][t] = 0;
    __syncthreads();
    __pipeline_memcpy_async(&tile[0][t], &in[t], sizeof(int));
    if (DEFECT != Defect::no_commit) __pipeline_commit();
    if (DEFECT == Defect::source_changes) in[t] = 0;
    if (DEFECT == Defect::wait_for_older) {
        __pipeline_memcpy_async(&tile[1][t], &in[t], sizeof(int));
        __pipeline_commit();
    }
    if (DEFECT != Defect::no_wait) __pipeline_wait_prior(0);
    if (DEFECT != Defect::no_barrier) __syncthreads();
    out[t] = tile[0][THREADS - 1 - t];
}

/// Two copies in flight; the first is waited for, and that one is read. Or the second is.
template <int READ>
__global__ void two_groups(const int* in, int* out) {
    __shared__ int tile[2][THREADS];
    const int t = threadIdx.x;
    tile[0][t] = tile[1][t] = 0;
    for (int k = 0; k < 2; ++k) {
        __pipeline_memcpy_async(&tile[k][t], &in[t], sizeof(int));
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    out[t] = tile[READ][t] + 1;
    __pipeline_wait_prior(0);
}

template <Defect DEFECT>
std::string run_reverse() {
    return result_of(reverse<DEFECT>, 1, THREADS, reversed(some_values(THREADS)), some_values(THREADS),
                     zeros(THREADS));
}

template <int READ>
std::string run_two_groups() {
    std::vector<int> values = some_values(THREADS);
    Device<int> in(values), out(zeros(THREADS));
    run(two_groups<READ>, 1, THREADS, in.data(), out.data());
    for (int& value : values) ++value;
    return difference(out.read(), values);
}

const Bench copies(
    "cp.async",
    {
        {"copy", Expected::clean, "wait, then barrier", run_reverse<Defect::nothing>},
        {"copy_no_wait", Expected::race, "a barrier waits for no copy", run_reverse<Defect::no_wait>},
        {"copy_no_barrier", Expected::race, "a thread waits for its own copies only",
         run_reverse<Defect::no_barrier>},
        {"copy_no_commit", Expected::race, "a wait for groups does not wait for a copy outside of them",
         run_reverse<Defect::no_commit>},
        {"copy_source_changes", Expected::race, "the source is written while it is read",
         run_reverse<Defect::source_changes>},
        {"copies_two_groups", Expected::clean, "the older group has been waited for", run_two_groups<0>},
        {"copies_newer_group", Expected::race, "the newer group is still in flight", run_two_groups<1>},
    });

}  // namespace
