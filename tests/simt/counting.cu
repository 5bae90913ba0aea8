// Kernels whose counts can be derived by hand.
#include <gtest/gtest.h>

#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

namespace {

__global__ void copy(const float* in, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}

TEST(Counting, ACopyTouchesEachSectorOnce) {
    DeviceVector<float> in(std::vector<float>(1000, 1.0f)), out(1000);
    const auto counted = simt::record([&] { launch(copy, 8, 128, nullptr, in.data(), out.data(), 1000); });
    ASSERT_EQ(counted.launches.size(), 1u);
    EXPECT_NE(counted.launches[0].kernel.find("copy"), std::string::npos);
    EXPECT_EQ(counted.launches[0].blocks, 8u);
    EXPECT_EQ(counted.launches[0].threads, 128u);
    const simt::Counters total = counted.total();
    EXPECT_EQ(total.global_load_requests, 32);  // 1000 elements in warps of 32, the last one partial
    EXPECT_EQ(total.global_store_requests, 32);
    EXPECT_EQ(total.global_load_sectors, 125);  // 4,000 bytes
    EXPECT_EQ(total.global_store_sectors, 125);
    EXPECT_EQ(total.request_lanes, 2000);
    EXPECT_EQ(total.barriers, 0);
    EXPECT_EQ(total.shared_load_requests + total.shared_store_requests, 0);
    EXPECT_DOUBLE_EQ(total.active_lanes(), 2000.0 / 64);
}

template <int STRIDE>
__global__ void strided(int* out) {
    __shared__ int tile[32 * STRIDE];
    tile[threadIdx.x * STRIDE] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x * STRIDE];
}

template <int STRIDE>
simt::Counters count_strided() {
    DeviceVector<int> out(32);
    return simt::record([&] { launch(strided<STRIDE>, 1, 32, nullptr, out.data()); }).total();
}

TEST(Counting, AStrideCausesBankConflicts) {
    EXPECT_EQ(count_strided<1>().shared_load_wavefronts, 1);
    EXPECT_EQ(count_strided<2>().shared_load_wavefronts, 2);
    EXPECT_EQ(count_strided<16>().shared_store_wavefronts, 16);
    EXPECT_EQ(count_strided<32>().shared_store_wavefronts, 32);
    EXPECT_EQ(count_strided<33>().shared_store_wavefronts, 1);
    EXPECT_EQ(count_strided<32>().bank_conflicts(), 2 * 31);
    EXPECT_EQ(count_strided<33>().bank_conflicts(), 0);
    EXPECT_EQ(count_strided<32>().shared_store_requests, 1);
    EXPECT_EQ(count_strided<32>().barriers, 1);
}

__global__ void broadcast(int* out) {
    __shared__ int value;
    if (threadIdx.x == 0) value = 7;
    __syncthreads();
    out[threadIdx.x] = value;
}

TEST(Counting, ABroadcastIsOneWavefront) {
    DeviceVector<int> out(64);
    const auto counted = simt::record([&] { launch(broadcast, 1, 64, nullptr, out.data()); }).total();
    EXPECT_EQ(counted.shared_store_requests, 1);
    EXPECT_EQ(counted.shared_load_requests, 2);
    EXPECT_EQ(counted.shared_load_wavefronts, 2);
    EXPECT_EQ(counted.bank_conflicts(), 0);
    EXPECT_EQ(out.read(), std::vector<int>(64, 7));
}

/// Lane t adds to the word (t % 8) STRIDE.
template <int STRIDE>
__global__ void add_to_words(int* out) {
    __shared__ int words[8 * STRIDE];
    for (int i = threadIdx.x; i < 8 * STRIDE; i += 32) words[i] = 0;
    __syncthreads();
    atomicAdd(&words[threadIdx.x % 8 * STRIDE], 1);
    __syncthreads();
    if (threadIdx.x < 8) out[threadIdx.x] = words[threadIdx.x * STRIDE];
}

template <int STRIDE>
simt::Counters count_atomics() {
    DeviceVector<int> out(8);
    const auto counted =
        simt::record([&] { launch(add_to_words<STRIDE>, 1, 32, nullptr, out.data()); }, true);
    EXPECT_EQ(out.read(), std::vector<int>(8, 4));
    return counted.launches[0].steps.at(1);
}

TEST(Counting, SharedAtomicsCauseBankConflictsToo) {
    EXPECT_EQ(count_atomics<1>().atomic_requests, 1);
    EXPECT_EQ(count_atomics<1>().shared_atomic_wavefronts, 1);  // four lanes with one address access one word
    EXPECT_EQ(count_atomics<1>().bank_conflicts(), 0);
    EXPECT_EQ(count_atomics<32>().shared_atomic_wavefronts, 8);
    EXPECT_EQ(count_atomics<32>().bank_conflicts(), 7);
    EXPECT_EQ(count_atomics<32>().shared_store_requests, 0);
}

