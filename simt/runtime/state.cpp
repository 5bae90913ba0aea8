#include "simt/runtime/state.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace simt_runtime {

State::State() {
    const char* count = std::getenv("SIMT_DEVICES");
    const int devices = count == nullptr ? 1 : std::clamp(std::atoi(count), 0, 64);
    for (int i = 0; i < devices; i++) {
        auto device = std::make_unique<Device>();
        device->index = device->legacy_stream.device = device->thread_stream.device = i;
        device->legacy_stream.is_legacy = true;
        device->legacy_stream.id = 1;
        device->thread_stream.id = 2;
        this->devices.push_back(std::move(device));
    }
}

State& State::get() {
    static State& state = *new State();
    return state;
}

Device& State::device() { return *devices[std::min<std::size_t>(Thread::get().device, devices.size() - 1)]; }

CUstream_st* State::stream(cudaStream_t handle) {
    if (handle == nullptr || handle == cudaStreamLegacy) return &device().legacy_stream;
    if (handle == cudaStreamPerThread) return &device().thread_stream;
    for (const auto& each : devices)
        if (handle == &each->legacy_stream || handle == &each->thread_stream) return handle;
    return streams.count(handle) ? handle : nullptr;
}

void State::show_printed() {
    std::fwrite(printed.data(), 1, printed.size(), stdout);
    printed.clear();
}

Thread& Thread::get() {
    static thread_local Thread thread;
    return thread;
}

cudaError_t report(cudaError_t error) {
    if (error != cudaSuccess && error != cudaErrorNotReady)
        Thread::get().last_error = Thread::get().call_error = error;
    return error;
}

void complain(const std::string& line) {
    static auto& told = *new std::set<std::string>();
    const std::lock_guard lock(State::get().lock);
    if (told.insert(line).second) std::fprintf(stderr, "SIMT machine: %s\n", line.c_str());
}

}  // namespace simt_runtime
