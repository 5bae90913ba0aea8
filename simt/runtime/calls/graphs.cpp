// Graphs: the nodes that a program makes by hand, and the launch of a graph, whose branches are streams.
#include "simt/runtime/calls/graph.h"

#include <algorithm>

#include "simt/runtime/calls/copies.h"
#include "simt/runtime/launch.h"
#include "simt/runtime/per_thread.h"
#include "simt/runtime/state.h"

CUgraphNode_st* CUgraph_st::add(cudaGraphNodeType type, Submission submit,
                                std::vector<CUgraphNode_st*> after) {
    nodes.push_back(
        std::make_unique<CUgraphNode_st>(CUgraphNode_st{type, std::move(submit), std::move(after)}));
    return nodes.back().get();
}

namespace simt_runtime {

std::set<const void*>& graph_handles() {
    static auto& all = *new std::set<const void*>();
    return all;
}

namespace {

/// Gives a handle to the program.
template <class T>
cudaError_t hand_out(T** handle, std::unique_ptr<T> made) {
    graph_handles().insert(made.get());
    *handle = made.release();
    return cudaSuccess;
}

template <class T>
cudaError_t destroy(T* handle) {
    return call([&] {
        if (graph_handles().erase(handle) == 0) return cudaErrorInvalidValue;
        return delete handle, cudaSuccess;
    });
}

/// Calls `body` if the graph, or what was made of one, is good.
template <class Body>
cudaError_t with(const void* handle, Body body) {
    return call_with_turn(
        [&]() -> cudaError_t { return graph_handles().count(handle) ? body() : cudaErrorInvalidValue; });
}

}  // namespace

bool in_order(const CUgraph_st& graph, CUgraphExec_st& instance) {
    std::vector<CUgraphExec_st::Step>& steps = instance.steps;
    instance.conditions = graph.conditions;
    std::map<const CUgraphNode_st*, std::size_t> done;  // its step
    std::vector<std::size_t> ends;                      // of the branches: their last steps
    while (done.size() < graph.nodes.size()) {
        const std::size_t before = done.size();
        for (const auto& node : graph.nodes) {
            const bool is_ready =
                std::all_of(node->after.begin(), node->after.end(),
                            [&](const CUgraphNode_st* other) { return done.count(other) != 0; });
            if (!is_ready || !done.emplace(node.get(), steps.size()).second) continue;
            CUgraphExec_st::Step step{node.get(), node->type, node->submit, ends.size(), {}};
            if (node->conditional != nullptr) step.submit = submission_of(*node->conditional);
            if (step.submit == nullptr) return false;
            for (const CUgraphNode_st* other : node->after) {
                const std::size_t at = done[other], branch = steps[at].branch;
                if (ends[branch] == at && step.branch == ends.size())
                    step.branch = branch;  // goes on with it
                else
                    step.after.push_back(at);
            }
            if (step.branch == ends.size()) ends.emplace_back();
            ends[step.branch] = steps.size();
            steps.push_back(std::move(step));
        }
        if (done.size() == before) return false;  // a cycle
    }
    return true;
}

std::shared_ptr<Task> mark(CUstream_st& stream) {
    auto marker = std::make_shared<Action>(stream.device, [] {});
    State::get().queue.submit(stream, marker);
    return marker;
}

namespace {

cudaError_t instantiate(cudaGraphExec_t* handle, cudaGraph_t graph) {
    return with(graph, [&] {
        auto instance = std::make_unique<CUgraphExec_st>();
        return in_order(*graph, *instance) ? hand_out(handle, std::move(instance)) : cudaErrorInvalidValue;
    });
}

cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                     std::size_t count, cudaGraphNodeType type, Submission submit) {
    if (node == nullptr || (after == nullptr && count != 0)) return cudaErrorInvalidValue;
    *node = graph->add(type, std::move(submit), std::vector<CUgraphNode_st*>(after, after + count));
    return cudaSuccess;
}

/// Gives a list as CUDA's queries do: its length alone, or as much of it as there is room for.
template <class T>
cudaError_t give(const std::vector<T>& list, T* to, std::size_t* count) {
    if (count == nullptr) return cudaErrorInvalidValue;
    if (to != nullptr) {
        const std::size_t room = *count;
        std::copy_n(list.begin(), std::min(list.size(), room), to);
        std::fill(to + std::min(list.size(), room), to + room, T());
    }
    *count = to == nullptr ? list.size() : std::min(list.size(), *count);
    return cudaSuccess;
}

Submission submission_of(const cudaMemsetParams& fill_with) {
    return [=](CUstream_st& on) {
        return fill(fill_with.dst, fill_with.pitch, int(fill_with.value),
                    fill_with.width * fill_with.elementSize, fill_with.height, &on, false,
                    fill_with.elementSize);
    };
}

}  // namespace
}  // namespace simt_runtime

using namespace simt_runtime;

