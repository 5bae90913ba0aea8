// Work as a CUDA graph: captured once, launched as a whole many times. GPU only.
#pragma once
#include <cuda_runtime.h>

#include <stdexcept>

#include "experiments/harness/case.h"
#include "experiments/harness/cuda_check.h"

namespace harness {

class Graph {
   public:
    /// Captures what `work` queues on the stream, without running it. The work must have run once before:
    /// what the runtime loads or sets up at the first call cannot be captured. Throws std::runtime_error if
    /// the work cannot be captured.
    Graph(cudaStream_t stream, const Work& work) : stream_(stream) {
        try {
            graph_ = capture(work);
            std::size_t nodes = 0;
            check(cudaGraphGetNodes(graph_, nullptr, &nodes), CANNOT);
            if (nodes == 0)
                throw std::runtime_error(std::string(CANNOT) + ": nothing was queued on the stream");
            check(cudaGraphInstantiate(&instance_, graph_, 0), CANNOT);
            check(cudaGraphUpload(instance_, stream_), CANNOT);
        } catch (...) {
            destroy();
            throw;
        }
    }
    ~Graph() { destroy(); }
    Graph(const Graph&) = delete;
    Graph& operator=(const Graph&) = delete;

    /// Errors are reported by cudaGetLastError.
    void launch() const { (void)cudaGraphLaunch(instance_, stream_); }

   private:
    static constexpr char CANNOT[] = "the work cannot be submitted as a graph";

    /// Thread-local mode: what cannot be captured, such as an allocation, is an error on this thread only.
    cudaGraph_t capture(const Work& work) const {
        check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), CANNOT);
        cudaGraph_t graph = nullptr;
        try {
            work();
        } catch (...) {
            (void)cudaStreamEndCapture(stream_, &graph);
            if (graph != nullptr) (void)cudaGraphDestroy(graph);
            (void)cudaGetLastError();
            throw;
        }
        const cudaError_t queued = cudaGetLastError();  // the cause; what follows is only its consequence
        const cudaError_t ended = cudaStreamEndCapture(stream_, &graph);
        (void)cudaGetLastError();
        if (queued != cudaSuccess || ended != cudaSuccess) {
            if (graph != nullptr) (void)cudaGraphDestroy(graph);
            check(queued, CANNOT);
            check(ended, CANNOT);
        }
        return graph;
    }

    void destroy() {
        if (instance_ != nullptr) (void)cudaGraphExecDestroy(instance_);
        if (graph_ != nullptr) (void)cudaGraphDestroy(graph_);
    }

    cudaStream_t stream_;
    cudaGraph_t graph_ = nullptr;
    cudaGraphExec_t instance_ = nullptr;
};

}  // namespace harness
