// Vectors of more than 2^32 elements, where a 32-bit index would wrap.
#include <gtest/gtest.h>

#include "experiments/harness/oracle.h"
#include "kernels/fast/reduce.cuh"
#include "kernels/fast/scan.cuh"
#include "kernels/fast/select.cuh"
#include "kernels/predicates.cuh"
#include "kernels/textbook/device/compact.cuh"
#include "kernels/textbook/device/reduce_last_block.cuh"
#include "kernels/textbook/device/reduce_recursive.cuh"
#include "kernels/textbook/device/scan_look_back.cuh"
#include "kernels/textbook/device/scan_reduce_then_scan.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"
#include "tests/kernels/machine.h"
#include "tests/kernels/owned.h"

using namespace trial;

namespace {

using Byte = signed char;
using Op = Sum<Byte>;
constexpr long long N = (1LL << 32) + 12'345;
constexpr std::uint64_t SEED = 3;

/// The input and an output of equal size, created once because filling takes the host long.
class LongVectors : public testing::Test {
   protected:
    static void SetUpTestSuite() {
        if (!machine::is_gpu()) return;
        std::size_t free = 0, total = 0;
        ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
        if (free < 2 * N + (1u << 30)) return;
        ASSERT_EQ(cudaMalloc(&in_, N), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&out_, N), cudaSuccess);
        harness::fill<Byte>(in_, N, SEED);
    }
    static void TearDownTestSuite() {
        (void)cudaFree(in_);
        (void)cudaFree(out_);
    }
    void SetUp() override {
        if (out_ == nullptr) GTEST_SKIP() << "needs a GPU, and " << (2 * N >> 30) + 1 << " GiB of its memory";
        ASSERT_EQ(cudaMemset(out_, harness::POISON, N), cudaSuccess);
    }

    /// Compare every element of out_ with the host's result.
    static void expect(harness::Expected::Kind kind) {
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        const harness::Case c = {{"scan", "long"}, N, &harness::element_type<Byte>(), {kind, N}, {}};
        EXPECT_EQ((harness::find_error<Byte, Op>(c, SEED, out_)), "");
    }
    template <class Algorithm>
    static void expect_result(Algorithm&& algorithm, harness::Expected::Kind kind) {
        ASSERT_EQ(algorithm.status(), cudaSuccess);
        algorithm(in_, out_, N, Op{}, nullptr);
        expect(kind);
    }

    /// Select the elements below 6 into out_, in their order.
    template <class Algorithm>
    static void expect_compacted() {
        long long* selected = nullptr;
        ASSERT_EQ(cudaMalloc(&selected, sizeof(*selected)), cudaSuccess);
        Algorithm compaction(N);
        ASSERT_EQ(compaction.status(), cudaSuccess);
        compaction(in_, out_, selected, N, Below<Byte>{6}, nullptr);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);

        long long count = 0;
        ASSERT_EQ(cudaMemcpy(&count, selected, sizeof(count), cudaMemcpyDeviceToHost), cudaSuccess);
        harness::Reader<Byte> out(out_, count, harness::Memory::device);
        long long place = 0;
        for (long long i = 0; i < N; ++i) {
            const Byte value = harness::Input<Byte>::at(SEED, i);
            if (!(value < 6)) continue;
            ASSERT_LT(place, count);
            ASSERT_EQ(out[place], value) << "place " << place;
            ++place;
        }
        EXPECT_EQ(place, count);
        (void)cudaFree(selected);
    }

    static inline Byte *in_ = nullptr, *out_ = nullptr;
};

TEST_F(LongVectors, ThreePhaseScan) {
    expect_result(ThreePhaseScan<Byte, Op>(Spine::device, N), harness::Expected::inclusive_scan);
}

TEST_F(LongVectors, ReduceThenScan) {
    expect_result(ReduceThenScan<Byte, Op>(N), harness::Expected::inclusive_scan);
}

TEST_F(LongVectors, LookBackScan) {
    expect_result(LookBackScan<Byte, Op>(N), harness::Expected::inclusive_scan);
}

TEST_F(LongVectors, FastScan) {
    const Workspace workspace(scan_bytes<Byte>(N), nullptr);
    ASSERT_EQ(inclusive_scan(workspace, in_, out_, N, Op{}, nullptr), cudaSuccess);
    expect(harness::Expected::inclusive_scan);
}

TEST_F(LongVectors, ExclusiveLookBackScanInPlace) {
    ASSERT_EQ(cudaMemcpy(out_, in_, N, cudaMemcpyDeviceToDevice), cudaSuccess);
    LookBackScan<Byte, Op, Form::exclusive> scan(N);
    ASSERT_EQ(scan.status(), cudaSuccess);
    scan(out_, out_, N, Op{}, nullptr);
    expect(harness::Expected::exclusive_scan);
}

TEST_F(LongVectors, RecursiveReduction) {
    expect_result(RecursiveReduction<Byte, Op>(N), harness::Expected::reduction);
}

TEST_F(LongVectors, LastBlockReduction) {
    expect_result(LastBlockReduction<Byte, Op>(), harness::Expected::reduction);
}

TEST_F(LongVectors, WarpChunksReduction) {
    expect_result(WarpChunksReduction<Byte, Op>(), harness::Expected::reduction);
}

TEST_F(LongVectors, Compaction) { expect_compacted<Compaction<Byte, Below<Byte>>>(); }

TEST_F(LongVectors, LookAheadCompaction) { expect_compacted<LookAheadCompaction<Byte, Below<Byte>>>(); }

TEST_F(LongVectors, FastCompaction) { expect_compacted<FastCompaction<Byte, Below<Byte>>>(); }

}  // namespace
