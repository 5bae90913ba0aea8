#include "simt/runtime/calls/copies.h"

#include <cstring>

#include "simt/order/device.h"
#include "simt/run/memory.h"
#include "simt/runtime/calls/arrays.h"
#include "simt/runtime/calls/graph.h"
#include "simt/runtime/host/host_line.h"
#include "simt/runtime/host/unwritten_copy.h"
#include "simt/runtime/per_thread.h"
#include "simt/runtime/recorder.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

std::size_t extent(std::size_t pitch, std::size_t width, std::size_t rows) {
    return rows == 0 || width == 0 ? 0 : pitch * (rows - 1) + width;
}

/// A copy or a filling has read and written these rows: what launches do that nothing orders may race with
/// it.
void note(const CopyArguments& copy, const sass::Submitted& place) {
    sass::GlobalOrder& order = sass::GlobalOrder::get();
    if (!sass::Options::current().checks) return;
    for (std::size_t row = 0; row < copy.rows; row++) {
        const auto* to = static_cast<const char*>(copy.to) + row * copy.to_pitch;
        const auto* from = static_cast<const char*>(copy.from) + row * copy.from_pitch;
        std::vector<sass::Finding> findings = order.copied(number(to), copy.width, true, place);
        if (copy.from != nullptr) {
            for (sass::Finding& each : order.copied(number(from), copy.width, false, place))
                findings.push_back(each);
            pass_on_what_is_written(number(from), number(to), copy.width);
        }
        for (sass::Finding& each : findings) {  // one of two copies is of no kernel, but of the host's line
            if (!each.kernel.empty()) continue;
            const HostLine line = line_of(call_site());
            each.file = line.file, each.source_line = line.number;
            each.line = (line.number == 0 ? "" : line.place() + ": ") + each.line;
        }
        Recorder::get().add_findings(findings);
    }
}

/// A copy to the host: has anything written what it reads?
void look_for_unwritten(const CopyArguments& copy, const CallSite& site) {
    UnwrittenCopy unwritten;
    for (std::size_t row = 0; row < copy.rows; row++)
        unwritten.add(number(copy.from) + row * copy.from_pitch, copy.width);
    unwritten.report(site);
}

void run(const CopyArguments& copy) {
    for (std::size_t row = 0; row < copy.rows; row++)
        std::memmove(static_cast<char*>(copy.to) + row * copy.to_pitch,
                     static_cast<const char*>(copy.from) + row * copy.from_pitch, copy.width);
    const std::int64_t bytes = std::int64_t(copy.width * copy.rows);
    const bool to_device = is_on_device(copy.to), from_device = is_on_device(copy.from);
    if (to_device != from_device) Recorder::get().copied(to_device ? bytes : 0, from_device ? bytes : 0);
}

/// A copy whose source is the machine's own: what the host's memory held when the copy was submitted.
CopyArguments with_own_source(const CopyArguments& copy, std::vector<char>& storage) {
    const std::size_t bytes = extent(copy.from_pitch, copy.width, copy.rows);
    const char* from = static_cast<const char*>(copy.from);
    storage.assign(from, from + bytes);
    CopyArguments own = copy;
    own.from = storage.data();
    return own;
}

cudaError_t submit(CUstream_st& stream, const CopyArguments& copy) {
    auto storage = std::make_shared<std::vector<char>>();
    Queue& queue = State::get().queue;
    const bool is_late = sass::Options::current().is_late;
    const bool must_wait = is_late || !queue.is_idle(stream.device);
    const CopyArguments own = must_wait && is_pageable(copy.from) ? with_own_source(copy, *storage) : copy;
    const sass::Submitted place = queue.next(stream);
    const bool is_to_host =
        sass::Options::current().checks && is_on_device(copy.from) && !is_on_device(copy.to);
    const CallSite site = is_to_host ? call_site() : CallSite();
    queue.submit(stream, std::make_shared<Action>(stream.device, [own, storage, place, is_to_host, site] {
                     run(own);
                     note(own, place);
                     if (is_to_host) look_for_unwritten(own, site);
                 }));
    if (is_late && is_pageable(copy.to)) queue.finish(stream.last);  // as on a GPU
    return cudaSuccess;
}

}  // namespace

