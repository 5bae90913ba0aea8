// Injected faults: a correct kernel, and variants with one defect each. Each defect must be reported in one
// line with kernel, block, thread and source position.
#include <gtest/gtest.h>

#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

namespace {

enum class Defect {
    nothing,
    no_barrier,         // between reading the old values and writing the new ones
    divergent_barrier,  // only the first warp reaches the last barrier
    early_exit,         // threads beyond the end exit before the barriers
    off_by_one_shared,  // reads the element before the tile
    off_by_one_global,  // the last thread writes one element past the end
    unset_shared,       // threads beyond the end do not initialise their element
    unset_global,       // reads an uninitialised vector
    swapped_operands,   // correct for commutative operators only
};

/// Inclusive Hillis-Steele scan of one block.
template <Defect DEFECT, class T, class Op>
__global__ void scan_block(const T* in, T* out, int n, Op op) {
    __shared__ T tile[64];
    const int t = threadIdx.x;
    if (DEFECT == Defect::early_exit && t >= n) return;
    if (t < n)
        tile[t] = in[t];
    else if (DEFECT != Defect::unset_shared)
        tile[t] = Op::identity();
    __syncthreads();
    for (int stride = 1; stride < 64; stride *= 2) {
        T sum = tile[t];
        const int from = DEFECT == Defect::off_by_one_shared ? stride - 1 : stride;
        if (t >= from) {
            const T left = tile[t - stride];
            sum = DEFECT == Defect::swapped_operands ? op(tile[t], left) : op(left, tile[t]);
        }
        if (DEFECT != Defect::no_barrier) __syncthreads();
        tile[t] = sum;
        if (DEFECT != Defect::divergent_barrier || stride < 32 || t < 32) __syncthreads();
    }
    if (t < n + (DEFECT == Defect::off_by_one_global)) out[t] = tile[t];
}

/// The fault that the kernel reports, or "" if it completes.
template <Defect DEFECT>
std::string fault_of(int n) {
    std::vector<int> values(64);
    for (int i = 0; i < n; ++i) values[i] = i * 37 % 11;
    values.resize(n);
    DeviceVector<int> in(values), unset(n), out(n);
    const int* from = DEFECT == Defect::unset_global ? unset.data() : in.data();
    try {
        launch(scan_block<DEFECT, int, Sum<int>>, 1, 64, nullptr, from, out.data(), n, Sum<int>{});
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

TEST(Faults, TheCorrectKernelCompletes) {
    EXPECT_EQ(fault_of<Defect::nothing>(64), "");
    EXPECT_EQ(fault_of<Defect::nothing>(50), "");
}

TEST(Faults, RemovedBarrier) {
    expect_fault(fault_of<Defect::no_barrier>(64), "data race on shared memory: tile, byte ");
}

TEST(Faults, DivergentBarrier) {
    expect_fault(fault_of<Defect::divergent_barrier>(64),
                 "divergent barrier: thread 32 exited without reaching it");
}

TEST(Faults, EarlyExit) {
    expect_fault(fault_of<Defect::early_exit>(50), "divergent barrier: thread 50 exited without reaching it");
    EXPECT_EQ(fault_of<Defect::early_exit>(64), "");
}

TEST(Faults, OffByOne) {
    expect_fault(fault_of<Defect::off_by_one_shared>(64),
                 "out-of-bounds access: shared memory at address 0x");
    expect_fault(fault_of<Defect::off_by_one_global>(50), "out-of-bounds access: address 0x");
}

TEST(Faults, UninitialisedRead) {
    expect_fault(fault_of<Defect::unset_shared>(50),
                 "uninitialised read of shared memory: tile, byte 200 (address 0x");
    expect_fault(fault_of<Defect::unset_global>(50),
                 "uninitialised read of global memory: byte 0 of a buffer");
}

/// Combining brackets does not commute, so it exposes the swapped operands, which a sum does not.
template <Defect DEFECT>
bool scans_brackets() {
    std::vector<Brackets> values(64), expected;
    for (int i = 0; i < 64; ++i) values[i] = {i % 3 == 0, i % 2};
    Brackets sum = Bicyclic::identity();
    for (const Brackets value : values) expected.push_back(sum = Bicyclic{}(sum, value));
    DeviceVector<Brackets> in(values), out(64);
    launch(scan_block<DEFECT, Brackets, Bicyclic>, 1, 64, nullptr, in.data(), out.data(), 64, Bicyclic{});
    const auto found = out.read();
    for (int i = 0; i < 64; ++i)
        if (found[i].close != expected[i].close || found[i].open != expected[i].open) return false;
    return true;
}

TEST(Faults, WrongOperatorOrder) {
    EXPECT_EQ(fault_of<Defect::swapped_operands>(64), "") << "a sum cannot detect it";
    EXPECT_TRUE(scans_brackets<Defect::nothing>());
    EXPECT_FALSE(scans_brackets<Defect::swapped_operands>());
}

// --- Other kernels and defects.

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

TEST(Faults, DifferentBarriers) {
    DeviceVector<int> out(64);
    const auto line = message([&] { launch(two_barriers, 1, 64, nullptr, out.data()); });
    EXPECT_TRUE(has(line, "divergent barrier: thread 32 waits at another barrier, faults.cu:")) << line;
}

__global__ void race_on_global(int* out) { out[blockIdx.x * 32 + threadIdx.x / 2] = threadIdx.x; }

TEST(Faults, RaceOnGlobalMemory) {
    DeviceVector<int> out(32);
    const auto line = message([&] { launch(race_on_global, 1, 64, nullptr, out.data()); });
    EXPECT_TRUE(has(line, "race_on_global: block 0, thread 1 (warp 0, lane 1)")) << line;
    EXPECT_TRUE(has(line, "data race on global memory: byte 0 of a buffer of 128 bytes")) << line;
    EXPECT_TRUE(has(line, "this write and thread 0, which wrote it at faults.cu:159; no barrier")) << line;
}

/// __syncwarp orders the lanes of a warp; without it they race.
template <bool SYNC>
__global__ void reverse_warp(int* out) {
    __shared__ int tile[64];
    const int t = threadIdx.x;
    tile[t] = t;
    if (SYNC) __syncwarp();
    out[t] = tile[t ^ 31];
}

/// __syncwarp does not order lanes of different warps.
__global__ void reverse_block(int* out) {
    __shared__ int tile[64];
    tile[threadIdx.x] = threadIdx.x;
    __syncwarp();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

/// All lanes read, then one lane reads and writes. Only a warp sync orders the others' reads before the
/// write.
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
    EXPECT_TRUE(has(update, "data race on shared memory: count")) << update;
    const auto two_warps = message([&] { launch(read_then_update<true>, 1, 64, nullptr, out.data()); });
    EXPECT_TRUE(has(two_warps, "data race on shared memory: count")) << two_warps;
    EXPECT_EQ(message([&] { launch(reverse_warp<true>, 1, 64, nullptr, out.data()); }), "");
    const auto line = message([&] { launch(reverse_warp<false>, 1, 64, nullptr, out.data()); });
    EXPECT_TRUE(has(line, "uninitialised read") || has(line, "data race on shared memory: tile")) << line;
    const auto across = message([&] { launch(reverse_block, 1, 64, nullptr, out.data()); });
    EXPECT_TRUE(has(across, "uninitialised read") || has(across, "data race on shared memory: tile"))
        << across;
}

/// Different lanes may write the bytes of one word, but reading the word then requires a barrier.
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
    EXPECT_TRUE(has(message([&] { launch(bytes_of_a_word<false>, 1, 4, nullptr, out.data()); }),
                    "data race on shared"));
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

/// Neighbouring elements do not race, even if their size is not a multiple of a word.
TEST(Faults, ElementsOfFiveBytes) {
    DeviceVector<FiveBytes> out(64);
    launch(five_bytes_each, 1, 64, nullptr, out.data());
    EXPECT_EQ(out.read()[0].byte[4], 63);
}

/// Atomics race with plain accesses only, not with each other.
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
                    "data race on shared memory: count"));
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

TEST(Faults, ArraysOfOtherKernelsAreOutOfBounds) {
    DeviceVector<int> out(64);
    launch(other_kernels_array, 1, 64, nullptr, out.data());
    for (const int step : {-64, 64})
        EXPECT_TRUE(
            has(message([&] { launch(stray, 1, 64, nullptr, out.data(), step); }), "out-of-bounds access"))
            << step;
}

__global__ void write_one(int* out) { *out = 1; }

TEST(Faults, HostPointersAndFreedMemory) {
    int on_host = 0;
    EXPECT_TRUE(has(message([&] { launch(write_one, 1, 1, nullptr, &on_host); }), "out-of-bounds access"));
    int* freed = nullptr;
    ASSERT_EQ(cudaMalloc(&freed, sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaFree(freed), cudaSuccess);
    EXPECT_EQ(cudaFree(freed), cudaErrorInvalidValue);
    EXPECT_TRUE(has(message([&] { launch(write_one, 1, 1, nullptr, freed); }), "out-of-bounds access"));
    (void)cudaGetLastError();
}

__global__ void partial_shuffle(int* out) {
    int value = threadIdx.x;
    if (threadIdx.x < 16) value = __shfl_up_sync(0xffffffffu, value, 1);
    __syncthreads();
    out[threadIdx.x] = value;
}

TEST(Faults, DivergentWarpIntrinsic) {
    DeviceVector<int> out(32);
    const auto line = message([&] { launch(partial_shuffle, 1, 32, nullptr, out.data()); });
    EXPECT_TRUE(has(line, "divergent warp intrinsic: not all lanes of mask 0xffffffff reach it")) << line;
}

TEST(Faults, TheMachineWorksAfterAFault) {
    EXPECT_NE(fault_of<Defect::no_barrier>(64), "");
    EXPECT_EQ(fault_of<Defect::nothing>(64), "");
}

TEST(Faults, TheFirstFaultyBlockIsReportedForAnyNumberOfCores) {
    DeviceVector<int> out(40 * 32);
    for (const int cores : {1, 2, 3}) {
        simt::set_cores(cores);
        const auto line = message([&] { launch(race_on_global, 40, 64, nullptr, out.data()); });
        EXPECT_TRUE(has(line, "block 0, thread 1 ")) << line;
    }
}

}  // namespace
