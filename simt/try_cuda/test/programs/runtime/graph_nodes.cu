// Graphs made of nodes of every kind, cloned, updated, with a node turned off; memory that belongs to a
// graph; a call that a capture forbids, and the capture that it breaks.
// Prints: 6 12 18 | 8 | 40 0 | 900 901 0 | 5
// Counts: launches 7
#include <cstdio>

__global__ void add(int* to, const int* from, int more) { to[threadIdx.x] = from[threadIdx.x] + more; }

int* device;

cudaGraph_t graph_of(int more, cudaGraphNode_t* kernel) {
    static int host[4] = {1, 2, 3, 4};
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaMemcpy3DParms down = {};
    down.srcPtr = make_cudaPitchedPtr(host, sizeof(host), 4, 1);
    down.dstPtr = make_cudaPitchedPtr(device, sizeof(host), 4, 1);
    down.extent = make_cudaExtent(sizeof(host), 1, 1);
    down.kind = cudaMemcpyHostToDevice;
    cudaGraphNode_t copy;
    cudaGraphAddMemcpyNode(&copy, graph, nullptr, 0, &down);
    const int* from = device;
    void* arguments[] = {&device, &from, &more};
    cudaGraphNodeParams launch = {};
    launch.type = cudaGraphNodeTypeKernel;
    launch.kernel.func = reinterpret_cast<void*>(add);
    launch.kernel.gridDim = 1;
    launch.kernel.blockDim = 4;
    launch.kernel.kernelParams = arguments;
    cudaGraphAddNode(kernel, graph, &copy, nullptr, 1, &launch);
    return graph;
}

int value() {
    int first;
    cudaDeviceSynchronize();
    cudaMemcpy(&first, device, sizeof(int), cudaMemcpyDeviceToHost);
    return first;
}

int main() {
    cudaMalloc(&device, 4 * sizeof(int));
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaGraph_t graph, clone;
    cudaGraphExec_t instance;
    cudaGraphNode_t kernel, other;
    graph = graph_of(5, &kernel);
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphLaunch(instance, stream);
    std::printf("%d ", value());
    cudaGraphExecUpdateResultInfo result;
    cudaGraphExecUpdate(instance, graph_of(11, &other), &result);
    cudaGraphLaunch(instance, stream);
    std::printf("%d ", value());
    cudaGraphExecUpdate(instance, graph_of(17, &other), &result);
    cudaGraphLaunch(instance, stream);
    std::printf("%d | ", value());

    cudaGraphClone(&clone, graph_of(7, &other));
    cudaGraphExec_t cloned;
    cudaGraphInstantiate(&cloned, clone, 0);
    cudaGraphLaunch(cloned, stream);
    std::printf("%d | ", value());

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    int* own;
    cudaMallocAsync(&own, 4 * sizeof(int), stream);
    cudaMemsetAsync(own, 0, 4 * sizeof(int), stream);
    add<<<1, 4, 0, stream>>>(device, own, 40);
    cudaFreeAsync(own, stream);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&instance, graph, 0);
    for (int i = 0; i < 2; ++i) cudaGraphLaunch(instance, stream);
    cudaGraphNode_t nodes[4];
    std::size_t count = 4;
    cudaGraphGetNodes(graph, nodes, &count);
    std::printf("%d ", value());
    cudaGraphNodeSetEnabled(instance, nodes[2], 0);
    cudaMemset(device, 0, sizeof(int));
    cudaGraphLaunch(instance, stream);
    std::printf("%d | ", value());

    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    const int refused = cudaMalloc(&own, 4), broken = cudaStreamEndCapture(stream, &graph);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    const int allowed = cudaMalloc(&own, 4);
    cudaMemsetAsync(device, 0, 4 * sizeof(int), stream);
    add<<<1, 4, 0, stream>>>(device, device, 5);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&instance, graph, 0);
    cudaGraphLaunch(instance, stream);
    std::printf("%d %d %d | %d\n", refused, broken, allowed, value());
}
