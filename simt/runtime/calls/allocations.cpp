// Memory of the device and of the host that the machine knows.
#include <map>

#include "simt/order/device.h"
#include "simt/run/memory.h"
#include "simt/runtime/calls/copies.h"
#include "simt/runtime/host/host_guard.h"
#include "simt/runtime/host/host_line.h"
#include "simt/runtime/host/unwritten_copy.h"
#include "simt/runtime/per_thread.h"
#include "simt/runtime/recorder.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

/// What cudaPointerGetAttributes says of an allocation, by its first address.
struct Kind {
    cudaMemoryType type;
    int device;
    CallSite origin;
    bool is_of_graph =
        false;  ///< stays when it is freed: a graph has the same memory in each of its launches
};
std::map<std::uint64_t, Kind>& kinds() {
    static auto& all = *new std::map<std::uint64_t, Kind>();
    return all;
}

/// "data, 256 bytes allocated at main.cu:12"
std::string description(std::uint64_t begin, std::size_t bytes) {
    const auto kind = kinds().find(begin);
    const HostLine line = kind == kinds().end() ? HostLine() : line_of(kind->second.origin);
    if (line.number == 0) return "";
    const std::string variable = line.variable();
    return (variable.empty() ? "an allocation of " : variable + ", ") + std::to_string(bytes) +
           (bytes == 1 ? " byte" : " bytes") + (variable.empty() ? " at " : " allocated at ") + line.place();
}

void note_origin(void* address, std::size_t bytes, bool is_host) {
    kinds()[reinterpret_cast<std::uint64_t>(address)].origin = call_site();
    HostGuard::add(address, bytes, is_host);
    sass::Memory& memory = sass::Memory::of_device();
    if (!memory.describe)
        memory.describe = [](const sass::Allocation& each) {
            return description(each.begin, each.end - each.begin);
        };
}

/// Of memory that the program is about to free, or ends with.
void look_for_unwritten(std::uint64_t begin, const Kind& kind) {
    if (sass::Options::current().checks && kind.type != cudaMemoryTypeDevice)
        report_unwritten_end(begin, kind.origin);
}

cudaError_t allocate(void** address, std::size_t bytes, cudaMemoryType type, bool is_in_stream = false) {
    return call([&] {
        if (address == nullptr) return cudaErrorInvalidValue;
        if (!is_in_stream)
            if (const cudaError_t error = refuse_beside_captures()) return error;
        *address = nullptr;
        if (bytes == 0) return cudaSuccess;
        *address = sass::Memory::of_device().allocate(bytes, type != cudaMemoryTypeDevice);
        if (*address == nullptr) return cudaErrorMemoryAllocation;
        kinds()[reinterpret_cast<std::uint64_t>(*address)] = {type, Thread::get().device, {}};
        if (sass::Options::current().checks) note_origin(*address, bytes, type != cudaMemoryTypeDevice);
        return cudaSuccess;
    });
}

cudaError_t release(void* address, bool is_host) {
    return call([&]() -> cudaError_t {
        if (address == nullptr) return cudaSuccess;
        const auto kind = kinds().find(reinterpret_cast<std::uint64_t>(address));
        if (kind == kinds().end() || (kind->second.type == cudaMemoryTypeHost) != is_host)
            return cudaErrorInvalidValue;
        if (kind->second.is_of_graph) return cudaSuccess;
        for (const auto& device : State::get().devices) State::get().queue.wait_for_device(device->index);
        HostGuard::remove(address);
        look_for_unwritten(kind->first, kind->second);
        sass::Memory::of_device().free(address);
        kinds().erase(kind);
        return State::get().device().error;
    });
}

/// In the order of the stream only if nothing waits; the memory itself is there at once.
cudaError_t allocate_in(cudaStream_t handle, void** address, std::size_t bytes) {
    return call_with_turn([&]() -> cudaError_t {
        CUstream_st* stream = State::get().stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (const cudaError_t error = allocate(address, bytes, cudaMemoryTypeDevice, true)) return error;
        if (stream->capture == nullptr) return cudaSuccess;
        kinds()[reinterpret_cast<std::uint64_t>(*address)].is_of_graph = true;
        return perform(*stream, cudaGraphNodeTypeMemAlloc, [](CUstream_st&) { return cudaSuccess; });
    });
}

/// With SIMT_LEAKS: what the program has not freed.
std::vector<sass::Finding> leaks() {
    std::vector<sass::Finding> findings;
    for (const auto& [begin, kind] : kinds()) {
        const sass::Allocation memory = sass::Memory::of_device().find(begin);
        if (kind.is_of_graph || memory.is_adopted || memory.begin == memory.end) continue;
        findings.push_back(finding_on(line_of(kind.origin), sass::Hazard::leak,
                                      "never freed: " + sass::Memory::of_device().description(memory),
                                      "cudaFree it once it is no longer used"));
    }
    return findings;
}

constexpr std::size_t PITCH = 512;  ///< rows of pitched memory begin at multiples of this

}  // namespace

void report_leaks() { Recorder::get().add_findings(leaks()); }

void report_unwritten() {
    for (const auto& [begin, kind] : kinds()) look_for_unwritten(begin, kind);
}

}  // namespace simt_runtime

using namespace simt_runtime;

