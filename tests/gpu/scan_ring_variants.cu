// The scan of fast/detail/scan_ring stays correct without any one of its optimisations: at all lengths, in
// consecutive calls, and in graphs.
#include "kernels/fast/detail/scan_ring_variants.cuh"

#include "experiments/harness/graph.h"
#include "tests/gpu/scan_check.h"

namespace {

/// A policy of the ring, and whether its statuses are cleared before every call.
template <class T_, class Op_, class Policy_, bool CLEARED_ = false>
struct Variant {
    using T = T_;
    using Op = Op_;
    using Policy = Policy_;
    static constexpr bool CLEARED = CLEARED_;
    static constexpr long long TILE = Policy::template Tiles<true>::TILE;
};

/// Every lane arrives at barriers itself, which compute-sanitizer's racecheck understands.
template <class T>
struct WithEveryLane : RingPolicy<T> {
    static constexpr int ARRIVALS = 32;
};

template <class T, class Op>
using VariantsOf = testing::Types<Variant<T, Op, WithStages<T, 6>>, Variant<T, Op, WithStages<T, 5>>,
                                  Variant<T, Op, WithStages<T, 4>>, Variant<T, Op, WithStages<T, 3>>,
                                  Variant<T, Op, WithLoads<T, 1>>, Variant<T, Op, WithLoads<T, 4>>,
                                  Variant<T, Op, WithEvenWords<T>>, Variant<T, Op, WithChain<T>>,
                                  Variant<T, Op, EagerLookahead<T>>, Variant<T, Op, WithEveryLane<T>>,
                                  Variant<T, Op, SmallRingPolicy<T>>, Variant<T, Op, RingPolicy<T>, true>>;

template <class Variant>
class RingWith : public testing::Test {
   protected:
    using T = typename Variant::T;
    using Op = typename Variant::Op;
    static constexpr long long MOST = 400 * Variant::TILE;

    static CallResult scan(const Workspace& workspace, const ScanProblem<T>& problem, cudaStream_t stream) {
        if (Variant::CLEARED && clear(workspace, stream) != CallResult::success)
            return CallResult::cuda_error;
        return scan_by_ring<typename Variant::Policy>(workspace, problem, Op{}, stream);
    }
    static CallResult once(const Workspace& workspace, const ScanProblem<T>& problem, bool) {
        return scan(workspace, problem, nullptr);
    }
    /// A graph of three calls, one of them on half of the vector, launched three times.
    static CallResult by_graph(const Workspace& workspace, const ScanProblem<T>& problem, bool) {
        cudaStream_t stream = nullptr;
        if (cudaStreamCreate(&stream) != cudaSuccess) return CallResult::cuda_error;
        CallResult result = scan(workspace, problem, stream);  // loads the kernels
        const ScanProblem<T> half = {problem.in, problem.out, (problem.n + 1) / 2, problem.seed};
        {
            const harness::Graph graph(stream, [&] {
                for (const ScanProblem<T>& each : {problem, half, problem}) {
                    const CallResult queued = scan(workspace, each, stream);
                    if (queued != CallResult::success) result = queued;
                }
            });
            for (int time = 0; time < 3; ++time) graph.launch();
            EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        }
        (void)cudaStreamDestroy(stream);
        return result;
    }
};

TYPED_TEST_SUITE_P(RingWith);

TYPED_TEST_P(RingWith, Lengths) {
    constexpr long long TILE = TypeParam::TILE;
    ScanCheck<typename TestFixture::T, typename TestFixture::Op> check(this->MOST);
    int turn = 0;
    for (const long long tiles : {0, 1, 2, 7, 33, 132, 133, 265, 399}) {
        for (const long long by : {1LL, TILE / 2, TILE - 1}) {
            const int off = ++turn % 4;
            check.expect({tiles * TILE + by, true, turn % 3 == 0, turn % 5 == 0, off, off}, this->once);
            if (this->HasFatalFailure()) return;
        }
    }
}

TYPED_TEST_P(RingWith, CallsBackToBack) {
    ScanCheck<typename TestFixture::T, typename TestFixture::Op> check(this->MOST);
    const auto often = [this](const Workspace& workspace, const auto& problem, bool) {
        for (int call = 0; call < 50; ++call) (void)this->scan(workspace, problem, nullptr);
        return this->scan(workspace, problem, nullptr);
    };
    for (const bool seeded : {false, true}) check.expect({this->MOST, true, seeded, false, 0, 0}, often);
}

TYPED_TEST_P(RingWith, Graphs) {
    ScanCheck<typename TestFixture::T, typename TestFixture::Op> check(this->MOST);
    for (const long long n : {1LL, 3 * TypeParam::TILE + 1, this->MOST - 7})
        check.expect({n, true, false, false, 0, 0}, this->by_graph);
}

REGISTER_TYPED_TEST_SUITE_P(RingWith, Lengths, CallsBackToBack, Graphs);

using OfInts = VariantsOf<int, Sum<int>>;
using OfBytes = VariantsOf<std::int8_t, Sum<std::int8_t>>;
using OfMaps = VariantsOf<Affine<unsigned>, ComposeAffine<unsigned>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Ints, RingWith, OfInts, );
INSTANTIATE_TYPED_TEST_SUITE_P(Bytes, RingWith, OfBytes, );
INSTANTIATE_TYPED_TEST_SUITE_P(Maps, RingWith, OfMaps, );

}  // namespace
