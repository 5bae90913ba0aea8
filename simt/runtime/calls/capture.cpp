// Streams that are captured: what is submitted to them becomes the nodes of a graph.
#include <utility>

#include "simt/runtime/calls/graph.h"
#include "simt/runtime/per_thread.h"
#include "simt/runtime/state.h"

namespace simt_runtime {

cudaError_t perform(CUstream_st& stream, cudaGraphNodeType type, Submission submit) {
    if (stream.capture == nullptr) {
        if (stream.is_legacy)
            for (CUstream_st* other : State::get().streams)
                if (other->capture != nullptr && other->is_blocking() && other->device == stream.device)
                    return other->capture->is_broken = true, cudaErrorStreamCaptureImplicit;
        return submit(stream);
    }
    Capture& capture = *stream.capture;
    if (capture.is_broken) return cudaErrorStreamCaptureInvalidated;
    CUgraphNode_st* node = capture.graph->add(type, std::move(submit), capture.last[&stream]);
    capture.last[&stream] = {node};
    return cudaSuccess;
}

cudaError_t refuse_in_capture(CUstream_st& stream) {
    if (stream.capture == nullptr) return cudaSuccess;
    stream.capture->is_broken = true;
    return cudaErrorStreamCaptureUnsupported;
}

namespace {

thread_local cudaStreamCaptureMode mode_of_thread = cudaStreamCaptureModeGlobal;

}  // namespace

cudaError_t refuse_beside_captures() {
    if (mode_of_thread == cudaStreamCaptureModeRelaxed) return cudaSuccess;
    for (CUstream_st* stream : State::get().streams) {
        if (stream->capture == nullptr) continue;
        const bool is_own = stream->capture->thread == std::this_thread::get_id();
        const bool forbids = is_own ? stream->capture->mode != cudaStreamCaptureModeRelaxed
                                    : stream->capture->mode == cudaStreamCaptureModeGlobal &&
                                          mode_of_thread == cudaStreamCaptureModeGlobal;
        if (forbids) return refuse_in_capture(*stream);
    }
    return cudaSuccess;
}

namespace {

/// Into the graph, after these nodes of it; null: into a new one.
cudaError_t begin_capture(cudaStream_t handle, cudaGraph_t graph, std::vector<CUgraphNode_st*> after,
                          cudaStreamCaptureMode mode) {
    return call([&] {
        CUstream_st* stream = State::get().stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (stream->is_legacy) return cudaErrorStreamCaptureUnsupported;
        if (stream->capture != nullptr) return cudaErrorIllegalState;
        static unsigned long long next_id = 1;
        stream->capture = std::make_shared<Capture>();
        if (graph == nullptr) stream->capture->made = std::make_unique<CUgraph_st>();
        stream->capture->graph = graph == nullptr ? stream->capture->made.get() : graph;
        stream->capture->last[stream] = std::move(after);
        graph_handles().insert(stream->capture->graph);
        stream->capture->origin = stream;
        stream->capture->mode = mode;
        stream->capture->id = next_id++;
        return cudaSuccess;
    });
}

cudaError_t end_capture(cudaStream_t handle, cudaGraph_t* graph) {
    return call([&] {
        if (graph != nullptr) *graph = nullptr;
        CUstream_st* stream = State::get().stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        const auto capture = stream->capture;
        if (capture == nullptr) return cudaErrorIllegalState;
        if (capture->origin != stream) return capture->is_broken = true, cudaErrorStreamCaptureUnmatched;
        stream->capture = nullptr;
        for (CUstream_st* other : State::get().streams)
            if (other->capture == capture) other->capture = nullptr;
        if (capture->is_broken) return cudaErrorStreamCaptureInvalidated;
        if (graph != nullptr) *graph = capture->graph;
        (void)capture->made.release();
        return cudaSuccess;
    });
}

}  // namespace
}  // namespace simt_runtime

using namespace simt_runtime;

Capture::~Capture() {
    if (made != nullptr) graph_handles().erase(made.get());
}

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    return begin_capture(stream, nullptr, {}, mode);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                          size_t count, cudaStreamCaptureMode mode) {
    if (graph_handles().count(graph) == 0) return report(cudaErrorInvalidValue);
    return begin_capture(stream, graph, {after, after + count}, mode);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    return end_capture(stream, graph);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t handle, cudaStreamCaptureStatus* status) {
    return call([&] {
        const CUstream_st* stream = State::get().stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        *status = stream->capture == nullptr   ? cudaStreamCaptureStatusNone
                  : stream->capture->is_broken ? cudaStreamCaptureStatusInvalidated
                                               : cudaStreamCaptureStatusActive;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t handle, cudaStreamCaptureStatus* status,
                                     unsigned long long* id, cudaGraph_t* graph,
                                     const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                     size_t* count) {
    const cudaError_t error = cudaStreamIsCapturing(handle, status);
    if (error != cudaSuccess || *status == cudaStreamCaptureStatusNone) return error;
    return call([&] {
        CUstream_st* stream = State::get().stream(handle);
        Capture& capture = *stream->capture;
        if (id != nullptr) *id = capture.id;
        if (graph != nullptr) *graph = capture.graph;
        if (after != nullptr) *after = capture.last[stream].data();
        if (edges != nullptr) *edges = nullptr;
        if (count != nullptr) *count = capture.last[stream].size();
        return cudaSuccess;
    });
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t handle, cudaGraphNode_t* after,
                                                const cudaGraphEdgeData*, size_t count, unsigned flags) {
    return call([&] {
        CUstream_st* stream = State::get().stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (stream->capture == nullptr) return cudaErrorIllegalState;
        if (flags > cudaStreamSetCaptureDependencies || (after == nullptr && count != 0))
            return cudaErrorInvalidValue;
        std::vector<CUgraphNode_st*>& last = stream->capture->last[stream];
        if (flags == cudaStreamSetCaptureDependencies) last.clear();
        last.insert(last.end(), after, after + count);
        return cudaSuccess;
    });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    std::swap(mode_of_thread, *mode);
    return cudaSuccess;
}

}  // extern "C"

// clang-format off: several a line.
PTSZ(cudaStreamBeginCapture) PTSZ(cudaStreamEndCapture) PTSZ(cudaStreamIsCapturing)
PTSZ(cudaStreamGetCaptureInfo) PTSZ(cudaStreamUpdateCaptureDependencies) PTSZ(cudaStreamBeginCaptureToGraph)