extern "C" {

cudaError_t cudaMalloc(void** address, size_t bytes) {
    return allocate(address, bytes, cudaMemoryTypeDevice);
}

cudaError_t cudaMallocHost(void** address, size_t bytes) {
    return allocate(address, bytes, cudaMemoryTypeHost);
}

cudaError_t cudaHostAlloc(void** address, size_t bytes, unsigned) {
    return allocate(address, bytes, cudaMemoryTypeHost);
}

cudaError_t cudaMallocManaged(void** address, size_t bytes, unsigned) {
    return allocate(address, bytes, cudaMemoryTypeManaged);
}

cudaError_t cudaMallocPitch(void** address, size_t* pitch, size_t width, size_t height) {
    if (pitch == nullptr) return report(cudaErrorInvalidValue);
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return allocate(address, *pitch * height, cudaMemoryTypeDevice);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent) {
    *pointer = {nullptr, 0, extent.width, extent.height};
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t cudaFree(void* address) { return release(address, false); }
cudaError_t cudaFreeHost(void* address) { return release(address, true); }

cudaError_t cudaMallocAsync(void** address, size_t bytes, cudaStream_t stream) {
    return allocate_in(stream, address, bytes);
}

cudaError_t cudaMallocFromPoolAsync(void** address, size_t bytes, cudaMemPool_t, cudaStream_t stream) {
    return allocate_in(stream, address, bytes);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* memory) {
    if (const cudaError_t error = cudaGraphAddEmptyNode(node, graph, after, count)) return error;
    (*node)->type = cudaGraphNodeTypeMemAlloc;
    const cudaError_t error = allocate(&memory->dptr, memory->bytesize, cudaMemoryTypeDevice, true);
    if (error == cudaSuccess) kinds()[reinterpret_cast<std::uint64_t>(memory->dptr)].is_of_graph = true;
    return error;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void*) {
    const cudaError_t error = cudaGraphAddEmptyNode(node, graph, after, count);
    if (error == cudaSuccess) (*node)->type = cudaGraphNodeTypeMemFree;
    return error;
}

cudaError_t cudaFreeAsync(void* address, cudaStream_t handle) {
    return call_with_turn([&]() -> cudaError_t {
        CUstream_st* stream = State::get().stream(handle);
        if (stream == nullptr) return cudaErrorInvalidResourceHandle;
        if (address == nullptr) return cudaSuccess;
        const auto kind = kinds().find(reinterpret_cast<std::uint64_t>(address));
        if (kind == kinds().end()) return cudaErrorInvalidValue;
        if (stream->capture != nullptr)
            return perform(*stream, cudaGraphNodeTypeMemFree, [](CUstream_st&) { return cudaSuccess; });
        if (kind->second.is_of_graph) return cudaSuccess;
        if (sass::Options::current().checks && !sass::Options::current().is_late)
            Recorder::get().add_findings(sass::GlobalOrder::get().freed(
                reinterpret_cast<std::uint64_t>(address), State::get().queue.next(*stream)));
        // As a pool does, which keeps the memory: what still runs in other streams may use it by mistake.
        const auto free = [address] {
            State::get().queue.when_idle([address] {
                HostGuard::remove(address);
                sass::Memory::of_device().free(address);
                kinds().erase(reinterpret_cast<std::uint64_t>(address));
            });
        };
        State::get().queue.submit(*stream, std::make_shared<Action>(stream->device, free));
        return cudaSuccess;
    });
}

cudaError_t cudaHostRegister(void* address, size_t bytes, unsigned) {
    return call([&] {
        if (address == nullptr || bytes == 0) return cudaErrorInvalidValue;
        if (!sass::Memory::of_device().adopt(address, bytes)) return cudaErrorHostMemoryAlreadyRegistered;
        kinds()[reinterpret_cast<std::uint64_t>(address)] = {cudaMemoryTypeHost, Thread::get().device, {}};
        return cudaSuccess;
    });
}

cudaError_t cudaHostUnregister(void* address) {
    return call([&] {
        for (const auto& device : State::get().devices) State::get().queue.wait_for_device(device->index);
        kinds().erase(reinterpret_cast<std::uint64_t>(address));
        return sass::Memory::of_device().free(address) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
    });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned) {
    return call([&] {
        const bool is_known = is_allocated(host, 1);
        *device = is_known ? host : nullptr;
        return is_known ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaHostGetFlags(unsigned* flags, void* host) {
    return call([&] {
        *flags = cudaHostAllocMapped;
        return is_allocated(host, 1) ? cudaSuccess : cudaErrorInvalidValue;
    });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
    return call([&] {
        *total = sass::Memory::TOTAL;
        *free = *total - sass::Memory::of_device().allocated();
        return cudaSuccess;
    });
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* address) {
    return call([&] {
        const sass::Allocation allocation =
            sass::Memory::of_device().find(reinterpret_cast<std::uint64_t>(address));
        const auto kind = kinds().find(allocation.begin);
        *attributes = {};
        attributes->type = cudaMemoryTypeUnregistered;
        attributes->device = -2;  // as CUDA says of memory that it does not know
        attributes->hostPointer = const_cast<void*>(address);
        if (allocation.end == 0) return cudaSuccess;
        attributes->type = kind == kinds().end() ? cudaMemoryTypeDevice : kind->second.type;
        attributes->device = kind == kinds().end() ? Thread::get().device : kind->second.device;
        attributes->devicePointer = attributes->hostPointer;
        if (attributes->type == cudaMemoryTypeDevice) attributes->hostPointer = nullptr;
        return cudaSuccess;
    });
}

cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) {
    return call([] { return cudaSuccess; });
}

cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned, cudaStream_t) {
    return call([] { return cudaSuccess; });
}

}  // extern "C"

// clang-format off: several a line.
PTSZ(cudaMallocAsync) PTSZ(cudaMallocFromPoolAsync) PTSZ(cudaFreeAsync) PTSZ(cudaMemPrefetchAsync)