/// The two lanes of a pair read the same 8 bytes; neighbouring pairs read elements at distance `stride`.
__global__ void read_by_pairs(const double* in, double* out, int stride) {
    __shared__ double tile[64];
    for (int i = threadIdx.x; i < 64; i += 32) tile[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x / 2 * stride];
}

TEST(Counting, HalfWarpsServedSeparatelyAreNoConflict) {
    for (const int stride : {1, 2}) {
        DeviceVector<double> in(std::vector<double>(64, 1)), out(32);
        const auto counted =
            simt::record([&] { launch(read_by_pairs, 1, 32, nullptr, in.data(), out.data(), stride); }, true);
        const simt::Counters& step = counted.launches[0].steps.at(1);
        EXPECT_EQ(step.shared_load_requests, 1);
        EXPECT_EQ(step.shared_load_wavefronts, stride);  // 16 elements: one pass, or one per half-warp
        EXPECT_EQ(step.bank_conflicts(), 0);
    }
}

/// Lanes diverge at a branch, and in a loop with a different number of iterations per lane.
__global__ void diverge(int* out) {
    const int t = threadIdx.x;
    if (t < 8)
        out[t] = 1;
    else
        out[t] = 2;
    for (int i = 0; i < t; ++i) out[t + 32 * (i + 1)] = i;
}

TEST(Counting, LanesJoinByInstructionAndIteration) {
    DeviceVector<int> out(32 * 32);
    const auto counted = simt::record([&] { launch(diverge, 1, 32, nullptr, out.data()); }).total();
    // Both sides of the branch, then 31 iterations of the loop with 31, 30, .. 1 active lanes.
    EXPECT_EQ(counted.global_store_requests, 2 + 31);
    EXPECT_EQ(counted.request_lanes, 32 + 31 * 32 / 2);
}

template <class Op>
__global__ void combine(int* out, Op op) {
    const int t = threadIdx.x;
    const int i = blockIdx.x * blockDim.x + t;
    if (t % 3 == 0) out[i] = op(t, 1);
    __syncthreads();
    if (t < 32) out[i] = op(t, 2);
}

TEST(Counting, OperationsByLaneWarpAndStep) {
    DeviceVector<int> out(2 * 96);
    using Op = simt::Counted<Sum<int>>;
    const auto counted = simt::record([&] { launch(combine<Op>, 2, 96, nullptr, out.data(), Op{}); }, true);
    const simt::Launch& launch = counted.launches[0];
    ASSERT_EQ(launch.steps.size(), 2u);
    EXPECT_EQ(launch.steps[0].ops, 2 * 32);
    EXPECT_EQ(launch.steps[0].warp_ops, 2 * 3);
    EXPECT_EQ(launch.steps[0].active_warps, 2 * 3);
    EXPECT_EQ(launch.steps[0].barriers, 2);
    EXPECT_EQ(launch.steps[1].ops, 2 * 32);
    EXPECT_EQ(launch.steps[1].warp_ops, 2);
    EXPECT_EQ(launch.steps[1].active_warps, 2);
    EXPECT_EQ(launch.total.ops, 4 * 32);
    int lanes_traced = 0;
    for (const simt::Access& access : counted.trace) lanes_traced += std::string(access.kind) == "op";
    EXPECT_EQ(lanes_traced, 64) << "only block 0 is traced";
}

/// Lane l stores in round l % 4 and in the last round.
template <bool SYNC>
__global__ void store_in_rounds(int* out) {
    for (unsigned round = 0; round < 4; ++round) {
        if (threadIdx.x % 4 == round || round == 3) out[round * 32 + threadIdx.x] = 1;
        if (SYNC) __syncwarp();
    }
}

/// Without a warp sync, lanes' k-th visits to a site form one request even if they belong to different
/// rounds.
TEST(Counting, LanesReconvergeAtAWarpSync) {
    DeviceVector<int> out(4 * 32);
    const auto synced =
        simt::record([&] { launch(store_in_rounds<true>, 1, 32, nullptr, out.data()); }).total();
    EXPECT_EQ(synced.global_store_requests, 4);
    EXPECT_EQ(synced.request_lanes, 3 * 8 + 32);
    const auto unsynced =
        simt::record([&] { launch(store_in_rounds<false>, 1, 32, nullptr, out.data()); }).total();
    EXPECT_EQ(unsynced.global_store_requests, 2);
    EXPECT_EQ(unsynced.request_lanes, 3 * 8 + 32);
}

TEST(Counting, CopiesBetweenHostAndDevice) {
    std::vector<int> host(100, 1);
    DeviceVector<int> device(100), other(100);
    const auto counted = simt::record([&] {
        (void)cudaMemcpy(device.data(), host.data(), 400, cudaMemcpyHostToDevice);
        (void)cudaMemcpy(other.data(), device.data(), 400, cudaMemcpyDeviceToDevice);
        (void)cudaMemcpy(host.data(), other.data(), 100, cudaMemcpyDeviceToHost);
    });
    EXPECT_EQ(counted.copies, 2);
    EXPECT_EQ(counted.bytes_to_device, 400);
    EXPECT_EQ(counted.bytes_to_host, 100);
}

}  // namespace
