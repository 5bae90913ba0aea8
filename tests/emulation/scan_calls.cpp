// Host calls of fast/scan under the emulator, end to end, with the tile and ring sizes of a GPU.
#include "kernels/fast/scan.cuh"

#include "tests/emulation/scan_trial.h"

namespace {

using emulation::gpu;
using Affine16 = Affine<unsigned long long>;

template <class T_, class Op_>
struct Case {
    using T = T_;
    using Op = Op_;
};

template <class Case>
class ScanCalls : public testing::Test {
   protected:
    using T = typename Case::T;
    using Op = typename Case::Op;
    using Large = typename WavePolicies<T>::Large;
    /// Elements covered by the resident blocks of 3 multiprocessors.
    static constexpr int LARGEST_WAVE = 3 * Large::BLOCKS * Large::template Tiles<T>::TILE;

    void SetUp() override { gpu = {}; }

    /// The seed is passed by device pointer: the host does not know its value.
    static CallResult scan_with_seed_at(const Workspace& workspace, const ScanProblem<T>& p, Form form) {
        return form == Form::inclusive ? inclusive_scan(workspace, p.in, p.out, p.n, Op{}, &p.seed, nullptr)
                                       : exclusive_scan(workspace, p.in, p.out, p.n, Op{}, &p.seed, nullptr);
    }

    static CallResult scan(const Workspace& workspace, const ScanProblem<T>& p, Form form) {
        const Op op = {};
        if (form == Form::inclusive)
            return p.seed.exists ? inclusive_scan(workspace, p.in, p.out, p.n, op, p.seed.value, nullptr)
                                 : inclusive_scan(workspace, p.in, p.out, p.n, op, nullptr);
        return p.seed.exists ? exclusive_scan(workspace, p.in, p.out, p.n, op, p.seed.value, nullptr)
                             : exclusive_scan(workspace, p.in, p.out, p.n, op, nullptr);
    }

    /// A call with a randomly drawn address and form.
    static void expect(const Workspace& workspace, long long n, unsigned seed) {
        Asked asked = draw<T>(first_seed() + seed, 1, 1, alignof(T));
        asked.n = n;
        gpu.schedule = {asked.seed, asked.resident};
        expect_result<T, Op>(asked, [&](const ScanProblem<T>& problem) {
            const CallResult result = seed % 2 == 0 ? scan(workspace, problem, asked.form)
                                                    : scan_with_seed_at(workspace, problem, asked.form);
            ASSERT_EQ(result, CallResult::success) << asked;
        });
    }
    static bool was_ring() { return gpu.last.shared_bytes > 0; }
};

using Cases = testing::Types<Case<std::int8_t, Sum<std::int8_t>>, Case<int, Sum<int>>, Case<Row, Append>,
                             Case<Affine16, ComposeAffine<unsigned long long>>>;
TYPED_TEST_SUITE(ScanCalls, Cases, );

/// On both sides of every length at which the dispatch changes the kernel or the tile size.
TYPED_TEST(ScanCalls, Lengths) {
    using T = typename TestFixture::T;
    const Workspace workspace(scan_bytes<T>(2 * this->LARGEST_WAVE));
    unsigned seed = 0;
    for (const int words : {2, 4, TestFixture::Large::WORDS}) {
        for (const int blocks : {1, 3, 3 * TestFixture::Large::BLOCKS}) {
            const long long edge = blocks * words * 256LL * (16 / sizeof(T));
            for (const int by : {0, 1}) {
                const int before = gpu.launches;
                this->expect(workspace, edge + by, seed++);
                EXPECT_EQ(gpu.launches, before + 1);
                if (this->HasFatalFailure()) return;
            }
        }
    }
}

TYPED_TEST(ScanCalls, ShortByOneWaveLongByTheRing) {
    using T = typename TestFixture::T;
    const Workspace workspace(scan_bytes<T>(2 * this->LARGEST_WAVE));
    this->expect(workspace, 1, 100);
    EXPECT_FALSE(this->was_ring());
    for (unsigned seed = 101; seed < 108 && !this->HasFatalFailure(); ++seed) {
        this->expect(workspace, 2 * this->LARGEST_WAVE - 17 * (seed - 101), seed);
        EXPECT_TRUE(this->was_ring());
        EXPECT_EQ(gpu.last.blocks, 3u);
    }
}

TYPED_TEST(ScanCalls, BySmallerRingWhereSharedMemoryIsSmall) {
    using T = typename TestFixture::T;
    gpu.shared_bytes = 99 * 1024;
    const Workspace workspace(scan_bytes<T>(2 * this->LARGEST_WAVE));
    for (unsigned seed = 300; seed < 305 && !this->HasFatalFailure(); ++seed) {
        this->expect(workspace, 2 * this->LARGEST_WAVE - 17 * (seed - 300), seed);
        EXPECT_TRUE(this->was_ring());
        EXPECT_LE(gpu.last.shared_bytes, 99u * 1024);
    }
}

/// Two calls that overlap leave tickets behind. The next call cannot be right; it says so, and so does every
/// call after it, until the workspace is reset.
TYPED_TEST(ScanCalls, AfterAnOverlap) {
    using T = typename TestFixture::T;
    const long long wave = 3 * TestFixture::Large::template Tiles<T>::TILE, ring = 2 * this->LARGEST_WAVE;
    std::vector<T> in(ring), out(ring);
    for (const long long n : {wave, ring}) {
        Workspace workspace(scan_bytes<T>(ring));
        const ScanProblem<T> problem = {in.data(), out.data(), n, {{}, false}};
        *workspace.words().control += 1'000'000ull << 32;
        EXPECT_EQ(workspace.status(), cudaSuccess);
        EXPECT_EQ(this->scan(workspace, problem, Form::inclusive), CallResult::success);
        EXPECT_EQ(workspace.status(), cudaErrorIllegalState);
        EXPECT_EQ(this->scan(workspace, problem, Form::inclusive), CallResult::calls_overlapped);
        EXPECT_EQ(workspace.reset(nullptr), cudaSuccess);
        EXPECT_EQ(workspace.status(), cudaSuccess);
        this->expect(workspace, n, 400);
        EXPECT_EQ(workspace.status(), cudaSuccess);
    }
}

TYPED_TEST(ScanCalls, ByLookBackWithoutBulkCopies) {
    using T = typename TestFixture::T;
    gpu.ptx_version = 80;
    const Workspace workspace(scan_bytes<T>(20'000));
    for (unsigned seed = 200; seed < 210 && !this->HasFatalFailure(); ++seed) {
        this->expect(workspace, 1 + seed % 7 * 3000, seed);
        EXPECT_FALSE(this->was_ring());
    }
}

TYPED_TEST(ScanCalls, ThatCannotBe) {
    using T = typename TestFixture::T;
    const long long most = 2 * this->LARGEST_WAVE;
    const Workspace workspace(scan_bytes<T>(most)), none(0);
    std::vector<T> in(1), out(1);
    const auto result_of = [&](const Workspace& of, long long n) {
        return this->scan(of, {in.data(), out.data(), n, {{}, false}}, Form::inclusive);
    };
    EXPECT_EQ(result_of(workspace, 0), CallResult::success);
    EXPECT_EQ(result_of(workspace, -1), CallResult::negative_length);
    EXPECT_EQ(result_of(workspace, 100 * most), CallResult::workspace_too_small);
    EXPECT_EQ(result_of(none, 1), CallResult::workspace_too_small);
    gpu.device = 1;
    EXPECT_EQ(result_of(workspace, 1), CallResult::workspace_of_other_device);
    EXPECT_EQ(gpu.launches, 0);
}

}  // namespace
