// Kernels in the various styles of textbooks run unchanged. Only the launch is adapted.
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/launch.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

namespace {

SIMT_DYNAMIC_SHARED(int, buffer);

/// Dynamic shared memory, a while loop, blockDim.
__global__ void sum_block(int* in, int* out, int n) {
    extern __shared__ int buffer[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    buffer[t] = i < n ? in[i] : 0;
    __syncthreads();
    int step = blockDim.x / 2;
    while (step > 0) {
        if (t < step) buffer[t] += buffer[t + step];
        __syncthreads();
        step = step / 2;
    }
    if (t == 0) out[blockIdx.x] = buffer[0];
}

TEST(Textbook, DynamicSharedMemory) {
    std::vector<int> values(1000);
    std::iota(values.begin(), values.end(), 1);
    DeviceVector<int> in(values), out(4);
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4);
    config.blockDim = dim3(256);
    config.dynamicSmemBytes = 255 * sizeof(int);
    EXPECT_THROW(cudaLaunchKernelEx(&config, sum_block, in.data(), out.data(), 1000), simt::Fault);
    config.dynamicSmemBytes = 256 * sizeof(int);
    EXPECT_EQ(cudaLaunchKernelEx(&config, sum_block, in.data(), out.data(), 1000), cudaSuccess);
    const auto sums = out.read();
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0), 500500);
}

/// Two-dimensional blocks and grids, a two-dimensional shared array.
__global__ void transpose(const float* in, float* out, int width, int height) {
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < height && y < width) out[y * height + x] = tile[threadIdx.x][threadIdx.y];
}

TEST(Textbook, TwoDimensions) {
    const int width = 50, height = 35;
    std::vector<float> values(width * height);
    std::iota(values.begin(), values.end(), 0.0f);
    DeviceVector<float> in(values), out(values.size());
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(4, 3);
    config.blockDim = dim3(16, 16);
    EXPECT_EQ(cudaLaunchKernelEx(&config, transpose, in.data(), out.data(), width, height), cudaSuccess);
    const auto found = out.read();
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) ASSERT_EQ(found[x * height + y], values[y * width + x]);
}

__device__ int calls = 0;
__constant__ int offsets[4] = {0, 10, 20, 30};

__device__ int offset_of(int i) { return offsets[i % 4]; }

/// Device variables, constants, device functions, structs, local arrays.
struct Pair {
    int key;
    double value;
};
__global__ void mixed(Pair* pairs, int n) {
    int history[4];
    for (int k = 0; k < 4; ++k) history[k] = offset_of(k + threadIdx.x);
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) pairs[i] = Pair{history[i % 4], i * 0.5};
    atomicAdd(&calls, 1);
}

TEST(Textbook, VariablesConstantsAndStructs) {
    calls = 0;
    DeviceVector<Pair> pairs(100);
    launch(mixed, 2, 64, nullptr, pairs.data(), 100);
    EXPECT_EQ(calls, 128);
    const auto found = pairs.read();
    EXPECT_EQ(found[5].value, 2.5);
    EXPECT_EQ(found[5].key, offsets[(5 % 4 + 5) % 4]);
}

// --- Warp intrinsics.

__global__ void warp_scan(const int* in, int* out) {
    int value = in[threadIdx.x];
    for (int delta = 1; delta < warpSize; delta *= 2) {
        const int left = __shfl_up_sync(0xffffffffu, value, delta);
        if (int(threadIdx.x % 32) >= delta) value += left;
    }
    out[threadIdx.x] = value;
}

TEST(Textbook, ShuffleUp) {
    std::vector<int> values(64), expected(64);
    for (int i = 0; i < 64; ++i) values[i] = i * 13 % 7;
    for (int w = 0; w < 64; w += 32) std::partial_sum(&values[w], &values[w] + 32, &expected[w]);
    DeviceVector<int> in(values), out(64);
    launch(warp_scan, 1, 64, nullptr, in.data(), out.data());
    EXPECT_EQ(out.read(), expected);
}

