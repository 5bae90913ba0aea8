// Kernels of lecture notes, rewritten in this repository's style, that fail for lengths that do not fill
// their blocks. Each runs as printed and with one line corrected.
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/launch.cuh"
#include "simt/simt.h"
#include "tests/device_vector.h"

namespace {

bool has(const std::string& line, const std::string& part) { return line.find(part) != std::string::npos; }

/// The fault that a launch reports, or "" if it completes.
template <class Run>
std::string fault_of(Run run) {
    try {
        run();
    } catch (const simt::Fault& fault) {
        return fault.what();
    }
    return "";
}

std::vector<int> one_to(int n) {
    std::vector<int> values(n);
    std::iota(values.begin(), values.end(), 1);
    return values;
}

// --- "Padrão Scan em CUDA": the scan of the blocks, which passes its sums to the host.

enum class Fixed { nothing, initialisation, both };

template <Fixed FIXED>
__global__ void scan_block_and_sum(double* a, double* s, int width) {
    const int t = threadIdx.x, b = blockIdx.x * blockDim.x;
    double x = 0;
    __shared__ double p[1024];
    if (b + t < width)
        p[t] = a[b + t];
    else if (FIXED != Fixed::nothing)
        p[t] = 0;
    __syncthreads();
    for (int i = 1; i < int(blockDim.x); i *= 2) {
        if (t >= i) x = p[t] + p[t - i];
        __syncthreads();
        if (t >= i) p[t] = x;
        __syncthreads();
    }
    if (b + t < width) a[b + t] = p[t];
    if (t == int(blockDim.x) - 1) s[blockIdx.x + 1] = FIXED == Fixed::both ? p[t] : a[b + t];
}

template <Fixed FIXED>
std::string fault_in_blocks(int width) {
    std::vector<double> values(width, 1.0);
    DeviceVector<double> a(values), s(std::vector<double>(4, 0.0));
    const auto fault =
        fault_of([&] { launch(scan_block_and_sum<FIXED>, 3, 8, nullptr, a.data(), s.data(), width); });
    if (fault.empty()) {
        EXPECT_EQ(s.read(), (std::vector<double>{0, 8, 8, width - 16.0}));
        EXPECT_EQ(a.read().back(), width - 16.0);
    }
    return fault;
}

TEST(Sources, TheLastBlockReadsPastTheEnd) {
    EXPECT_EQ(fault_in_blocks<Fixed::nothing>(24), "") << "full blocks are scanned correctly";

    const auto unset = fault_in_blocks<Fixed::nothing>(20);
    EXPECT_TRUE(has(unset, "block 2, thread 4")) << unset;
    EXPECT_TRUE(has(unset, "uninitialised read of shared memory: p, byte 32")) << unset;

    const auto past = fault_in_blocks<Fixed::initialisation>(20);
    EXPECT_TRUE(has(past, "block 2, thread 7")) << past;
    EXPECT_TRUE(has(past, "out-of-bounds access")) << past;

    EXPECT_EQ(fault_in_blocks<Fixed::both>(20), "");
}

// --- "Algorithmes fondamentaux": compaction by one block.

SIMT_DYNAMIC_SHARED(int, mask);

template <bool FIXED>
__global__ void compact_block(int* out, const int* in, int n) {
    extern __shared__ int mask[];
    const int t = threadIdx.x;
    const int mine = FIXED && t >= n ? 0 : in[t];
    int keep = 0;
    if (t < n) {
        keep = mine > 0 ? 1 : 0;
        mask[t] = keep;
    }
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            if (b < n) mask[b] += mask[a];
        }
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) mask[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            const int old = mask[b];
            mask[b] += mask[a];
            mask[a] = old;
        }
    }
    __syncthreads();
    if (keep == 1) out[mask[t]] = mine;
}

/// Compact the first n elements of the source's example into `selected`. Returns the fault, or "".
template <bool FIXED>
std::string fault_in_compaction(int n, unsigned threads, std::vector<int>& selected) {
    std::vector<int> values = {1, -8, 0, 3, 5, 2, -1, -9};
    values.resize(n);
    DeviceVector<int> in(values), out(std::vector<int>(n, -1));
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = n * sizeof(int);
    const auto fault =
        fault_of([&] { (void)cudaLaunchKernelEx(&config, compact_block<FIXED>, out.data(), in.data(), n); });
    selected = out.read();
    return fault;
}

TEST(Sources, TheTreeRequiresAPowerOfTwo) {
    std::vector<int> selected;
    EXPECT_EQ(fault_in_compaction<false>(8, 8, selected), "");
    EXPECT_EQ(selected, (std::vector<int>{1, 3, 5, 2, -1, -1, -1, -1}));
    // The down-sweep takes one step more than the up-sweep: its offset becomes 0, and a and b become -1.
    for (const int n : {3, 5, 6, 7}) {
        const auto fault = fault_in_compaction<false>(n, unsigned(n), selected);
        EXPECT_TRUE(has(fault, "out-of-bounds access: shared memory")) << n << ": " << fault;
    }
}

TEST(Sources, AThreadReadsBeforeTheBoundsCheck) {
    std::vector<int> selected;
    const auto fault = fault_in_compaction<false>(8, 16, selected);
    EXPECT_TRUE(has(fault, "block 0, thread 8")) << fault;
    EXPECT_TRUE(has(fault, "out-of-bounds access")) << fault;
    EXPECT_EQ(fault_in_compaction<true>(8, 16, selected), "");
    EXPECT_EQ(selected, (std::vector<int>{1, 3, 5, 2, -1, -1, -1, -1}));
}

// --- "Algorithmes fondamentaux": a thread whose number exceeds 2^i adds the element 2^i to its left.

template <bool FIXED>
__global__ void scan_by_thread_number(int* a) {
    __shared__ int p[8];
    const int t = threadIdx.x;
    p[t] = a[t];
    __syncthreads();
    for (int i = 1; i < 8; i *= 2) {
        const bool adds = FIXED ? t >= i : t > i;
        const int left = adds ? p[t - i] : 0;
        __syncthreads();
        p[t] += left;
        __syncthreads();
    }
    a[t] = p[t];
}

template <bool FIXED>
std::vector<int> scan_of_eight() {
    DeviceVector<int> a(one_to(8));
    launch(scan_by_thread_number<FIXED>, 1, 8, nullptr, a.data());
    return a.read();
}

TEST(Sources, TheThreadWithNumberTwoToTheStepAddsToo) {
    const std::vector<int> inclusive = {1, 3, 6, 10, 15, 21, 28, 36};
    EXPECT_EQ(scan_of_eight<true>(), inclusive);
    EXPECT_NE(scan_of_eight<false>(), inclusive);
    EXPECT_EQ(scan_of_eight<false>()[1], 2) << "element 1 never adds element 0";
}

}  // namespace
