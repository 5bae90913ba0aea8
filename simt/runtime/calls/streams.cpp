// Streams, events and what waits for them.
#include <algorithm>

#include "simt/runtime/calls/graph.h"
#include "simt/runtime/per_thread.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

cudaError_t make_stream(cudaStream_t* handle, unsigned flags, int priority) {
    return call([&] {
        if (handle == nullptr || (flags & ~unsigned(cudaStreamNonBlocking)) != 0)
            return cudaErrorInvalidValue;
        static unsigned long long next_id = 3;
        auto* stream = new CUstream_st();
        stream->device = Thread::get().device;
        stream->flags = flags;
        stream->priority = priority;
        stream->id = next_id++;
        State::get().streams.insert(stream);
        *handle = stream;
        return cudaSuccess;
    });
}

/// Calls `body` with the stream that a handle means.
template <class Body>
cudaError_t with_stream(cudaStream_t handle, Body body) {
    return call_with_turn([&]() -> cudaError_t {
        CUstream_st* stream = State::get().stream(handle);
        return stream == nullptr ? cudaErrorInvalidResourceHandle : body(*stream);
    });
}

template <class Body>
cudaError_t with_event(cudaEvent_t event, Body body) {
    return call_with_turn([&]() -> cudaError_t {
        return State::get().events.count(event) == 0 ? cudaErrorInvalidResourceHandle : body(*event);
    });
}

cudaError_t call_host(CUstream_st& stream, std::function<void()> function) {
    const int device = stream.device;
    return perform(stream, cudaGraphNodeTypeHost, [device, function](CUstream_st& on) {
        // Whom the function tells, by a new thread, a lock or a flag, nobody sees: everybody knows.
        const auto told = [known = on.known, function] {
            State::get().queue.learn(known);
            function();
        };
        State::get().queue.submit(on, std::make_shared<Action>(device, told));
        return cudaSuccess;
    });
}

/// Before a stream's work, a device's error counts more.
cudaError_t after_wait(int device) { return State::get().devices[device]->error; }

/// Who asks in vain asks again.
cudaError_t after_query(const std::shared_ptr<Task>& task, int device) {
    if (task == nullptr || task->is_done()) {
        State::get().queue.wait_for(task);  // now the host knows
        return after_wait(device);
    }
    State::get().queue.turn(true);
    return cudaErrorNotReady;
}

}  // namespace
}  // namespace simt_runtime

using namespace simt_runtime;

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return make_stream(stream, cudaStreamDefault, 0); }

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    return make_stream(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
    return make_stream(stream, flags, std::clamp(priority, -5, 0));
}

