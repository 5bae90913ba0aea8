// Graphs: lists of work to submit, captured from streams or made by hand.
#pragma once
#include <cuda_runtime_api.h>

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "simt/runtime/work.h"

/// Submits work to a stream, as often as it is called.
using Submission = std::function<cudaError_t(CUstream_st&)>;

/// What a conditional node goes by.
struct Condition {
    unsigned value, initial;
    bool is_assigned;  ///< the initial value, whenever its graph is launched
    bool has_node = false;
};

struct CUgraphNode_st {
    cudaGraphNodeType type;
    Submission submit;                   ///< null: made when the graph is instantiated
    std::vector<CUgraphNode_st*> after;  ///< nodes that come before it
    std::shared_ptr<struct ConditionalNode> conditional = nullptr;
};

/// In the order in which the nodes were made.
struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
    std::vector<std::shared_ptr<Condition>> conditions;  ///< of its handles
    CUgraphNode_st* add(cudaGraphNodeType type, Submission submit, std::vector<CUgraphNode_st*> after);
};

struct ConditionalNode {
    cudaGraphConditionalNodeType type;
    std::shared_ptr<Condition> condition;
    std::vector<std::unique_ptr<CUgraph_st>> bodies;  ///< which the program fills
    std::vector<cudaGraph_t> handles = {};            ///< the same, as the program has them
    ~ConditionalNode();
};

/// What a graph was when it was instantiated. Each chain of its nodes is a branch with a stream of its own;
/// the first one's is that of the launch. Launches of one instance follow one another.
struct CUgraphExec_st {
    struct Step {
        const CUgraphNode_st* node;  ///< of the graph, which may be gone: only for comparison
        cudaGraphNodeType type;
        Submission submit;
        std::size_t branch;
        std::vector<std::size_t> after;  ///< steps of other branches
        bool is_enabled = true;
    };
    std::vector<Step> steps;  ///< in an order that keeps all dependencies
    std::vector<std::unique_ptr<CUstream_st>> branches;
    std::vector<std::shared_ptr<Condition>> conditions;

    cudaError_t launch(CUstream_st& stream);
    ~CUgraphExec_st();
};

/// A capture in progress. All streams that take part share it.
struct Capture {
    std::unique_ptr<CUgraph_st> made;  ///< null: the program has made the graph
    CUgraph_st* graph = nullptr;
    CUstream_st* origin = nullptr;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::thread::id thread = std::this_thread::get_id();  ///< that began it
    unsigned long long id = 0;
    bool is_broken = false;  ///< by a call that must not be captured
    std::map<const void*, std::vector<CUgraphNode_st*>>
        last;  ///< by stream or event: what comes next follows these
    ~Capture();
};

namespace simt_runtime {

/// The graphs, and what was made of them, that the program has.
std::set<const void*>& graph_handles();

/// The steps of a graph so that each comes after those it depends on, else in the order in which they were
/// made. False if it has a cycle.
bool in_order(const CUgraph_st& graph, CUgraphExec_st& instance);

/// An empty piece of work, which others can wait for.
std::shared_ptr<Task> mark(CUstream_st& stream);

/// Null if a body has a cycle.
Submission submission_of(const ConditionalNode& node);
cudaError_t add_conditional(cudaGraph_t graph, std::vector<CUgraphNode_st*> after,
                            cudaConditionalNodeParams& is, cudaGraphNode_t& made);
/// False if the handle is none.
bool set_condition(cudaGraphConditionalHandle handle, unsigned value);

/// Submits the work, or adds it to the graph that the stream is captured into.
cudaError_t perform(CUstream_st& stream, cudaGraphNodeType type, Submission submit);

/// For a call that waits for the stream: an error if it is being captured, which breaks the capture.
cudaError_t refuse_in_capture(CUstream_st& stream);

/// For a call that may wait for the device: an error if a capture goes on whose mode forbids that to this
/// thread, which breaks the capture.
cudaError_t refuse_beside_captures();

}  // namespace simt_runtime
