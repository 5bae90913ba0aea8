// Conditional nodes of graphs: what every call of the runtime returns, and what the launches do, as an H100
// has it.
#include "simt/test/machine/runtime.h"

namespace {

__global__ void count_down(int* p, cudaGraphConditionalHandle handle) {
    *p -= 1;
    cudaGraphSetConditional(handle, *p > 0);
}
__global__ void set(cudaGraphConditionalHandle handle, unsigned value) {
    cudaGraphSetConditional(handle, value);
}
__global__ void set_from(cudaGraphConditionalHandle handle, const int* p) {
    cudaGraphSetConditional(handle, unsigned(*p));
}
__global__ void then(int* p, int value) { *p = *p * 10 + value; }

cudaGraph_t graph;
cudaGraphExec_t instance;

cudaGraphNode_t kernel_node(cudaGraph_t in, std::vector<cudaGraphNode_t> after, void* function,
                            std::vector<void*> arguments) {
    cudaKernelNodeParams params = {};
    params.func = function, params.gridDim = params.blockDim = dim3(1),
    params.kernelParams = arguments.data();
    cudaGraphNode_t node = nullptr;
    const cudaError_t error = cudaGraphAddKernelNode(&node, in, after.data(), after.size(), &params);
    if (error != cudaSuccess) std::printf("   kernel node -> %s\n", cudaGetErrorName(error));
    return node;
}
cudaGraphNode_t then_node(cudaGraph_t in, std::vector<cudaGraphNode_t> after, int* p, int value) {
    return kernel_node(in, after, (void*)then, {&p, &value});
}
cudaGraphNode_t set_node(cudaGraph_t in, std::vector<cudaGraphNode_t> after,
                         cudaGraphConditionalHandle handle, unsigned value) {
    return kernel_node(in, after, (void*)set, {&handle, &value});
}

/// Its bodies.
std::vector<cudaGraph_t> conditional(cudaGraphNode_t* node, cudaGraph_t in,
                                     std::vector<cudaGraphNode_t> after, cudaGraphConditionalHandle handle,
                                     cudaGraphConditionalNodeType type, unsigned size) {
    cudaGraphNodeParams params = {};
    params.type = cudaGraphNodeTypeConditional;
    params.conditional.handle = handle, params.conditional.type = type, params.conditional.size = size;
    const cudaError_t error = cudaGraphAddNode(node, in, after.data(), nullptr, after.size(), &params);
    std::printf("conditional node, type %d, size %u -> %s\n", int(type), size, cudaGetErrorName(error));
    if (error != cudaSuccess) return cudaGetLastError(), std::vector<cudaGraph_t>(4);
    return {params.conditional.phGraph_out, params.conditional.phGraph_out + size};
}
cudaGraphConditionalHandle handle_of(cudaGraph_t in, unsigned value = 0, unsigned flags = 0) {
    cudaGraphConditionalHandle handle = 0;
    const cudaError_t error = cudaGraphConditionalHandleCreate(&handle, in, value, flags);
    std::printf("handle, default %u, flags %u -> %s, %d\n", value, flags, cudaGetErrorName(error),
                handle != 0);
    return handle;
}
void launch(int times = 1) {
    SAY(cudaGraphInstantiate(&instance, graph, 0));
    for (int i = 0; i < times; i++) {
        SAY(cudaGraphLaunch(instance, nullptr));
        SAY(cudaDeviceSynchronize());
        show("data", data, 6);
    }
    SAY(cudaGraphExecDestroy(instance));
    SAY(cudaGraphDestroy(graph));
    cudaMemset(data, 0, 4096);
    cudaGetLastError();
}

void a_while() {
    std::puts("while");
    cudaGraphCreate(&graph, 0);
    const int three = 3;
    cudaMemcpy(data, &three, 4, cudaMemcpyHostToDevice);
    auto handle = handle_of(graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNode_t node;
    auto bodies = conditional(&node, graph, {}, handle, cudaGraphCondTypeWhile, 1);
    int* second = data + 1;
    auto first = then_node(bodies[0], {}, second, 1);
    kernel_node(bodies[0], {first}, (void*)count_down, {&data, &handle});
    then_node(graph, {node}, second, 9);
    launch(2);
}
void an_if(unsigned value, unsigned size) {
    std::printf("if %u, size %u\n", value, size);
    cudaGraphCreate(&graph, 0);
    auto handle = handle_of(graph);
    auto before = set_node(graph, {}, handle, value);
    cudaGraphNode_t node;
    auto bodies = conditional(&node, graph, {before}, handle, cudaGraphCondTypeIf, size);
    for (unsigned i = 0; i < size; i++) then_node(bodies[i], {}, data, int(i) + 1);
    then_node(graph, {node}, data, 9);
    launch();
}
void a_switch(unsigned value, unsigned size) {
    std::printf("switch %u of %u\n", value, size);
    cudaGraphCreate(&graph, 0);
    auto handle = handle_of(graph, value, cudaGraphCondAssignDefault);
    cudaGraphNode_t node;
    auto bodies = conditional(&node, graph, {}, handle, cudaGraphCondTypeSwitch, size);
    for (unsigned i = 0; i < size; i++) then_node(bodies[i], {}, data, int(i) + 1);
    then_node(graph, {node}, data, 9);
    launch();
}
void nested() {
    std::puts("nested");
    cudaGraphCreate(&graph, 0);
    const int three = 3;
    cudaMemcpy(data, &three, 4, cudaMemcpyHostToDevice);
    auto outer = handle_of(graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNode_t node, inner_node;
    auto bodies = conditional(&node, graph, {}, outer, cudaGraphCondTypeWhile, 1);
    int* second = data + 1;
    auto first = then_node(bodies[0], {}, second, 1);
    auto inner = handle_of(graph);
    const int* from = data;
    auto decide = kernel_node(bodies[0], {first}, (void*)set_from, {&inner, &from});
    auto inside = conditional(&inner_node, bodies[0], {decide}, inner, cudaGraphCondTypeSwitch, 3);
    then_node(inside[0], {}, second, 5);
    then_node(inside[1], {}, second, 6);
    then_node(inside[2], {}, second, 7);
    kernel_node(bodies[0], {inner_node}, (void*)count_down, {&data, &outer});
    launch();
}
/// Without a default the value of the last launch stays.
void kept() {
    std::puts("kept");
    cudaGraphCreate(&graph, 0);
    auto handle = handle_of(graph, 1, 0);
    cudaGraphNode_t node;
    auto bodies = conditional(&node, graph, {}, handle, cudaGraphCondTypeIf, 1);
    auto inside = then_node(bodies[0], {}, data, 1);
    set_node(bodies[0], {inside}, handle, 0);
    auto after = then_node(graph, {node}, data, 9);
    set_node(graph, {after}, handle, 1);
    launch(3);
}
void types() {
    std::puts("types");
    cudaGraphCreate(&graph, 0);
    auto handle = handle_of(graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNode_t node, inside;
    auto bodies = conditional(&node, graph, {}, handle, cudaGraphCondTypeIf, 1);
    cudaGraphNodeType type;
    SAY(cudaGraphNodeGetType(node, &type));
    std::printf("   %d\n", int(type));
    SAY(cudaGraphAddMemsetNode(&inside, bodies[0], nullptr, 0, [] {
        static cudaMemsetParams p = {};
        p.dst = data + 2, p.value = 7, p.elementSize = 4, p.width = 2, p.height = 1;
        return &p;
    }()));
    SAY(cudaGraphAddEmptyNode(&inside, bodies[0], nullptr, 0));
    size_t count = 0;
    SAY(cudaGraphGetNodes(graph, nullptr, &count));
    std::printf("   %zu\n", count);
    SAY(cudaGraphGetNodes(bodies[0], nullptr, &count));
    std::printf("   %zu\n", count);
    launch();
}
void by_capture() {
    std::puts("by capture");
    cudaGraphCreate(&graph, 0);
    auto handle = handle_of(graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNode_t node;
    auto bodies = conditional(&node, graph, {}, handle, cudaGraphCondTypeIf, 1);
    cudaStream_t stream;
    SAY(cudaStreamCreate(&stream));
    SAY(cudaStreamBeginCaptureToGraph(stream, bodies[0], nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
    then<<<1, 1, 0, stream>>>(data, 4);
    then<<<1, 1, 0, stream>>>(data, 5);
    cudaGraph_t captured = nullptr;
    SAY(cudaStreamEndCapture(stream, &captured));
    std::printf("   the body: %d\n", captured == bodies[0]);
    launch();
    SAY(cudaStreamDestroy(stream));
}
void bad() {
    std::puts("bad");
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandle handle = 0;
    SAY(cudaGraphConditionalHandleCreate(&handle, nullptr, 0, 0));
    SAY(cudaGraphConditionalHandleCreate(nullptr, graph, 0, 0));
    SAY(cudaGraphConditionalHandleCreate(&handle, graph, 0, 2));
    handle = handle_of(graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNode_t node;
    conditional(&node, graph, {}, handle, cudaGraphCondTypeIf, 0);
    conditional(&node, graph, {}, handle, cudaGraphCondTypeIf, 3);
    conditional(&node, graph, {}, handle, cudaGraphCondTypeWhile, 2);
    conditional(&node, graph, {}, handle, cudaGraphConditionalNodeType(7), 1);
    conditional(&node, graph, {}, 0, cudaGraphCondTypeIf, 1);
    auto bodies = conditional(&node, graph, {}, handle, cudaGraphCondTypeIf, 1);
    conditional(&node, graph, {}, handle, cudaGraphCondTypeIf, 1);
    cudaHostNodeParams host = {[](void*) {}, nullptr};
    SAY(cudaGraphAddHostNode(&node, bodies[0], nullptr, 0, &host));
    SAY(cudaGraphDestroy(graph));
}

}  // namespace

int main() {
    begin();
    a_while();
    for (const unsigned value : {0u, 1u, 5u})
        for (const unsigned size : {1u, 2u}) an_if(value, size);
    for (const unsigned value : {0u, 1u, 2u, 3u}) a_switch(value, 3);
    nested();
    kept();
    types();
    by_capture();
    bad();
}
