// The device-wide reductions, for any length, operator and alignment, with one workspace for many calls.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>

#include "kernels/test/device_vector.h"
#include "kernels/test/elements.h"
#include "kernels/test/float_sums.h"
#include "kernels/textbook/device/reduce_atomic.cuh"
#include "kernels/textbook/device/reduce_chunks.cuh"
#include "kernels/textbook/device/reduce_last_block.cuh"
#include "kernels/textbook/device/reduce_recursive.cuh"

using namespace trial;

namespace {

/// The longest needs four levels of tiles of 32, and many tiles a block where blocks are few.
constexpr std::size_t LENGTHS[] = {0,    1,    2,    31,   32,   33,   127,  128,  129,   1000,
                                   1023, 1024, 1025, 3839, 3840, 3841, 8191, 8192, 33'001};
constexpr std::size_t LONGEST = 33'001;

/// work for every length, twice, with one workspace.
template <class T, class Op>
void expect_exact(const std::function<void(const T* in, T* out, long long n)>& work) {
    for (const std::size_t n : LENGTHS) {
        const auto values = exact_elements<T>(n, unsigned(n + 1));
        DeviceVector<T> in(values, n % 3), out(1, n % 2);
        const T expected = n == 0 ? Op::identity() : pure_oracle(values, n, true, Op{}).back();
        for (int call = 0; call < 2; ++call) {
            out.poison();
            work(in.data(), out.data(), static_cast<long long>(n));
            ASSERT_EQ(cudaGetLastError(), cudaSuccess);
            ASSERT_TRUE(same(out.read()[0], expected)) << "n " << n << ", call " << call;
        }
        ASSERT_EQ(std::memcmp(in.read().data(), values.data(), n * sizeof(T)), 0) << "n " << n;
    }
}

template <class T, class Op, class Reduction>
void expect_exact_by(Reduction& reduce) {
    ASSERT_EQ(reduce.status(), cudaSuccess);
    expect_exact<T, Op>([&](const T* in, T* out, long long n) { reduce(in, out, n, Op{}, nullptr); });
}

template <int TILE, class T, class Op>
void recursive() {
    RecursiveReduction<T, Op, TILE> reduce(LONGEST);
    expect_exact_by<T, Op>(reduce);
}

template <int BLOCKS, int ITEMS_PER_THREAD, int THREADS, class T, class Op>
void chunks() {
    ChunksReduction<T, Op, BLOCKS, ITEMS_PER_THREAD, THREADS> reduce;
    expect_exact_by<T, Op>(reduce);
}

template <int BLOCKS, int ITEMS_PER_THREAD, int THREADS, class T, class Op>
void last_block() {
    LastBlockReduction<T, Op, BLOCKS, ITEMS_PER_THREAD, THREADS> reduce;
    expect_exact_by<T, Op>(reduce);
}

template <int BLOCKS, int THREADS, class T>
void atomic() {
    expect_exact<T, Sum<T>>([](const T* in, T* out, long long n) {
        reduce_atomic<BLOCKS, THREADS>(in, out, n, Sum<T>{}, nullptr);
    });
}

template <class Case>
class EveryReduction : public testing::Test {};
TYPED_TEST_SUITE(EveryReduction, EveryElement);

TYPED_TEST(EveryReduction, Recursive) {
    recursive<1024, typename TypeParam::Type, typename TypeParam::Operator>();
}
TYPED_TEST(EveryReduction, Shares) {
    using T = typename TypeParam::Type;
    chunks<64, raking_items<T>(), 256, T, typename TypeParam::Operator>();
}
TYPED_TEST(EveryReduction, LastBlock) {
    using T = typename TypeParam::Type;
    last_block<64, raking_items<T>(), 256, T, typename TypeParam::Operator>();
}

TEST(RecursiveReduction, EveryTile) {
    recursive<2, Brackets, Bicyclic>();  // 16 levels
    recursive<32, Brackets, Bicyclic>();
    recursive<2048, Brackets, Bicyclic>();
}

TEST(ChunksReduction, EveryShape) {
    chunks<1, 15, 128, Brackets, Bicyclic>();  // one level
    chunks<2, 1, 32, Brackets, Bicyclic>();    // long chunks
    chunks<1024, 1, 1024, Brackets, Bicyclic>();
}

TEST(LastBlockReduction, EveryShape) {
    last_block<1, 15, 128, Brackets, Bicyclic>();  // the only block is the last one
    last_block<2, 1, 32, Brackets, Bicyclic>();    // long chunks
    last_block<7, 4, 64, Brackets, Bicyclic>();
    last_block<1024, 1, 1024, Brackets, Bicyclic>();
}

TEST(LastBlockReduction, FloatsAreTheSameBitsAtEveryCall) {
    LastBlockReduction<float, Sum<float>, 64> reduce;
    // A thread's chunk, its block's tree, the block's tiles, and the same for the block sums.
    expect_same_bits_at_every_call(
        [&](const float* in, float* out, long long n) { reduce(in, out, n, Sum<float>{}, nullptr); },
        2 * (14 + 8) + 1);
}

TEST(DeviceReductions, WorkedExamples) {
    const auto sums = [](const std::vector<int>& values) {
        DeviceVector<int> in(values), out(3);
        out.poison();
        const auto n = static_cast<long long>(values.size());
        RecursiveReduction<int, Sum<int>> recursive(n);
        LastBlockReduction<int, Sum<int>> last_block;
        recursive(in.data(), out.data(), n, Sum<int>{}, nullptr);
        last_block(in.data(), out.data() + 1, n, Sum<int>{}, nullptr);
        reduce_atomic(in.data(), out.data() + 2, n, Sum<int>{}, nullptr);
        return out.read();
    };
    EXPECT_EQ(sums({3, 1, 7, 0, 4, 1, 6, 3}), std::vector<int>(3, 25));
    std::vector<int> counting(2048);
    std::iota(counting.begin(), counting.end(), 1);
    EXPECT_EQ(sums(counting), std::vector<int>(3, 2'098'176));
}

TEST(AtomicReduction, EveryElement) {
    atomic<1024, 256, int>();
    atomic<64, 256, unsigned>();
    atomic<64, 256, std::int64_t>();
    atomic<64, 256, unsigned long long>();
    atomic<64, 256, float>();
    atomic<64, 256, double>();
}
TEST(AtomicReduction, EveryShape) {
    atomic<1, 32, int>();
    atomic<7, 1024, int>();
}

TEST(AtomicReduction, RoundedSums) {
    const auto values = random_vector<float>(100'003, 4);
    DeviceVector<float> in(values), out(1);
    out.poison();
    reduce_atomic<64>(in.data(), out.data(), values.size(), Sum<float>{}, nullptr);
    double sum = 0, magnitudes = 0;
    for (const float value : values) {
        sum += value;
        magnitudes += std::fabs(value);
    }
    EXPECT_LE(std::fabs(out.read()[0] - sum), sum_bound<float>(7 + 8 + 64, magnitudes));
}

}  // namespace
