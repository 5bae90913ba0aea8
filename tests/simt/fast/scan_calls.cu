// Calls of fast/scan from the host, end to end, with the tiles and rings of a GPU of 2 multiprocessors.
#include "kernels/fast/scan.cuh"

#include "tests/simt/fast/scan_trial.h"

namespace {

using Affine16 = Affine<unsigned long long>;

template <class T_, class Op_>
struct Case {
    using T = T_;
    using Op = Op_;
};

template <class Case>
class ScanCalls : public OnStrictMachine {
   protected:
    using T = typename Case::T;
    using Op = typename Case::Op;
    using Large = typename WavePolicies<T>::Large;
    /// Elements covered by the resident blocks of the multiprocessors, and a length for the ring.
    static constexpr int LARGEST_WAVE = 2 * Large::BLOCKS * Large::template Tiles<T>::TILE;
    static constexpr int LONG = LARGEST_WAVE / 4 * 5;

    void SetUp() override {
        OnStrictMachine::SetUp();
        simt::set_device({2});
    }

    /// The seed is passed by device pointer: the host does not know its value.
    static CallResult scan_with_seed_at(const Workspace& workspace, const ScanProblem<T>& p, Form form) {
        DeviceVector<Prefix<T>> seed(std::vector<Prefix<T>>{p.seed});
        return form == Form::inclusive
                   ? inclusive_scan(workspace, p.in, p.out, p.n, Op{}, seed.data(), nullptr)
                   : exclusive_scan(workspace, p.in, p.out, p.n, Op{}, seed.data(), nullptr);
    }

    static CallResult scan(const Workspace& workspace, const ScanProblem<T>& p, Form form) {
        const Op op = {};
        if (form == Form::inclusive)
            return p.seed.exists ? inclusive_scan(workspace, p.in, p.out, p.n, op, p.seed.value, nullptr)
                                 : inclusive_scan(workspace, p.in, p.out, p.n, op, nullptr);
        return p.seed.exists ? exclusive_scan(workspace, p.in, p.out, p.n, op, p.seed.value, nullptr)
                             : exclusive_scan(workspace, p.in, p.out, p.n, op, nullptr);
    }

    /// A call with a randomly drawn address and form. Returns its launch.
    static simt::Launch expect(const Workspace& workspace, long long n, unsigned seed) {
        Asked asked = draw<T>(first_seed() + seed, 1, 1, alignof(T));
        asked.n = n;
        simt::Recording recording;
        expect_result<T, Op>(asked, [&](const ScanProblem<T>& problem) {
            recording = record_without_warning([&] {
                const CallResult result = seed % 2 == 0 ? scan(workspace, problem, asked.form)
                                                        : scan_with_seed_at(workspace, problem, asked.form);
                ASSERT_EQ(result, CallResult::success) << asked;
            });
        });
        EXPECT_EQ(recording.launches.size(), 1u) << asked;
        return recording.launches.empty() ? simt::Launch() : recording.launches[0];
    }
    static bool is_ring(const simt::Launch& launch) { return launch.kernel.rfind("scan_ring<", 0) == 0; }
};

using Cases =
    SomeThenOthers<testing::Types<Case<std::int8_t, Sum<std::int8_t>>, Case<Row, Append>>,
                   testing::Types<Case<int, Sum<int>>, Case<Affine16, ComposeAffine<unsigned long long>>>>;
TYPED_TEST_SUITE(ScanCalls, Cases, );

/// On both sides of every length at which the dispatch changes the kernel or the tile size.
TYPED_TEST(ScanCalls, Lengths) {
    using T = typename TestFixture::T;
    const Workspace workspace(scan_bytes<T>(this->LONG));
    unsigned seed = 0;
    struct Edge {
        int words, blocks;
    };
    for (const Edge& at :
         {Edge{2, 1}, {2, 2}, {4, 2}, {TestFixture::Large::WORDS, 2 * TestFixture::Large::BLOCKS}}) {
        for (const int by : {0, 1}) {
            this->expect(workspace, at.blocks * at.words * 256LL * (16 / sizeof(T)) + by, seed++);
            if (this->HasFatalFailure()) return;
        }
    }
}

TYPED_TEST(ScanCalls, ShortByOneWaveLongByTheRing) {
    using T = typename TestFixture::T;
    const Workspace workspace(scan_bytes<T>(this->LONG));
    EXPECT_FALSE(this->is_ring(this->expect(workspace, 1, 100)));
    for (unsigned seed = 101; seed < 103 && !this->HasFatalFailure(); ++seed) {
        const auto launch = this->expect(workspace, this->LONG - 17 * (seed - 101), seed);
        EXPECT_TRUE(this->is_ring(launch));
        EXPECT_EQ(launch.blocks, 2u);
    }
}

TYPED_TEST(ScanCalls, BySmallerRingWhereSharedMemoryIsSmall) {
    using T = typename TestFixture::T;
    simt::set_device({2, 120, 99 * 1024});  // the machine refuses a ring that does not fit
    const Workspace workspace(scan_bytes<T>(this->LONG));
    for (unsigned seed = 300; seed < 302 && !this->HasFatalFailure(); ++seed) {
        EXPECT_TRUE(this->is_ring(this->expect(workspace, this->LONG - 17 * (seed - 300), seed)));
    }
}

/// Two calls that overlap leave tickets behind. The next call cannot be right; it says so, and so does every
/// call after it, until the workspace is reset.
TYPED_TEST(ScanCalls, AfterAnOverlap) {
    using T = typename TestFixture::T;
    const long long wave = 2 * TestFixture::Large::template Tiles<T>::TILE, ring = this->LONG;
    DeviceVector<T> in{std::vector<T>(ring)}, out(ring);
    for (const long long n : {wave, ring}) {
        Workspace workspace(scan_bytes<T>(ring));
        const ScanProblem<T> problem = {in.data(), out.data(), n, {{}, false}};
        const auto left = 1'000'000ull << 32;
        ASSERT_EQ(cudaMemcpy(workspace.words().control, &left, sizeof(left), cudaMemcpyHostToDevice),
                  cudaSuccess);
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
    simt::set_device({2, 80, 163 * 1024});
    const Workspace workspace(scan_bytes<T>(20'000));
    for (unsigned seed = 200; seed < 204 && !this->HasFatalFailure(); ++seed) {
        const auto launch = this->expect(workspace, 1 + seed % 7 * 3000, seed);
        EXPECT_EQ(launch.kernel.rfind("scan_look_back<", 0), 0u) << launch.kernel;
    }
}

TYPED_TEST(ScanCalls, ThatCannotBe) {
    using T = typename TestFixture::T;
    const long long most = this->LONG;
    const Workspace workspace(scan_bytes<T>(most)), none(0);
    DeviceVector<T> in(1), out(1);
    const auto result_of = [&](const Workspace& of, long long n) {
        return this->scan(of, {in.data(), out.data(), n, {{}, false}}, Form::inclusive);
    };
    const auto recording = simt::record([&] {
        EXPECT_EQ(result_of(workspace, 0), CallResult::success);
        EXPECT_EQ(result_of(workspace, -1), CallResult::negative_length);
        EXPECT_EQ(result_of(workspace, 100 * most), CallResult::workspace_too_small);
        EXPECT_EQ(result_of(none, 1), CallResult::workspace_too_small);
        simt::Device other;
        other.number = 1;
        simt::set_device(other);
        EXPECT_EQ(result_of(workspace, 1), CallResult::workspace_of_other_device);
    });
    EXPECT_TRUE(recording.launches.empty());
}

}  // namespace