cudaError_t cudaStreamDestroy(cudaStream_t handle) {
    return call_with_turn([&] {
        if (State::get().streams.erase(handle) == 0) return cudaErrorInvalidResourceHandle;
        sass::SharedClock& left = State::get().devices[handle->device]->left;
        left = merge(left, handle->known);
        delete handle;  // work that it has left runs on
        return cudaSuccess;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
    return with_stream(handle, [](CUstream_st& stream) -> cudaError_t {
        if (const cudaError_t error = refuse_in_capture(stream)) return error;
        if (stream.is_legacy) {
            auto last = std::make_shared<Action>(stream.device, [] {});
            State::get().queue.submit(stream, last);  // comes after all blocking streams
            State::get().queue.wait_for(last);
        }
        State::get().queue.wait_for(stream.last);
        return after_wait(stream.device);
    });
}

cudaError_t cudaStreamQuery(cudaStream_t handle) {
    return with_stream(handle, [](CUstream_st& stream) -> cudaError_t {
        if (const cudaError_t error = refuse_in_capture(stream)) return error;
        return after_query(stream.last, stream.device);
    });
}

cudaError_t cudaStreamGetPriority(cudaStream_t handle, int* priority) {
    return with_stream(handle, [&](CUstream_st& stream) { return *priority = stream.priority, cudaSuccess; });
}

cudaError_t cudaStreamGetFlags(cudaStream_t handle, unsigned* flags) {
    return with_stream(handle, [&](CUstream_st& stream) { return *flags = stream.flags, cudaSuccess; });
}

cudaError_t cudaStreamGetId(cudaStream_t handle, unsigned long long* id) {
    return with_stream(handle, [&](CUstream_st& stream) { return *id = stream.id, cudaSuccess; });
}

cudaError_t cudaStreamGetDevice(cudaStream_t handle, int* device) {
    return with_stream(handle, [&](CUstream_st& stream) { return *device = stream.device, cudaSuccess; });
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t handle, void*, size_t, unsigned) {
    return with_stream(handle, [](CUstream_st&) { return cudaSuccess; });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned) {
    return with_stream(handle, [&](CUstream_st& stream) {
        if (State::get().events.count(event) == 0) return cudaErrorInvalidResourceHandle;
        if (event->capture != nullptr) {  // the stream joins the capture
            stream.capture = event->capture;
            auto& last = stream.capture->last;
            const std::vector<CUgraphNode_st*> recorded = last[event];
            last[&stream].insert(last[&stream].end(), recorded.begin(), recorded.end());
            return cudaSuccess;
        }
        if (stream.capture == nullptr) State::get().queue.order_after(stream, event->marker);
        return cudaSuccess;
    });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t handle, cudaHostFn_t function, void* data) {
    return with_stream(handle,
                       [&](CUstream_st& stream) { return call_host(stream, [=] { function(data); }); });
}

cudaError_t cudaStreamAddCallback(cudaStream_t handle, cudaStreamCallback_t function, void* data, unsigned) {
    return with_stream(handle, [&](CUstream_st& stream) -> cudaError_t {
        if (const cudaError_t error = refuse_in_capture(stream)) return error;
        return call_host(stream, [=] { function(handle, cudaSuccess, data); });
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned flags) {
    return call([&] {
        if (handle == nullptr) return cudaErrorInvalidValue;
        auto* event = new CUevent_st();
        event->flags = flags;
        event->device = Thread::get().device;
        State::get().events.insert(event);
        *handle = event;
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return cudaEventCreateWithFlags(event, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t handle) {
    return with_event(handle, [](CUevent_st& event) {
        State::get().events.erase(&event);
        delete &event;
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t on) {
    return with_event(handle, [&](CUevent_st& event) {
        CUstream_st* stream = State::get().stream(on);
        if (stream == nullptr || stream->device != event.device) return cudaErrorInvalidResourceHandle;
        event.capture = stream->capture;
        if (stream->capture != nullptr) {
            stream->capture->last[&event] = stream->capture->last[stream];
            return cudaSuccess;
        }
        event.marker = std::make_shared<Marker>(stream->device);
        State::get().queue.submit(*stream, event.marker);
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
    return with_event(handle, [](CUevent_st& event) {
        if (event.capture != nullptr) return event.capture->is_broken = true, cudaErrorCapturedEvent;
        return after_query(event.marker, event.device);
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
    return with_event(handle, [](CUevent_st& event) {
        if (event.capture != nullptr) return event.capture->is_broken = true, cudaErrorCapturedEvent;
        const auto marker = event.marker;
        State::get().queue.wait_for(marker);
        return after_wait(event.device);
    });
}

/// By the host's clock: how long the machine took, which says nothing about a GPU.
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
    return with_event(from, [&](CUevent_st& first) {
        if (milliseconds == nullptr) return cudaErrorInvalidValue;
        if (State::get().events.count(to) == 0) return cudaErrorInvalidResourceHandle;
        for (const CUevent_st* event : {&first, to}) {
            if (event->marker == nullptr || (event->flags & cudaEventDisableTiming))
                return cudaErrorInvalidResourceHandle;
            if (!event->marker->is_done()) return Thread::get().call_error = cudaErrorNotReady;
        }
        *milliseconds =
            std::chrono::duration<float, std::milli>(to->marker->end() - first.marker->end()).count();
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceSynchronize() {
    return call([] {
        const int device = State::get().device().index;
        State::get().queue.wait_for_device(device);
        return after_wait(device);
    });
}

/// Caches, priorities and the like: nothing that the machine has.
cudaError_t cudaStreamSetAttribute(cudaStream_t handle, cudaLaunchAttributeID,
                                   const cudaLaunchAttributeValue*) {
    return call([&] { return State::get().stream(handle) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    return call([&] {
        const bool are_known = State::get().stream(to) != nullptr && State::get().stream(from) != nullptr;
        return are_known ? cudaSuccess : cudaErrorInvalidResourceHandle;
    });
}

}  // extern "C"

// clang-format off: several a line.
PTSZ(cudaStreamSynchronize) PTSZ(cudaStreamQuery) PTSZ(cudaStreamGetPriority) PTSZ(cudaStreamGetFlags)
PTSZ(cudaStreamGetId) PTSZ(cudaStreamGetDevice) PTSZ(cudaStreamAttachMemAsync) PTSZ(cudaStreamWaitEvent)
PTSZ(cudaLaunchHostFunc) PTSZ(cudaStreamAddCallback) PTSZ(cudaEventRecord) PTSZ(cudaEventRecordWithFlags)
PTSZ(cudaStreamSetAttribute) PTSZ(cudaStreamCopyAttributes)