cudaError_t CUgraphExec_st::launch(CUstream_st& stream) {
    Queue& queue = State::get().queue;
    const auto stream_of = [&](std::size_t branch) -> CUstream_st& {
        return branch == 0 ? stream : *branches[branch - 1];
    };
    std::vector<std::shared_ptr<Condition>> assigned;
    for (const auto& condition : conditions)
        if (condition->is_assigned) assigned.push_back(condition);
    if (!assigned.empty())
        queue.submit(stream, std::make_shared<Action>(stream.device, [assigned] {
                         for (const auto& condition : assigned) condition->value = condition->initial;
                     }));
    std::size_t count = 1;
    for (const Step& step : steps) count = std::max(count, step.branch + 1);
    const auto begin = count > 1 ? mark(stream) : nullptr;
    for (std::size_t b = 1; b < count; ++b) {
        if (branches.size() < b) {
            branches.push_back(std::make_unique<CUstream_st>());
            branches.back()->flags = cudaStreamNonBlocking;
            State::get().streams.insert(branches.back().get());
        }
        CUstream_st& branch = stream_of(b);
        branch.device = stream.device;
        branch.is_in_use = true;
        queue.order_after(branch, begin);
    }
    cudaError_t error = cudaSuccess;
    std::vector<std::shared_ptr<Task>> ends;
    for (const Step& step : steps) {
        CUstream_st& branch = stream_of(step.branch);
        for (const std::size_t other : step.after) queue.order_after(branch, ends[other]);
        if (!step.is_enabled)
            mark(branch);
        else if (error == cudaSuccess)
            error = step.submit(branch);
        ends.push_back(branch.last);
    }
    for (std::size_t b = 1; b < count; ++b) {
        queue.order_after(stream, stream_of(b).last);
        stream_of(b).is_in_use = false;
    }
    if (count > 1) mark(stream);
    return error;
}

CUgraphExec_st::~CUgraphExec_st() {
    for (const auto& branch : branches) State::get().streams.erase(branch.get());
}

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
    return call([&] { return hand_out(graph, std::make_unique<CUgraph_st>()); });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return destroy(graph); }

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long) {
    return instantiate(instance, graph);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* instance, cudaGraph_t graph, unsigned long long) {
    return instantiate(instance, graph);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* instance, cudaGraph_t graph,
                                           cudaGraphInstantiateParams*) {
    return instantiate(instance, graph);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance) { return destroy(instance); }

cudaError_t cudaGraphUpload(cudaGraphExec_t instance, cudaStream_t) {
    return with(instance, [] { return cudaSuccess; });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t handle) {
    return with(instance, [&]() -> cudaError_t {
        CUstream_st* stream = State::get().stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (stream->capture == nullptr)
            return perform(*stream, cudaGraphNodeTypeGraph,
                           [instance](CUstream_st& on) { return instance->launch(on); });
        const auto copied = std::make_shared<CUgraphExec_st>();
        copied->steps = instance->steps;
        copied->conditions = instance->conditions;
        return perform(*stream, cudaGraphNodeTypeGraph,
                       [copied](CUstream_st& on) { return copied->launch(on); });
    });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return with(graph, [&] {
        std::vector<cudaGraphNode_t> all;
        for (const auto& node : graph->nodes) all.push_back(node.get());
        return give(all, nodes, count);
    });
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return with(graph, [&] {
        std::vector<cudaGraphNode_t> all;
        for (const auto& node : graph->nodes)
            if (node->after.empty()) all.push_back(node.get());
        return give(all, nodes, count);
    });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    return call([&] { return *type = node->type, cudaSuccess; });
}

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* after, cudaGraphEdgeData*,
                                         size_t* count) {
    return call([&] { return give(node->after, after, count); });
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData*, size_t count) {
    return call([&] {
        for (size_t i = 0; i < count; i++) to[i]->after.push_back(from[i]);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaKernelNodeParams* launch) {
    return with(graph, [&]() -> cudaError_t {
        CUkern_st* kernel = Registry::get().kernel(launch->func);
        if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
        Submission submission;
        const cudaError_t error =
            prepare({kernel, launch->gridDim, launch->blockDim, launch->sharedMemBytes, launch->kernelParams},
                    Thread::get().device, submission);
        return error != cudaSuccess
                   ? error
                   : add_node(node, graph, after, count, cudaGraphNodeTypeKernel, submission);
    });
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t instance, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* launch) {
    return with(instance, [&]() -> cudaError_t {
        CUkern_st* kernel = Registry::get().kernel(launch->func);
        if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
        for (CUgraphExec_st::Step& step : instance->steps)
            if (step.node == node)
                return prepare(
                    {kernel, launch->gridDim, launch->blockDim, launch->sharedMemBytes, launch->kernelParams},
                    Thread::get().device, step.submit);
        return cudaErrorInvalidValue;
    });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes,
                                     cudaMemcpyKind kind) {
    return with(graph, [&] {
        return add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy, [=](CUstream_st& on) {
            return copy({to, bytes, from, bytes, bytes, 1, kind}, &on, false);
        });
    });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemsetParams* fill_with) {
    return with(graph, [&]() -> cudaError_t {
        if (const unsigned bytes = fill_with->elementSize; bytes != 1 && bytes != 2 && bytes != 4)
            return cudaErrorInvalidValue;
        return add_node(node, graph, after, count, cudaGraphNodeTypeMemset, submission_of(*fill_with));
    });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 size_t count, const cudaHostNodeParams* host) {
    return with(graph, [&] {
        const cudaHostNodeParams called = *host;
        return add_node(node, graph, after, count, cudaGraphNodeTypeHost, [called](CUstream_st& on) {
            const auto function = [called] { called.fn(called.userData); };
            State::get().queue.submit(on, std::make_shared<Action>(on.device, function));
            return cudaSuccess;
        });
    });
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
    return with(graph, [&] {
        return add_node(node, graph, after, count, cudaGraphNodeTypeEmpty,
                        [](CUstream_st& on) { return mark(on), cudaSuccess; });
    });
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
    return with(graph, [&]() -> cudaError_t {
        auto copied = std::make_shared<CUgraphExec_st>();
        if (!in_order(*child, *copied)) return cudaErrorInvalidValue;
        return add_node(node, graph, after, count, cudaGraphNodeTypeGraph,
                        [copied](CUstream_st& on) { return copied->launch(on); });
    });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   size_t count, const cudaMemcpy3DParms* copied) {
    return with(graph, [&] {
        const cudaMemcpy3DParms volume = *copied;
        return add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy,
                        [volume](CUstream_st& on) { return copy_volume(&volume, &on, false); });
    });
}

cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* what) {
    switch (what->type) {
        case cudaGraphNodeTypeKernel: {
            const cudaKernelNodeParamsV2& kernel = what->kernel;
            const cudaKernelNodeParams launch = {kernel.func,           kernel.gridDim,      kernel.blockDim,
                                                 kernel.sharedMemBytes, kernel.kernelParams, kernel.extra};
            return cudaGraphAddKernelNode(node, graph, after, count, &launch);
        }
        case cudaGraphNodeTypeMemcpy:
            return cudaGraphAddMemcpyNode(node, graph, after, count, &what->memcpy.copyParams);
        case cudaGraphNodeTypeMemset: {
            const cudaMemsetParamsV2& set = what->memset;
            const cudaMemsetParams fill_with = {set.dst,         set.pitch, set.value,
                                                set.elementSize, set.width, set.height};
            return cudaGraphAddMemsetNode(node, graph, after, count, &fill_with);
        }
        case cudaGraphNodeTypeHost: {
            const cudaHostNodeParams host = {what->host.fn, what->host.userData};
            return cudaGraphAddHostNode(node, graph, after, count, &host);
        }
        case cudaGraphNodeTypeGraph:
            return cudaGraphAddChildGraphNode(node, graph, after, count, what->graph.graph);
        case cudaGraphNodeTypeConditional:
            return with(graph, [&] {
                return add_conditional(graph, {after, after + count}, what->conditional, *node);
            });
        case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, after, count);
        default:
            complain("cudaGraphAddNode: the machine has no nodes of this type (" +
                     std::to_string(what->type) + ")");
            return report(cudaErrorNotSupported);
    }
}

cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    return with(graph, [&] {
        auto made = std::make_unique<CUgraph_st>();
        for (const auto& node : graph->nodes)
            if (node->conditional != nullptr) return cudaErrorNotSupported;
        std::map<const CUgraphNode_st*, CUgraphNode_st*> twin;
        for (const auto& node : graph->nodes) twin[node.get()] = made->add(node->type, node->submit, {});
        for (const auto& node : graph->nodes)
            for (const CUgraphNode_st* before : node->after) twin[node.get()]->after.push_back(twin[before]);
        return hand_out(clone, std::move(made));
    });
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* result) {
    return with(instance, [&]() -> cudaError_t {
        CUgraphExec_st other;
        const std::vector<CUgraphExec_st::Step>& steps = other.steps;
        const bool is_alike =
            in_order(*graph, other) && std::equal(steps.begin(), steps.end(), instance->steps.begin(),
                                                  instance->steps.end(), [](const auto& a, const auto& b) {
                                                      return a.type == b.type && a.branch == b.branch &&
                                                             a.after == b.after;
                                                  });
        *result = {is_alike ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged, nullptr,
                   nullptr};
        if (!is_alike) return cudaErrorGraphExecUpdateFailure;
        for (std::size_t i = 0; i < steps.size(); i++) instance->steps[i].submit = steps[i].submit;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t instance, cudaGraphNode_t node, unsigned is_enabled) {
    return with(instance, [&] {
        for (CUgraphExec_st::Step& step : instance->steps)
            if (step.node == node) return step.is_enabled = is_enabled != 0, cudaSuccess;
        return cudaErrorInvalidValue;
    });
}

cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t instance, cudaGraphNode_t node, unsigned* is_enabled) {
    return with(instance, [&] {
        for (const CUgraphExec_st::Step& step : instance->steps)
            if (step.node == node) return *is_enabled = step.is_enabled, cudaSuccess;
        return cudaErrorInvalidValue;
    });
}

}  // extern "C"

// clang-format off: several a line.
PTSZ(cudaGraphLaunch) PTSZ(cudaGraphUpload) PTSZ(cudaGraphInstantiateWithParams)
