// The scan of fast/detail/scan_ring stays correct without any one of its optimisations: at all lengths, in
// consecutive calls, and in graphs.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include "kernels/fast/detail/scan_ring_variants.cuh"

#include <gtest/gtest.h>

#include "experiments/harness/graph.h"
#include "kernels/test/owned.h"
#include "kernels/test/trial.h"

using namespace trial;

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
    static cudaError_t scan(const Workspace& workspace, const ScanProblem<T>& problem, cudaStream_t stream) {
        if (Variant::CLEARED && clear(workspace, stream) != cudaSuccess) return cudaErrorUnknown;
        return scan_by_ring<typename Variant::Policy>(workspace, problem, Op{}, stream);
    }
    /// A graph of three calls, one of them on half of the vector, launched three times.
    static cudaError_t by_graph(const Workspace& workspace, const ScanProblem<T>& problem) {
        cudaStream_t stream = nullptr;
        if (cudaStreamCreate(&stream) != cudaSuccess) return cudaErrorUnknown;
        cudaError_t result = scan(workspace, problem, stream);  // loads the kernels
        const ScanProblem<T> half = {problem.in, problem.out, (problem.n + 1) / 2, problem.seed};
        {
            const harness::Graph graph(stream, [&] {
                for (const ScanProblem<T>& each : {problem, half, problem}) {
                    const cudaError_t queued = scan(workspace, each, stream);
                    if (queued != cudaSuccess) result = queued;
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

TYPED_TEST_P(RingWith, LengthsCallsAndGraphs) {
    using T = typename TestFixture::T;
    constexpr long long TILE = TypeParam::TILE;
    const long long most = (machine::is_gpu() ? 400 : 9) * TILE;
    const ReadyWorkspace ready(scan_bytes<T>(most));
    const Workspace& workspace = ready;
    unsigned seed = 0;
    for (const long long n : {1LL, TILE - 1, TILE + 1, 7 * TILE + TILE / 2, most}) {
        Asked asked = draw<T>(++seed, 1, 1, alignof(T));
        asked.n = n;
        asked.in_place = false;  // calls are repeated
        expect_scan<T, typename TestFixture::Op>(asked, Form::inclusive, [&](const ScanProblem<T>& problem) {
            for (int call = 0; call < (machine::is_gpu() ? 50 : 2); ++call)
                EXPECT_EQ(this->scan(workspace, problem, nullptr), cudaSuccess);
            if (n < most) {
                EXPECT_EQ(this->by_graph(workspace, problem), cudaSuccess);
            }
        });
        if (this->HasFatalFailure()) return;
    }
}

REGISTER_TYPED_TEST_SUITE_P(RingWith, LengthsCallsAndGraphs);

using OfInts = VariantsOf<int, Sum<int>>;
using OfBytes = VariantsOf<std::int8_t, Sum<std::int8_t>>;
using OfMaps = VariantsOf<Affine<unsigned>, ComposeAffine<unsigned>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Ints, RingWith, OfInts, );
INSTANTIATE_TYPED_TEST_SUITE_P(Bytes, RingWith, OfBytes, );
INSTANTIATE_TYPED_TEST_SUITE_P(Maps, RingWith, OfMaps, );

}  // namespace
