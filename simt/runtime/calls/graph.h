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

struct CUgraphNode_st {
    cudaGraphNodeType type;
    Submission submit;
    std::vector<CUgraphNode_st*> after;  ///< nodes that come before it
};

/// In the order in which the nodes were made.
struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;
    CUgraphNode_st* add(cudaGraphNodeType type, Submission submit, std::vector<CUgraphNode_st*> after);
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

    cudaError_t launch(CUstream_st& stream);
    ~CUgraphExec_st();
};

/// A capture in progress. All streams that take part share it.
struct Capture {
    std::unique_ptr<CUgraph_st> graph = std::make_unique<CUgraph_st>();
    CUstream_st* origin = nullptr;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::thread::id thread = std::this_thread::get_id();  ///< that began it
    unsigned long long id = 0;
    bool is_broken = false;  ///< by a call that must not be captured
    std::map<const void*, std::vector<CUgraphNode_st*>>
        last;  ///< by stream or event: what comes next follows these
};

namespace simt_runtime {

/// The graphs, and what was made of them, that the program has.
std::set<const void*>& graph_handles();

/// Submits the work, or adds it to the graph that the stream is captured into.
cudaError_t perform(CUstream_st& stream, cudaGraphNodeType type, Submission submit);

/// For a call that waits for the stream: an error if it is being captured, which breaks the capture.
cudaError_t refuse_in_capture(CUstream_st& stream);

/// For a call that may wait for the device: an error if a capture goes on whose mode forbids that to this
/// thread, which breaks the capture.
cudaError_t refuse_beside_captures();

}  // namespace simt_runtime
