// Graphs: a node follows those that it depends on, all of them follow what came before in the stream of the
// launch, and the launches of one instance follow one another. Nothing else is ordered.
#include "simt/test/hazards/program.h"

using namespace hazards;

namespace {

constexpr int N = 256;

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }
__global__ void add_one(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }

/// Launches the graph so often, and destroys it.
void launch_and_wait(cudaGraph_t graph, cudaStream_t stream, int times = 1) {
    cudaGraphExec_t instance;
    check(cudaGraphInstantiate(&instance, graph, 0));
    for (int i = 0; i < times; ++i) check(cudaGraphLaunch(instance, stream));
    check(cudaStreamSynchronize(stream));
    check(cudaGraphExecDestroy(instance));
    check(cudaGraphDestroy(graph));
}

enum class Fork { after_the_first, before_the_first };

/// Captured: one stream fills a vector and then another one; a second stream, which forks off, reads the
/// first vector. In between the first stream has work of its own.
template <Fork FORK>
std::string run_captured(int times) {
    Device<int> first(zeros(N)), second(zeros(N)), third(zeros(N));
    cudaStream_t stream, other;
    cudaEvent_t fork, join;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    check(cudaEventCreate(&fork));
    check(cudaEventCreate(&join));
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    if (FORK == Fork::before_the_first) check(cudaEventRecord(fork, stream));
    check(launch(fill, 1, N, stream, first.data(), 41));
    if (FORK == Fork::after_the_first) check(cudaEventRecord(fork, stream));
    check(launch(fill, 1, N, stream, second.data(), 1));
    check(cudaStreamWaitEvent(other, fork, 0));
    check(launch(add_one, 1, N, other, first.data(), third.data()));
    check(cudaEventRecord(join, other));
    check(cudaStreamWaitEvent(stream, join, 0));
    cudaGraph_t graph;
    check(cudaStreamEndCapture(stream, &graph));
    launch_and_wait(graph, stream, times);
    check(cudaEventDestroy(fork));
    check(cudaEventDestroy(join));
    check(cudaStreamDestroy(stream));
    check(cudaStreamDestroy(other));
    return difference(third.read(), repeated(N, 42));
}

template <Fork FORK>
std::string run_captured_once() {
    return run_captured<FORK>(1);
}
std::string run_captured_three_times() { return run_captured<Fork::after_the_first>(3); }

/// Made by hand: a node fills a vector, another one reads it. EDGE: there is a dependency. Then the vector is
/// copied to the host, in the stream of the launch.
template <bool EDGE, bool COPIES>
std::string run_nodes() {
    Device<int> first(repeated(N, 41)), second(zeros(N));
    int *from = first.data(), *to = second.data(), value = 41;
    void *of_fill[] = {&from, &value}, *of_add[] = {&from, &to};
    cudaKernelNodeParams fills = {}, adds = {};
    fills.func = reinterpret_cast<void*>(fill);
    adds.func = reinterpret_cast<void*>(add_one);
    fills.gridDim = adds.gridDim = dim3(1);
    fills.blockDim = adds.blockDim = dim3(N);
    fills.kernelParams = of_fill;
    adds.kernelParams = of_add;
    cudaGraph_t graph;
    cudaGraphNode_t one, two;
    check(cudaGraphCreate(&graph, 0));
    check(cudaGraphAddKernelNode(&one, graph, nullptr, 0, &fills));
    if (COPIES)
        check(cudaGraphAddMemcpyNode1D(&two, graph, &one, EDGE ? 1 : 0, to, from, N * sizeof(int),
                                       cudaMemcpyDeviceToDevice));
    else
        check(cudaGraphAddKernelNode(&two, graph, &one, EDGE ? 1 : 0, &adds));
    launch_and_wait(graph, nullptr);
    return difference(second.read(), repeated(N, COPIES ? 41 : 42));
}

const Bench graphs(
    "graphs",
    {
        {"graph_fork", Expected::clean, "the second branch begins after the node whose vector it reads",
         run_captured_once<Fork::after_the_first>},
        {"graph_early_fork", Expected::race, "the second branch begins before that node",
         run_captured_once<Fork::before_the_first>},
        {"graph_launched_again", Expected::clean, "launches of an instance follow one another",
         run_captured_three_times},
        {"graph_edge", Expected::clean, "an edge orders two nodes", run_nodes<true, false>},
        {"graph_no_edge", Expected::race, "no edge orders two nodes", run_nodes<false, false>},
        {"graph_edge_to_copy", Expected::clean, "an edge orders node and copy", run_nodes<true, true>},
        {"graph_no_edge_to_copy", Expected::race, "no edge orders node and copy", run_nodes<false, true>},
    });

}  // namespace