cudaError_t perform_and_wait(cudaStream_t handle, bool waits, cudaGraphNodeType type,
                             const Submission& submission) {
    CUstream_st* stream = State::get().stream(handle);
    if (stream == nullptr) return cudaErrorInvalidResourceHandle;
    if (waits)
        if (const cudaError_t error = refuse_in_capture(*stream)) return error;
    const cudaError_t error = perform(*stream, type, submission);
    if (error != cudaSuccess || !waits) return error;
    State::get().queue.wait_for(stream->last);
    return State::get().devices[stream->device]->error;
}

bool is_pageable(const void* address) { return sass::Memory::of_device().find(number(address)).end == 0; }

bool is_on_device(const void* address) {
    const sass::Allocation allocation = sass::Memory::of_device().find(number(address));
    return allocation.end != 0 && !allocation.is_host;
}

bool is_allocated(const void* begin, std::size_t bytes) {
    const sass::Allocation allocation = sass::Memory::of_device().find(number(begin));
    return allocation.end != 0 && bytes <= allocation.end - number(begin);
}

cudaError_t check(const CopyArguments& copy) {
    const std::size_t to_bytes = extent(copy.to_pitch, copy.width, copy.rows),
                      from_bytes = extent(copy.from_pitch, copy.width, copy.rows);
    if (to_bytes == 0) return cudaSuccess;
    if (copy.rows > 1 && (copy.width > copy.to_pitch || copy.width > copy.from_pitch))
        return cudaErrorInvalidPitchValue;
    if (copy.to == nullptr || copy.from == nullptr) return cudaErrorInvalidValue;
    const auto kind = copy.kind;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice,
               from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    const auto is_good = [](const void* side, std::size_t bytes, bool must_be_known) {
        return is_pageable(side) ? !must_be_known : is_allocated(side, bytes);
    };
    if (!is_good(copy.to, to_bytes, to_device) || !is_good(copy.from, from_bytes, from_device))
        return cudaErrorInvalidValue;
    const bool is_wrong = (!to_device && kind != cudaMemcpyDefault && is_on_device(copy.to)) ||
                          (!from_device && kind != cudaMemcpyDefault && is_on_device(copy.from));
    return is_wrong ? cudaErrorInvalidValue : cudaSuccess;
}

cudaError_t copy(const CopyArguments& arguments, cudaStream_t stream, bool waits) {
    return call_with_turn([&]() -> cudaError_t {
        if (const cudaError_t error = check(arguments)) return error;
        if (arguments.width == 0 || arguments.rows == 0) return cudaSuccess;
        return perform_and_wait(stream, waits, cudaGraphNodeTypeMemcpy,
                                [arguments](CUstream_st& to) { return submit(to, arguments); });
    });
}

namespace {

void fill_row(char* to, int value, std::size_t width, std::size_t element) {
    if (element == 1) return void(std::memset(to, value, width));
    for (std::size_t at = 0; at < width; at += element) std::memcpy(to + at, &value, element);
}

}  // namespace

cudaError_t fill(void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows,
                 cudaStream_t stream, bool waits, std::size_t element) {
    return call_with_turn([&]() -> cudaError_t {
        const std::size_t bytes = extent(pitch, width, rows);
        if (bytes == 0) return cudaSuccess;
        if (!is_allocated(to, bytes)) return cudaErrorInvalidValue;
        return perform_and_wait(stream, waits, cudaGraphNodeTypeMemset, [=](CUstream_st& on) {
            const sass::Submitted place = State::get().queue.next(on);
            State::get().queue.submit(
                on, std::make_shared<Action>(on.device, [=] {
                    for (std::size_t row = 0; row < rows; row++)
                        fill_row(static_cast<char*>(to) + row * pitch, value, width, element);
                    note({to, pitch, nullptr, 0, width, rows, cudaMemcpyDefault}, place);
                    Recorder::get().filled(std::int64_t(width * rows));
                }));
            return cudaSuccess;
        });
    });
}