__global__ void intrinsics(int* out) {
    const int t = threadIdx.x;
    int* mine = out + t * 12;
    mine[0] = __shfl_sync(0xffffffffu, t * 3, 5);
    mine[1] = __shfl_down_sync(0xffffffffu, t, 4);
    mine[2] = __shfl_xor_sync(0xffffffffu, t, 7);
    mine[3] = __shfl_sync(0xffffffffu, t, 1, 8);
    mine[4] = int(__ballot_sync(0xffffffffu, t % 2));
    mine[5] = __reduce_add_sync(0xffffffffu, t - 16);
    mine[6] = __reduce_min_sync(0xffffffffu, 5 - t);
    mine[7] = __reduce_max_sync(0xffffffffu, -t);
    mine[8] = __any_sync(0xffffffffu, t == 3);
    mine[9] = __all_sync(0xffffffffu, t == 3);
    mine[10] = int(__shfl_up_sync(0xffffffffu, double(t), 2));
    mine[11] =
        t < 16 ? int(__reduce_or_sync(0xffffu, 1u << t)) : int(__reduce_xor_sync(0xffff0000u, 3u << t / 2));
}

TEST(Textbook, WarpIntrinsics) {
    DeviceVector<int> out(32 * 12);
    launch(intrinsics, 1, 32, nullptr, out.data());
    const auto found = out.read();
    for (int t = 0; t < 32; ++t) {
        const int* mine = &found[t * 12];
        EXPECT_EQ(mine[0], 15);
        EXPECT_EQ(mine[1], t + 4 < 32 ? t + 4 : t);
        EXPECT_EQ(mine[2], t ^ 7);
        EXPECT_EQ(mine[3], t / 8 * 8 + 1);
        EXPECT_EQ(unsigned(mine[4]), 0xaaaaaaaau);
        EXPECT_EQ(mine[5], 31 * 16 - 16 * 32);
        EXPECT_EQ(mine[6], 5 - 31);
        EXPECT_EQ(mine[7], 0);
        EXPECT_EQ(mine[8], 1);
        EXPECT_EQ(mine[9], 0);
        EXPECT_EQ(mine[10], t >= 2 ? t - 2 : t);
        unsigned bits = 0;
        for (int lane = 16; lane < 32; ++lane) bits ^= 3u << lane / 2;
        EXPECT_EQ(unsigned(mine[11]), t < 16 ? 0xffffu : bits);
    }
}

__global__ void atomics(int* ints, float* floats, unsigned long long* longs) {
    const int t = threadIdx.x;
    atomicAdd(&ints[0], t);
    atomicSub(&ints[1], 1);
    atomicMin(&ints[2], -t);
    atomicMax(&ints[3], t);
    atomicOr(&ints[4], 1 << t % 31);
    atomicAnd(&ints[5], ~(1 << t % 31));
    atomicXor(&ints[6], 1);
    atomicCAS(&ints[7], 0, 42);
    atomicExch(&ints[8], 9);
    atomicAdd(floats, 0.5f);
    atomicAdd(longs, 1ull << 33);
}

TEST(Textbook, Atomics) {
    DeviceVector<int> ints(std::vector<int>(9, 0));
    DeviceVector<float> floats(std::vector<float>(1, 0));
    DeviceVector<unsigned long long> longs(std::vector<unsigned long long>(1, 0));
    launch(atomics, 3, 64, nullptr, ints.data(), floats.data(), longs.data());
    EXPECT_EQ(ints.read(), (std::vector<int>{3 * 2016, -192, -63, 63, 0x7fffffff, 0, 0, 42, 9}));
    EXPECT_EQ(floats.read()[0], 96.0f);
    EXPECT_EQ(longs.read()[0], 192ull << 33);
}

// --- Launches beyond the GPU's limits fail with the same error as there.

__global__ void nothing() {}
__global__ void too_much_shared(int* out) {
    __shared__ int tile[12 * 1024 + 1];
    tile[threadIdx.x] = 0;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x ^ 1];
}

TEST(Textbook, LimitsOfALaunch) {
    (void)cudaGetLastError();
    launch(nothing, 1, 1024, nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    launch(nothing, 1, 1025, nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    launch(nothing, 0, 32, nullptr);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
    DeviceVector<int> out(32);
    launch(too_much_shared, 1, 32, nullptr, out.data());
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidConfiguration);
}

}  // namespace
