// The program's __device__ and __constant__ variables, known by the host's stand-ins for them.
#include <cstring>

#include "simt/runtime/calls/copies.h"
#include "simt/runtime/per_thread.h"
#include "simt/runtime/recorder.h"
#include "simt/runtime/registry.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

struct Place {
    sass::Module* module;
    const sass::Module::Variable* variable;
};

/// A registered variable on the calling thread's device; variable is null if there is none.
Place place_of(const void* symbol) {
    const auto registered = Registry::get().variables.find(symbol);
    if (registered == Registry::get().variables.end()) return {nullptr, nullptr};
    sass::Module& module = registered->second.binary->module(Thread::get().device);
    return {&module, module.variable(registered->second.name)};
}

/// Copies to or from a variable. A __constant__ one lies in the module's bank, not in global memory.
cudaError_t copy_symbol(const void* symbol, void* other, std::size_t bytes, std::size_t offset,
                        cudaMemcpyKind kind, bool to_symbol, cudaStream_t stream, bool waits) {
    Place place{};
    const cudaError_t error = call_with_turn([&] {
        if (kind == (to_symbol ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice) ||
            kind == cudaMemcpyHostToHost)
            return cudaErrorInvalidMemcpyDirection;
        place = place_of(symbol);
        if (place.variable == nullptr) return cudaErrorInvalidSymbol;
        return offset > place.variable->bytes || bytes > place.variable->bytes - offset
                   ? cudaErrorInvalidValue
                   : cudaSuccess;
    });
    if (error != cudaSuccess) return error;
    if (!place.variable->is_constant) {
        char* at = reinterpret_cast<char*>(place.variable->address) + offset;
        return to_symbol ? copy({at, bytes, other, bytes, bytes, 1, kind}, stream, waits)
                         : copy({other, bytes, at, bytes, bytes, 1, kind}, stream, waits);
    }
    return call_with_turn([&]() -> cudaError_t {
        auto source = std::make_shared<std::vector<char>>();  // the host's, as it is now
        if (to_symbol && is_pageable(other))
            source->assign(static_cast<char*>(other), static_cast<char*>(other) + bytes);
        return perform_and_wait(stream, waits, cudaGraphNodeTypeMemcpy, [=](CUstream_st& on) {
            State::get().queue.submit(
                on, std::make_shared<Action>(on.device, [=] {
                    std::uint8_t* at = place.module->constants().data() + place.variable->address + offset;
                    if (to_symbol)
                        std::memcpy(at, source->empty() ? other : source->data(), bytes);
                    else
                        std::memcpy(other, at, bytes);
                    const bool with_host = !is_on_device(other);
                    const auto moved = std::int64_t(bytes);
                    if (with_host) Recorder::get().copied(to_symbol ? moved : 0, to_symbol ? 0 : moved);
                }));
            return cudaSuccess;
        });
    });
}

}  // namespace
}  // namespace simt_runtime

using namespace simt_runtime;

extern "C" {

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
    return copy_symbol(symbol, const_cast<void*>(from), bytes, offset, kind, true, nullptr, true);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_symbol(symbol, const_cast<void*>(from), bytes, offset, kind, true, stream, false);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset,
                                 cudaMemcpyKind kind) {
    return copy_symbol(symbol, to, bytes, offset, kind, false, nullptr, true);
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind kind, cudaStream_t stream) {
    return copy_symbol(symbol, to, bytes, offset, kind, false, stream, false);
}

cudaError_t cudaGetSymbolAddress(void** address, const void* symbol) {
    return call([&] {
        const Place place = place_of(symbol);
        if (place.variable == nullptr) return cudaErrorInvalidSymbol;
        *address = place.variable->is_constant ? place.module->constants().data() + place.variable->address
                                               : reinterpret_cast<void*>(place.variable->address);
        return cudaSuccess;
    });
}

cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
    return call([&] {
        const Place place = place_of(symbol);
        if (place.variable == nullptr) return cudaErrorInvalidSymbol;
        *bytes = place.variable->bytes;
        return cudaSuccess;
    });
}

}  // extern "C"

// clang-format off: several a line.
PTDS(cudaMemcpyToSymbol) PTSZ(cudaMemcpyToSymbolAsync) PTDS(cudaMemcpyFromSymbol)
PTSZ(cudaMemcpyFromSymbolAsync)
