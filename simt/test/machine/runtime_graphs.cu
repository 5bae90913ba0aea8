// Graphs, captured or made of nodes: what every call of the runtime returns.
#include "simt/test/machine/runtime.h"

namespace {

cudaStream_t stream, second;
cudaEvent_t start, stop;
int host_words[64];

void CUDART_CB count(void* calls) { ++*static_cast<int*>(calls); }

void capture() {
    int calls = 0;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    SAY(cudaMemsetAsync(data, 0, 256, stream));
    add<<<1, 64, 0, stream>>>(data, 64);
    LAST();
    SAY(cudaEventRecord(start, stream));
    SAY(cudaStreamWaitEvent(second, start, 0));
    twice<<<1, 32, 0, second>>>(data, 32);
    SAY(cudaEventRecord(stop, second));
    SAY(cudaStreamWaitEvent(stream, stop, 0));
    SAY(cudaMemcpyAsync(more, data, 256, cudaMemcpyDeviceToDevice, stream));
    SAY(cudaLaunchHostFunc(stream, count, &calls));
    cudaStreamCaptureStatus status;
    SAY(cudaStreamIsCapturing(stream, &status));
    std::printf("   status %d\n", status);
    SAY(cudaEventQuery(start));
    LAST();
    SAY(cudaStreamEndCapture(stream, &graph));
    size_t nodes = 0;
    SAY(cudaGraphGetNodes(graph, nullptr, &nodes));
    std::printf("   nodes %zu\n", nodes);
    cudaGraphNode_t all[10];
    SAY(cudaGraphGetNodes(graph, all, &nodes));
    for (size_t i = 0; i < nodes; i++) {
        cudaGraphNodeType type;
        cudaGraphNodeGetType(all[i], &type);
        std::printf("   type %d\n", type);
    }
    SAY(cudaGraphGetRootNodes(graph, nullptr, &nodes));
    std::printf("   roots %zu\n", nodes);
    SAY(cudaGraphInstantiate(&instance, graph, 0));
    SAY(cudaGraphDestroy(graph));
    calls = 0;
    for (int i = 0; i < 3; i++) SAY(cudaGraphLaunch(instance, stream));
    SAY(cudaStreamSynchronize(stream));
    std::printf("   calls %d\n", calls);
    show("graph", more, 6);
    SAY(cudaGraphLaunch(instance, 0));
    SAY(cudaStreamSynchronize(0));
    std::printf("   calls %d\n", calls);
    SAY(cudaGraphExecDestroy(instance));
}

void broken_captures() {
    cudaGraph_t graph;
    SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    SAY(cudaStreamSynchronize(stream));
    LAST();
    SAY(cudaMemsetAsync(data, 0, 256, stream));
    LAST();
    SAY(cudaStreamEndCapture(stream, &graph));
    std::printf("   null %d\n", graph == nullptr);
    LAST();
    SAY(cudaStreamEndCapture(stream, &graph));
    LAST();
    SAY(cudaStreamBeginCapture(0, cudaStreamCaptureModeRelaxed));
    LAST();
    SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    LAST();
    add<<<1, 1>>>(data, 1);
    LAST();
    SAY(cudaStreamEndCapture(stream, &graph));
    LAST();
    SAY(cudaStreamQuery(stream));
}

void capture_of_two_streams() {
    cudaGraph_t graph;
    SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    SAY(cudaEventRecord(start, stream));
    SAY(cudaStreamWaitEvent(second, start, 0));
    twice<<<1, 32, 0, second>>>(data, 32);
    SAY(cudaStreamEndCapture(second, &graph));
    LAST();
    SAY(cudaStreamEndCapture(stream, &graph));
    LAST();
    SAY(cudaStreamQuery(second));
}

void empty_capture() {
    size_t nodes = 0;
    cudaGraph_t graph;
    cudaGraphExec_t instance;
    SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    SAY(cudaStreamEndCapture(stream, &graph));
    SAY(cudaGraphGetNodes(graph, nullptr, &nodes));
    std::printf("   nodes %zu\n", nodes);
    SAY(cudaGraphInstantiate(&instance, graph, 0));
    SAY(cudaGraphLaunch(instance, stream));
    SAY(cudaStreamSynchronize(stream));
}

void graph_of_nodes() {
    cudaGraph_t graph;
    SAY(cudaGraphCreate(&graph, 0));
    cudaGraphNode_t a, b, c, k;
    cudaMemsetParams memset_node = {};
    memset_node.dst = data;
    memset_node.value = 0;
    memset_node.elementSize = 4;
    memset_node.width = 64;
    memset_node.height = 1;
    SAY(cudaGraphAddMemsetNode(&a, graph, nullptr, 0, &memset_node));
    int n = 64;
    void* args[] = {&data, &n};
    cudaKernelNodeParams kernel_node = {};
    kernel_node.func = (void*)add;
    kernel_node.gridDim = 1;
    kernel_node.blockDim = 64;
    kernel_node.kernelParams = args;
    SAY(cudaGraphAddKernelNode(&k, graph, &a, 1, &kernel_node));
    n = 3;
    SAY(cudaGraphAddMemcpyNode1D(&b, graph, &k, 1, host_words, data, 256, cudaMemcpyDeviceToHost));
    SAY(cudaGraphAddEmptyNode(&c, graph, &b, 1));
    cudaGraphExec_t instance;
    SAY(cudaGraphInstantiate(&instance, graph, 0));
    SAY(cudaGraphLaunch(instance, stream));
    SAY(cudaStreamSynchronize(stream));
    std::printf("   %d %d %d\n", host_words[0], host_words[1], host_words[63]);
    n = 2;
    SAY(cudaGraphExecKernelNodeSetParams(instance, k, &kernel_node));
    SAY(cudaGraphLaunch(instance, stream));
    SAY(cudaStreamSynchronize(stream));
    std::printf("   %d %d %d\n", host_words[0], host_words[1], host_words[63]);
    size_t nodes;
    SAY(cudaGraphNodeGetDependencies(b, nullptr, nullptr, &nodes));
    std::printf("   %zu\n", nodes);
}

}  // namespace

int main() {
    begin();
    SAY(cudaStreamCreate(&stream));
    SAY(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    SAY(cudaEventCreate(&start));
    SAY(cudaEventCreate(&stop));
    capture();
    broken_captures();
    capture_of_two_streams();
    empty_capture();
    graph_of_nodes();
}
