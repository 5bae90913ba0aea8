// Work as a graph: every launch has the same effect as on the stream. Work that cannot be captured gives an
// error that says so.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include "experiments/harness/graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <random>
#include <string>

#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/predicates.cuh"
#include "kernels/test/device_vector.h"
#include "kernels/test/machine.h"
#include "kernels/test/owned.h"

using namespace trial;

namespace {

__global__ void add_one(int* counter) { ++*counter; }

struct Stream {
    Stream() { EXPECT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess); }
    ~Stream() { (void)cudaStreamDestroy(stream); }
    cudaStream_t stream = nullptr;
};

TEST(Graph, RepeatsTheWork) {
    Stream s;
    DeviceVector<int> counter(std::vector<int>{0});
    int* const data = counter.data();
    const harness::Work work = [&] {
        launch(add_one, 1, 1, s.stream, data);
        launch(add_one, 1, 1, s.stream, data);
    };
    work();
    const harness::Graph graph(s.stream, work);
    ASSERT_EQ(cudaStreamSynchronize(s.stream), cudaSuccess);
    EXPECT_EQ(counter.read()[0], 2) << "capturing runs nothing";
    for (int times = 1; times <= 3; ++times) {
        graph.launch();
        ASSERT_EQ(cudaStreamSynchronize(s.stream), cudaSuccess);
        EXPECT_EQ(counter.read()[0], 2 + 2 * times);
    }
}

/// The error for work that cannot be captured. The stream and the runtime must remain usable.
std::string error_of(Stream& s, const harness::Work& work) {
    std::string error;
    try {
        const harness::Graph graph(s.stream, work);
    } catch (const std::exception& thrown) {
        error = thrown.what();
    }
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(s.stream), cudaSuccess);
    EXPECT_EQ(error.find('\n'), std::string::npos);
    return error;
}

TEST(Graph, SaysWhatCannotBeCaptured) {
    Stream s, other;
    DeviceVector<int> counter(std::vector<int>{0});
    int* const data = counter.data();
    launch(add_one, 1, 1, s.stream, data);  // loads the kernel
    const std::string cannot = "the work cannot be submitted as a graph: ";

    const auto waits = error_of(s, [&] {
        launch(add_one, 1, 1, s.stream, data);
        (void)cudaStreamSynchronize(s.stream);
    });
    EXPECT_EQ(waits.rfind(cannot, 0), 0u) << waits;

    const auto allocates = error_of(s, [&] {
        void* room = nullptr;
        if (cudaMalloc(&room, 1 << 20) == cudaSuccess) (void)cudaFree(room);
        launch(add_one, 1, 1, s.stream, data);
    });
    if (machine::is_gpu())  // the SIMT machine allocates all the same
        EXPECT_EQ(allocates.rfind(cannot, 0), 0u) << allocates;

    const auto elsewhere = error_of(s, [&] { launch(add_one, 1, 1, other.stream, data); });
    EXPECT_EQ(elsewhere, cannot + "nothing was queued on the stream");

    const auto throws = error_of(s, [] { throw std::runtime_error("its own words"); });
    EXPECT_EQ(throws, "its own words");
}

/// The single-launch reduction and compaction, replayed on new data with nothing to clear.
TEST(Graphs, ReductionAndCompactionReplay) {
    const int N = machine::is_gpu() ? 1'000'003 : 100'003, REPLAYS = machine::is_gpu() ? 20 : 3;
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
