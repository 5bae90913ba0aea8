// What earlier versions of the machine got wrong, each as a small kernel.
#undef NDEBUG  // assert() is tested
#include <gtest/gtest.h>

#include <cassert>

#include "kernels/launch.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

namespace {

std::string fault_of(const std::function<void()>& run) {
    try {
        run();
    } catch (const simt::Fault& fault) {
        return fault.what();
    }
    return "";
}

bool has(const std::string& line, const std::string& part) { return line.find(part) != std::string::npos; }

__global__ void vote(int* out) {
    out[threadIdx.x] = __all_sync(0xffffffffu, 1) + 2 * __any_sync(0xffffffffu, threadIdx.x == 3) +
                       4 * __all_sync(0xffffffffu, threadIdx.x < 5);
}

TEST(Corrections, VotesOfBlocksWithFewerThan32Threads) {
    for (const int threads : {1, 5, 16, 40}) {
        DeviceVector<int> out(threads);
        launch(vote, 1, threads, nullptr, out.data());
        const auto votes = out.read();
        for (int t = 0; t < threads; ++t) {
            const int first = t / 32 * 32, last = std::min(threads, first + 32) - 1;
            EXPECT_EQ(votes[t], 1 + 2 * (first <= 3 && 3 <= last) + 4 * (last < 5)) << threads << " " << t;
        }
    }
}

__global__ void index_in_three_dimensions(int* out) {
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    __shared__ int number[24];
    number[thread] = static_cast<int>(block * 24 + thread);
    __syncthreads();
    out[block * 24 + thread] = number[23 - thread];
}

TEST(Corrections, ThreeDimensions) {
    DeviceVector<int> out(30 * 24);
    cudaLaunchConfig_t config;
    config.gridDim = dim3(2, 3, 5);
    config.blockDim = dim3(4, 3, 2);
    ASSERT_EQ(cudaLaunchKernelEx(&config, index_in_three_dimensions, out.data()), cudaSuccess);
    const auto found = out.read();
    for (int i = 0; i < 30 * 24; ++i) ASSERT_EQ(found[i], i / 24 * 24 + 23 - i % 24);
}

/// Not inlined, as a recursive function or one called by its address.
__attribute__((noinline)) int load(const int* from) { return *from; }

__global__ void load_from_two_places(const int* in, int* out) {
    int value = 0;
    if (threadIdx.x % 2 == 0)
        value = load(in + threadIdx.x);
    else
        value = load(in + threadIdx.x) + 1;
    out[threadIdx.x] = value;
}

TEST(Corrections, TwoCallsOfOneFunctionAreTwoRequests) {
    DeviceVector<int> in(std::vector<int>(32, 7)), out(32);
    const auto counted =
        simt::record([&] { launch(load_from_two_places, 1, 32, nullptr, in.data(), out.data()); });
    EXPECT_EQ(counted.total().global_load_requests, 2);
    EXPECT_EQ(counted.total().global_load_sectors, 8);
}

template <class T>
__global__ void reverse(T* out) {
    __shared__ T tile[32];
    tile[threadIdx.x] = out[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}

template <class T>
int words_of_loads() {
    DeviceVector<T> out(std::vector<T>(32, T{}));
    const auto counted = simt::record([&] { launch(reverse<T>, 1, 32, nullptr, out.data()); }, true);
    int words = 0;
    for (const simt::Access& access : counted.trace) {
        if (std::string(access.kind) != "load") continue;
        EXPECT_EQ(access.word, (31 - access.lane) * access.words);
        words = access.words;
    }
    return words;
}

TEST(Corrections, TracesOfWideAccesses) {
    EXPECT_EQ(words_of_loads<int>(), 1);
    EXPECT_EQ(words_of_loads<double>(), 2);
    EXPECT_EQ(words_of_loads<uint4>(), 4);
}

__global__ void check(int* out) {
    out[threadIdx.x] = static_cast<int>(threadIdx.x);
    assert(out[threadIdx.x] != 5);
}

TEST(Corrections, AssertNamesBlockThreadAndLine) {
    DeviceVector<int> out(32);
    const std::string line = fault_of([&] { launch(check, 1, 32, nullptr, out.data()); });
    EXPECT_TRUE(has(line, "check: block 0, thread 5 (warp 0, lane 5), corrections.cu:")) << line;
    EXPECT_TRUE(has(line, "assertion failed: out[threadIdx.x] != 5")) << line;
}

__global__ void print(int* out) {
    if (threadIdx.x == 3)
        printf("thread %d of %d\n", static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x));
    out[threadIdx.x] = 1;
}

TEST(Corrections, Printf) {
    DeviceVector<int> out(8);
    testing::internal::CaptureStdout();
    launch(print, 1, 8, nullptr, out.data());
    std::fflush(stdout);
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "thread 3 of 8\n");
}

__global__ void write_a_byte(char* bytes, int* out) {
    bytes[0] = 1;
    out[0] = *reinterpret_cast<const int*>(bytes);
}

TEST(Corrections, AWordIsNotInitialisedByOneOfItsBytes) {
    DeviceVector<char> bytes(4);
    DeviceVector<int> out(1);
    const std::string line = fault_of([&] { launch(write_a_byte, 1, 1, nullptr, bytes.data(), out.data()); });
    EXPECT_TRUE(has(line, "uninitialised read of global memory")) << line;
}

__global__ void loop_endlessly(int* out, int n) {
    while (n != 0) asm volatile("" : "+r"(n));
    out[0] = n;
}

__global__ void store_endlessly(int* out, int n) {
    for (int i = 0; n != 0; ++i) out[0] = i;
}

TEST(CorrectionsDeathTest, AnEndlessLoopGetsALine) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    setenv("SIMT_LIMIT", "1", 1);
    EXPECT_EXIT(
        {
            DeviceVector<int> out(1);
            launch(loop_endlessly, 1, 1, nullptr, out.data(), 1);
        },
        testing::ExitedWithCode(1), "loop_endlessly: block 0, thread 0 .*an endless loop\\?");
    unsetenv("SIMT_LIMIT");
}

/// What it counts fills the memory long before.
TEST(CorrectionsDeathTest, AnEndlessLoopThatStoresGetsALine) {
    testing::FLAGS_gtest_death_test_style = "threadsafe";
    setenv("SIMT_MEMORY", "100", 1);
    EXPECT_EXIT(
        {
            DeviceVector<int> out(1);
            const auto line = fault_of([&] { launch(store_endlessly, 4, 1, nullptr, out.data(), 1); });
            std::fputs(line.c_str(), stderr);
            std::_Exit(line.empty() ? 0 : 1);
        },
        testing::ExitedWithCode(1),
        "store_endlessly: block 0, thread 0 .*, corrections.cu:[0-9]+: an endless loop\\? Its warp has "
        "made [0-9]+ requests .* fill 100 MiB");
    unsetenv("SIMT_MEMORY");
}

}  // namespace
