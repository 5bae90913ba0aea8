// The single-launch reduction and compaction in a CUDA graph, replayed on new data with nothing to clear.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>

#include "kernels/fast/detail/compact_look_ahead.cuh"
#include "kernels/fast/reduce.cuh"
#include "kernels/operators.cuh"
#include "kernels/predicates.cuh"
#include "tests/device_vector.h"

namespace {

TEST(Graphs, ReductionAndCompactionReplay) {
    constexpr int N = 1'000'003, REPLAYS = 20;
    DeviceVector<int> in(N), out(N), sum(1);
    DeviceVector<long long> selected(1);
    WarpChunksReduction<int, Sum<int>> reduce;
    LookAheadCompaction<int, Below<int>> compact(N);
    ASSERT_EQ(reduce.status(), cudaSuccess);
    ASSERT_EQ(compact.status(), cudaSuccess);

    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    reduce(in.data(), sum.data(), N, Sum<int>{}, stream);
    compact(in.data(), out.data(), selected.data(), N, Below<int>{500}, stream);
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    std::size_t nodes = 0;
    ASSERT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
    EXPECT_EQ(nodes, 2u);  // one launch each
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph, 0), cudaSuccess);

    std::mt19937 random(1);
    for (int replay = 0; replay < REPLAYS; ++replay) {
        std::vector<int> values(N), expected;
        for (int& value : values) value = int(random() % 1000);
        std::copy_if(values.begin(), values.end(), std::back_inserter(expected), Below<int>{500});
        int total = 0;
        for (const int value : values) total += value;
        ASSERT_EQ(cudaMemcpy(in.data(), values.data(), N * sizeof(int), cudaMemcpyHostToDevice), cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(),
                  cudaSuccess);  // the copy may be in flight; a non-blocking stream does not wait for it
        ASSERT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        EXPECT_EQ(sum.read()[0], total);
        ASSERT_EQ(selected.read()[0], static_cast<long long>(expected.size()));
        auto found = out.read();
        found.resize(expected.size());
        ASSERT_TRUE(found == expected) << "replay " << replay;
    }
    (void)cudaGraphExecDestroy(executable);
    (void)cudaGraphDestroy(graph);
    (void)cudaStreamDestroy(stream);
}

}  // namespace
