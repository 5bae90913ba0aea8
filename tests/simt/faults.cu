// Planted faults: one kernel, right as it stands, and the same with one thing broken. Each must stop with a
// line that names kernel, block, thread and address.
#include <gtest/gtest.h>

#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

namespace {

enum class Planted {
    nothing,
    no_barrier,         // between reading the old values and writing the new
    divergent_barrier,  // the last one is reached by the first warp only
    early_exit,         // threads beyond the end leave before the barriers
    off_by_one_shared,  // reads one before the tile
    off_by_one_global,  // the last thread writes one beyond the vector
    unset_shared,       // threads beyond the end leave their element as it was
    unset_global,       // reads a vector that nothing wrote
    swapped_operands,   // right for a commutative operator only
};

/// Inclusive Hillis-Steele scan of one block.
template <Planted PLANTED, class T, class Op>
__global__ void scan_block(const T* in, T* out, int n, Op op) {
    __shared__ T tile[64];
    const int t = threadIdx.x;
    if (PLANTED == Planted::early_exit && t >= n) return;
    if (t < n)
        tile[t] = in[t];
    else if (PLANTED != Planted::unset_shared)
        tile[t] = Op::identity();
    __syncthreads();
    for (int stride = 1; stride < 64; stride *= 2) {
        T sum = tile[t];
        const int from = PLANTED == Planted::off_by_one_shared ? stride - 1 : stride;
        if (t >= from) {
            const T left = tile[t - stride];
            sum = PLANTED == Planted::swapped_operands ? op(tile[t], left) : op(left, tile[t]);
        }
        if (PLANTED != Planted::no_barrier) __syncthreads();
        tile[t] = sum;
        if (PLANTED != Planted::divergent_barrier || stride < 32 || t < 32) __syncthreads();
    }
    if (t < n + (PLANTED == Planted::off_by_one_global)) out[t] = tile[t];
}

/// What the kernel reports, or "" if it runs to its end.
template <Planted PLANTED>
std::string fault_of(int n) {
    std::vector<int> values(64);
    for (int i = 0; i < n; ++i) values[i] = i * 37 % 11;
    values.resize(n);
    DeviceVector<int> in(values), unset(n), out(n);
    const int* from = PLANTED == Planted::unset_global ? unset.data() : in.data();
    try {
        launch(scan_block<PLANTED, int, Sum<int>>, 1, 64, nullptr, from, out.data(), n, Sum<int>{});
    } catch (const simt::Fault& fault) {
        return fault.what();
    }
    int sum = 0;
    for (int& value : values) value = sum += value;
    EXPECT_EQ(out.read(), values);
    return "";
}

bool has(const std::string& line, const std::string& part) { return line.find(part) != std::string::npos; }

void expect_fault(const std::string& line, const std::string& what) {
    EXPECT_TRUE(has(line, what)) << line;
    EXPECT_TRUE(has(line, "scan_block<")) << line;
    EXPECT_TRUE(has(line, "block 0, thread ")) << line;
    EXPECT_TRUE(has(line, "faults.cu:")) << line;
    EXPECT_EQ(line.find('\n'), std::string::npos) << line;
}

TEST(Faults, TheSoundKernelRuns) {
    EXPECT_EQ(fault_of<Planted::nothing>(64), "");
    EXPECT_EQ(fault_of<Planted::nothing>(50), "");
}

TEST(Faults, RemovedBarrier) {
    expect_fault(fault_of<Planted::no_barrier>(64), "a race on shared memory tile, byte ");
}

TEST(Faults, DivergentBarrier) {
    expect_fault(fault_of<Planted::divergent_barrier>(64),
                 "a barrier that not all lanes reach: thread 32 ended without it");
}

TEST(Faults, EarlyExit) {
    expect_fault(fault_of<Planted::early_exit>(50),
                 "a barrier that not all lanes reach: thread 50 ended without it");
    EXPECT_EQ(fault_of<Planted::early_exit>(64), "");
}

TEST(Faults, OffByOne) {
    expect_fault(fault_of<Planted::off_by_one_shared>(64),
                 "an access outside any buffer: shared memory at address 0x");
    expect_fault(fault_of<Planted::off_by_one_global>(50), "an access outside any buffer: address 0x");
}

TEST(Faults, UnsetRead) {
    expect_fault(fault_of<Planted::unset_shared>(50),
                 "a read of shared memory that nothing wrote: tile, byte 200 (address 0x");
    expect_fault(fault_of<Planted::unset_global>(50),
                 "a read of global memory that nothing wrote: byte 0 of a buffer");
}

/// Joining brackets does not commute: the swapped kernel, which the sum lets pass, comes out wrong.
template <Planted PLANTED>
bool scans_brackets() {
    std::vector<Brackets> values(64), expected;
    for (int i = 0; i < 64; ++i) values[i] = {i % 3 == 0, i % 2};
    Brackets sum = Bicyclic::identity();
    for (const Brackets value : values) expected.push_back(sum = Bicyclic{}(sum, value));
    DeviceVector<Brackets> in(values), out(64);
    launch(scan_block<PLANTED, Brackets, Bicyclic>, 1, 64, nullptr, in.data(), out.data(), 64, Bicyclic{});
    const auto found = out.read();
    for (int i = 0; i < 64; ++i)
        if (found[i].close != expected[i].close || found[i].open != expected[i].open) return false;
    return true;
}

TEST(Faults, WrongOperatorOrder) {
    EXPECT_EQ(fault_of<Planted::swapped_operands>(64), "") << "a sum does not tell";
    EXPECT_TRUE(scans_brackets<Planted::nothing>());
    EXPECT_FALSE(scans_brackets<Planted::swapped_operands>());
}

// --- Other places and ways to go wrong.

template <class Run>
std::string message(Run run) {
    try {
        run();
    } catch (const simt::Fault& fault) {
        return fault.what();
    }
    return "";
}

__global__ void two_barriers(int* out) {
    if (threadIdx.x < 32) {
        __syncthreads();
        out[threadIdx.x] = 1;
    } else {
        __syncthreads();
        out[threadIdx.x] = 2;
    }
}

TEST(Faults, TwoBarriersAreNotOne) {
    DeviceVector<int> out(64);
    const auto line = message([&] { launch(two_barriers, 1, 64, nullptr, out.data()); });
    EXPECT_TRUE(
        has(line, "a barrier that not all lanes reach: thread 32 waits at another barrier, faults.cu:"))
        << line;
}

__global__ void race_on_global(int* out) { out[threadIdx.x / 2] = threadIdx.x; }

TEST(Faults, RaceOnGlobalMemory) {
    DeviceVector<int> out(32);
    const auto line = message([&] { launch(race_on_global, 1, 64, nullptr, out.data()); });
    EXPECT_TRUE(has(line, "race_on_global: block 0, thread 1 (warp 0, lane 1)")) << line;
    EXPECT_TRUE(has(line, "a race on global memory at address 0x")) << line;
    EXPECT_TRUE(has(line, "with thread 0")) << line;
}

/// A warp may rely on __syncwarp; without it, its lanes race.
template <bool SYNC>
__global__ void reverse_warp(int* out) {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    tile[t] = t;
    if (SYNC) __syncwarp();
    out[t] = tile[t ^ 31];
}

/// ... but not on __syncwarp for lanes of another warp.
__global__ void reverse_block(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

/// All lanes read, one of them reads again and writes: the others are done only if a meeting lies between.
template <bool SYNC>
__global__ void read_then_update(int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 1;
    __syncthreads();
    out[threadIdx.x] = count;
    if (SYNC) __syncwarp();
    if (threadIdx.x == 5) count += 1;
}

TEST(Faults, OrderWithinAWarp) {
    DeviceVector<int> out(64);
    EXPECT_EQ(message([&] { launch(read_then_update<true>, 1, 32, nullptr, out.data()); }), "");
    const auto update = message([&] { launch(read_then_update<false>, 1, 32, nullptr, out.data()); });
    EXPECT_TRUE(has(update, "a race on shared memory count")) << update;
    const auto two_warps = message([&] { launch(read_then_update<true>, 1, 64, nullptr, out.data()); });
    EXPECT_TRUE(has(two_warps, "a race on shared memory count")) << two_warps;
    EXPECT_EQ(message([&] { launch(reverse_warp<true>, 1, 64, nullptr, out.data()); }), "");
    const auto line = message([&] { launch(reverse_warp<false>, 1, 64, nullptr, out.data()); });
    EXPECT_TRUE(has(line, "nothing wrote") || has(line, "a race on shared memory tile")) << line;
    const auto across = message([&] { launch(reverse_block, 1, 64, nullptr, out.data()); });
    EXPECT_TRUE(has(across, "nothing wrote") || has(across, "a race on shared memory tile")) << across;
}

/// Bytes of one word may be written by different lanes; the word may not then be read by others.
template <bool SYNC>
__global__ void bytes_of_a_word(unsigned* out) {
    __shared__ unsigned word;
    reinterpret_cast<unsigned char*>(&word)[threadIdx.x] = threadIdx.x + 1;
    if (SYNC) __syncthreads();
    if (threadIdx.x == 3) *out = word;
}

TEST(Faults, BytesOfAWord) {
    DeviceVector<unsigned> out(1);
    EXPECT_EQ(message([&] { launch(bytes_of_a_word<true>, 1, 4, nullptr, out.data()); }), "");
    EXPECT_EQ(out.read()[0], 0x04030201u);
    EXPECT_TRUE(
        has(message([&] { launch(bytes_of_a_word<false>, 1, 4, nullptr, out.data()); }), "a race on shared"));
}

struct FiveBytes {
    unsigned char byte[5];
};
__global__ void five_bytes_each(FiveBytes* out) {
    __shared__ FiveBytes tile[64];
    tile[threadIdx.x] = {{1, 2, 3, 4, static_cast<unsigned char>(threadIdx.x)}};
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

/// Elements of a size that is no multiple of a word are apart from their neighbours.
TEST(Faults, NeighboursOfFiveBytes) {
    DeviceVector<FiveBytes> out(64);
    launch(five_bytes_each, 1, 64, nullptr, out.data());
    EXPECT_EQ(out.read()[0].byte[4], 63);
}

/// Atomics do not race with one another, only with plain accesses.
template <bool PLAIN_READ>
__global__ void count_lanes(int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    if (!PLAIN_READ) __syncthreads();
    out[threadIdx.x] = count;
}

TEST(Faults, Atomics) {
    DeviceVector<int> out(64);
    EXPECT_EQ(message([&] { launch(count_lanes<false>, 1, 64, nullptr, out.data()); }), "");
    EXPECT_EQ(out.read(), std::vector<int>(64, 64));
    EXPECT_TRUE(has(message([&] { launch(count_lanes<true>, 1, 64, nullptr, out.data()); }),
                    "a race on shared memory count"));
}

__global__ void other_kernels_array(int* out) {
    __shared__ int neighbour[64];
    neighbour[threadIdx.x] = 0;
    out[threadIdx.x] = neighbour[threadIdx.x];
}
__global__ void stray(int* out, int step) {
    __shared__ int own[64];
    own[threadIdx.x] = 1;
    own[int(threadIdx.x) + step] = 2;
    out[threadIdx.x] = own[threadIdx.x];
}

TEST(Faults, ArraysOfOtherKernelsAreOutside) {
    DeviceVector<int> out(64);
    launch(other_kernels_array, 1, 64, nullptr, out.data());
    for (const int step : {-64, 64})
        EXPECT_TRUE(
            has(message([&] { launch(stray, 1, 64, nullptr, out.data(), step); }), "outside any buffer"))
            << step;
}

__global__ void write_one(int* out) { *out = 1; }

TEST(Faults, HostPointersAndFreedMemory) {
    int on_host = 0;
    EXPECT_TRUE(has(message([&] { launch(write_one, 1, 1, nullptr, &on_host); }), "outside any buffer"));
    int* freed = nullptr;
    ASSERT_EQ(cudaMalloc(&freed, sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaFree(freed), cudaSuccess);
    EXPECT_EQ(cudaFree(freed), cudaErrorInvalidValue);
    EXPECT_TRUE(has(message([&] { launch(write_one, 1, 1, nullptr, freed); }), "outside any buffer"));
    (void)cudaGetLastError();
}

__global__ void partial_shuffle(int* out) {
    int value = threadIdx.x;
    if (threadIdx.x < 16) value = __shfl_up_sync(0xffffffffu, value, 1);
    __syncthreads();
    out[threadIdx.x] = value;
}

TEST(Faults, WarpIntrinsicThatNotAllReach) {
    DeviceVector<int> out(32);
    const auto line = message([&] { launch(partial_shuffle, 1, 32, nullptr, out.data()); });
    EXPECT_TRUE(has(line, "a warp intrinsic with mask 0xffffffff that not all its lanes reach")) << line;
}

TEST(Faults, TheMachineGoesOnAfterwards) {
    EXPECT_NE(fault_of<Planted::no_barrier>(64), "");
    EXPECT_EQ(fault_of<Planted::nothing>(64), "");
}

TEST(Faults, TheFirstBlockIsNamedForAnyNumberOfCores) {
    DeviceVector<int> out(32);
    for (const int cores : {1, 2, 3}) {
        simt::set_cores(cores);
        const auto line = message([&] { launch(race_on_global, 40, 64, nullptr, out.data()); });
        EXPECT_TRUE(has(line, "block 0, thread 1 ")) << line;
    }
}

}  // namespace
