// Conditional nodes of graphs: bodies that run, or run again, as a kernel has said by
// cudaGraphSetConditional.
#include <algorithm>
#include <utility>

#include "simt/runtime/calls/graph.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

std::map<cudaGraphConditionalHandle, std::shared_ptr<Condition>>& conditions() {
    static auto& all = *new std::map<cudaGraphConditionalHandle, std::shared_ptr<Condition>>();
    return all;
}

/// Of a conditional node, when its graph was instantiated.
struct Instance {
    cudaGraphConditionalNodeType type;
    std::shared_ptr<Condition> condition;
    std::vector<std::unique_ptr<CUgraphExec_st>> bodies;
    CUstream_st stream;  ///< in which bodies run

    Instance() {
        stream.flags = cudaStreamNonBlocking;
        stream.is_in_use = false;
        State::get().streams.insert(&stream);
    }
    ~Instance() { State::get().streams.erase(&stream); }

    /// The body that the condition asks for now; null: none.
    CUgraphExec_st* chosen() const {
        const unsigned value = condition->value;
        const std::size_t which = type == cudaGraphCondTypeSwitch ? value : value == 0;
        return which < bodies.size() ? bodies[which].get() : nullptr;
    }
};

class ConditionalTask : public Task {
   public:
    ConditionalTask(int device, std::shared_ptr<Instance> instance)
        : Task(device), instance_(std::move(instance)) {}

    bool run() override {
        CUstream_st& stream = instance_->stream;
        for (;; has_begun_ = true) {
            if (has_begun_ && stream.last != nullptr && !stream.last->is_done()) return false;
            const bool is_last = has_begun_ && instance_->type != cudaGraphCondTypeWhile;
            CUgraphExec_st* const body = is_last ? nullptr : instance_->chosen();
            if (body == nullptr) return stream.is_in_use = false, true;
            if (const cudaError_t error = body->launch(stream)) State::get().devices[device()]->error = error;
        }
    }

   private:
    std::shared_ptr<Instance> instance_;
    bool has_begun_ = false;
};

cudaError_t submit(const std::shared_ptr<Instance>& instance, CUstream_st& on) {
    Queue& queue = State::get().queue;
    CUstream_st& own = instance->stream;
    own.device = on.device;
    own.is_in_use = true;
    own.known = merge(own.known, queue.next(on).before);
    queue.submit(on, std::make_shared<ConditionalTask>(on.device, instance));
    // All that bodies do, however much it will be, happens before what follows.
    on.known = merge(on.known, sass::clock_of({own.serial, {{sass::EVERY, ~0u}}}));
    return mark(on), cudaSuccess;
}

bool may_have(cudaGraphConditionalNodeType type, unsigned bodies) {
    switch (type) {
        case cudaGraphCondTypeIf: return bodies == 1 || bodies == 2;
        case cudaGraphCondTypeWhile: return bodies == 1;
        case cudaGraphCondTypeSwitch: return bodies >= 1;
        default: return false;
    }
}

}  // namespace

Submission submission_of(const ConditionalNode& node) {
    const auto instance = std::make_shared<Instance>();
    instance->type = node.type;
    instance->condition = node.condition;
    for (const auto& body : node.bodies) {
        instance->bodies.push_back(std::make_unique<CUgraphExec_st>());
        if (!in_order(*body, *instance->bodies.back())) return nullptr;
    }
    return [instance](CUstream_st& on) { return submit(instance, on); };
}

bool set_condition(cudaGraphConditionalHandle handle, unsigned value) {
    const auto at = conditions().find(handle);
    if (at == conditions().end()) return false;
    return at->second->value = value, true;
}

cudaError_t add_conditional(cudaGraph_t graph, std::vector<CUgraphNode_st*> after,
                            cudaConditionalNodeParams& is, cudaGraphNode_t& made) {
    const auto condition = conditions().find(is.handle);
    if (condition == conditions().end() || condition->second->has_node || !may_have(is.type, is.size))
        return cudaErrorInvalidValue;
    const auto node = std::make_shared<ConditionalNode>();
    node->type = is.type;
    node->condition = condition->second;
    node->condition->has_node = true;
    for (unsigned i = 0; i < is.size; ++i) {
        node->bodies.push_back(std::make_unique<CUgraph_st>());
        node->handles.push_back(node->bodies.back().get());
        graph_handles().insert(node->handles.back());
    }
    is.phGraph_out = node->handles.data();
    made = graph->add(cudaGraphNodeTypeConditional, nullptr, std::move(after));
    made->conditional = node;
    return cudaSuccess;
}

}  // namespace simt_runtime

using namespace simt_runtime;

ConditionalNode::~ConditionalNode() {
    for (const cudaGraph_t body : handles) graph_handles().erase(body);
}

extern "C" cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                                        unsigned value, unsigned flags) {
    return call([&] {
        if (handle == nullptr || graph_handles().count(graph) == 0 || flags > cudaGraphCondAssignDefault)
            return cudaErrorInvalidValue;
        *handle = conditions().size() + 1;
        conditions()[*handle] = std::make_shared<Condition>(Condition{value, value, flags != 0});
        graph->conditions.push_back(conditions()[*handle]);
        return cudaSuccess;
    });
}