cudaError_t copy_volume(const cudaMemcpy3DParms* all, cudaStream_t stream, bool waits) {
    if (all == nullptr) return report(cudaErrorInvalidValue);
    if (all->srcArray != nullptr || all->dstArray != nullptr) return copy_arrays(*all, stream, waits);
    if (all->srcPtr.ptr == nullptr || all->dstPtr.ptr == nullptr) return report(cudaErrorInvalidValue);
    const auto at = [](const cudaPitchedPtr& volume, const cudaPos& begin, std::size_t layer) {
        const std::size_t row = (begin.z + layer) * volume.ysize + begin.y;
        return static_cast<char*>(volume.ptr) + row * volume.pitch + begin.x;
    };
    cudaError_t error = cudaSuccess;
    for (std::size_t layer = 0; layer < all->extent.depth && error == cudaSuccess; layer++)
        error =
            copy({at(all->dstPtr, all->dstPos, layer), all->dstPtr.pitch, at(all->srcPtr, all->srcPos, layer),
                  all->srcPtr.pitch, all->extent.width, all->extent.height, all->kind},
                 stream, waits);
    return error;
}

namespace {

cudaError_t fill_volume(const cudaPitchedPtr& volume, int value, const cudaExtent& extent,
                        cudaStream_t stream, bool waits) {
    cudaError_t error = cudaSuccess;
    for (std::size_t layer = 0; layer < extent.depth && error == cudaSuccess; layer++)
        error = fill(static_cast<char*>(volume.ptr) + layer * volume.ysize * volume.pitch, volume.pitch,
                     value, extent.width, extent.height, stream, waits);
    return error;
}

CopyArguments flat(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return {to, bytes, from, bytes, bytes, 1, kind};
}

}  // namespace
}  // namespace simt_runtime

using namespace simt_runtime;

extern "C" {

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return copy(flat(to, from, bytes, kind), nullptr, true);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return copy(flat(to, from, bytes, kind), stream, false);
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
    return copy(flat(to, from, bytes, cudaMemcpyDefault), nullptr, true);
}

cudaError_t cudaMemcpyPeerAsync(void* to, int, const void* from, int, size_t bytes, cudaStream_t stream) {
    return copy(flat(to, from, bytes, cudaMemcpyDefault), stream, false);
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                         size_t rows, cudaMemcpyKind kind) {
    return copy({to, to_pitch, from, from_pitch, width, rows, kind}, nullptr, true);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t rows, cudaMemcpyKind kind, cudaStream_t stream) {
    return copy({to, to_pitch, from, from_pitch, width, rows, kind}, stream, false);
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* all) { return copy_volume(all, nullptr, true); }

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* all, cudaStream_t stream) {
    return copy_volume(all, stream, false);
}

cudaError_t cudaMemset3D(cudaPitchedPtr volume, int value, cudaExtent extent) {
    return fill_volume(volume, value, extent, nullptr, true);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr volume, int value, cudaExtent extent, cudaStream_t stream) {
    return fill_volume(volume, value, extent, stream, false);
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    return fill(to, bytes, value, bytes, 1, nullptr, true);
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    return fill(to, bytes, value, bytes, 1, stream, false);
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t rows) {
    return fill(to, pitch, value, width, rows, nullptr, true);
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t rows,
                              cudaStream_t stream) {
    return fill(to, pitch, value, width, rows, stream, false);
}

}  // extern "C"

// clang-format off: several a line.
PTDS(cudaMemcpy) PTSZ(cudaMemcpyAsync) PTDS(cudaMemcpy2D) PTSZ(cudaMemcpy2DAsync) PTDS(cudaMemcpy3D)
PTSZ(cudaMemcpy3DAsync) PTDS(cudaMemset3D) PTSZ(cudaMemset3DAsync) PTDS(cudaMemset) PTSZ(cudaMemsetAsync)
PTDS(cudaMemset2D) PTSZ(cudaMemset2DAsync)
