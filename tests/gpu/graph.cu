// Work as a graph: every launch has the same effect as on the stream. Work that cannot be captured gives an
// error that says so.
#include "experiments/harness/graph.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "kernels/launch.cuh"
#include "tests/device_vector.h"

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
    EXPECT_EQ(allocates.rfind(cannot, 0), 0u) << allocates;

    const auto elsewhere = error_of(s, [&] { launch(add_one, 1, 1, other.stream, data); });
    EXPECT_EQ(elsewhere, cannot + "nothing was queued on the stream");

    const auto throws = error_of(s, [] { throw std::runtime_error("its own words"); });
    EXPECT_EQ(throws, "its own words");
}

}  // namespace
