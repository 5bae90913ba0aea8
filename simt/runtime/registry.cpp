#include "simt/runtime/registry.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "simt/loader/architecture.h"
#include "simt/loader/fatbin.h"
#include "simt/run/memory.h"
#include "simt/runtime/state.h"

namespace simt_runtime {

sass::Module& Binary::module(int device) {
    auto& module = modules_[device];
    if (module == nullptr) module = std::make_unique<sass::Module>(sass::cubin_of_fat_binary(fat_binary_));
    return *module;
}

void choose_architecture(const void* fat_binary) {
    static bool is_chosen = false;
    if (is_chosen) return;
    is_chosen = true;
    if (const char* const wanted = std::getenv("SIMT_ARCH")) {
        if (!sass::select(std::atoi(wanted)))
            std::fprintf(stderr, "SIMT machine: SIMT_ARCH=%s: it is no such GPU, but one of sm_90\n", wanted);
        return;
    }
    const std::vector<int> codes = sass::architectures_of(fat_binary);
    is_chosen = !codes.empty();
    if (std::find(codes.begin(), codes.end(), 90) == codes.end() && is_chosen)
        (void)sass::select(*std::max_element(codes.begin(), codes.end()));
}

Registry& Registry::get() {
    static Registry& registry = *new Registry();
    return registry;
}

CUkern_st* Registry::kernel(const void* function) {
    const auto known = kernels.find(function);
    if (known != kernels.end()) return known->second.get();
    for (const auto& [host, kernel] : kernels)
        if (kernel.get() == function) return kernel.get();
    return nullptr;
}

}  // namespace simt_runtime

const sass::Function& CUkern_st::function(int device) const {
    const sass::Function*& function = functions_[device];
    if (function == nullptr) function = binary->module(device).kernel(name);
    if (function == nullptr) throw std::runtime_error("the program's machine code has no kernel " + name);
    return *function;
}

int CUkern_st::most_dynamic_shared_bytes(int device) const {
    constexpr int WITHOUT_SETTING = 48 << 10;
    const auto own = settings.find(device);
    if (own != settings.end() && own->second.dynamic_shared_bytes >= 0)
        return own->second.dynamic_shared_bytes;
    return WITHOUT_SETTING - function(device).shared_bytes;
}

using namespace simt_runtime;

extern "C" {

void** __cudaRegisterFatBinary(void* fat_binary) {
    const std::lock_guard lock(State::get().lock);
    choose_architecture(fat_binary);
    auto binary = std::make_unique<Binary>(fat_binary);
    void** handle = reinterpret_cast<void**>(binary.get());
    Registry::get().binaries[handle] = std::move(binary);
    return handle;
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void**) {}  // at the program's end; its modules end with the process

void __cudaRegisterFunction(void** handle, const char* host, char*, const char* name, int, uint3*, uint3*,
                            dim3*, dim3*, int*) {
    const std::lock_guard lock(State::get().lock);
    auto kernel = std::make_unique<CUkern_st>();
    kernel->binary = reinterpret_cast<Binary*>(handle);
    kernel->name = name;
    Registry::get().kernels[host] = std::move(kernel);
}

void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int, std::size_t, int, int) {
    const std::lock_guard lock(State::get().lock);
    Registry::get().variables[host] = {reinterpret_cast<Binary*>(handle), name, nullptr};
}

void __cudaRegisterHostVar(void**, const char*, char*, std::size_t) {}

void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* name, int, std::size_t, int,
                              int) {
    const std::lock_guard lock(State::get().lock);
    Registry::get().variables[pointer] = {reinterpret_cast<Binary*>(handle), name, pointer};
}

void __cudaRegisterUnifiedTable(void**, void*) {}

/// Called before the host's first access to a managed variable.
char __cudaInitModule(void** handle) {
    call_always([&] {
        for (const auto& [host, variable] : Registry::get().variables) {
            if (variable.pointer == nullptr || variable.binary != reinterpret_cast<Binary*>(handle)) continue;
            const auto* of_module = variable.binary->module(0).variable(variable.name);
            if (of_module == nullptr) continue;
            *variable.pointer = reinterpret_cast<void*>(of_module->address);
            sass::Memory::of_device().set_has_host();
            HostGuard::add(*variable.pointer, of_module->bytes, true);
        }
        return cudaSuccess;
    });
    return 1;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host) {
    return call_always([&] {
        *kernel = Registry::get().kernel(host);
        return *kernel == nullptr ? cudaErrorInvalidResourceHandle : cudaSuccess;
    });
}

cudaError_t cudaGetKernel(cudaKernel_t* kernel, const void* host) { return __cudaGetKernel(kernel, host); }

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, const void* host) {
    return __cudaGetKernel(reinterpret_cast<cudaKernel_t*>(function), host);
}

cudaError_t cudaFuncGetName(const char** name, const void* function) {
    return call_always([&] {
        const CUkern_st* kernel = Registry::get().kernel(function);
        if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
        *name = kernel->name.c_str();
        return cudaSuccess;
    });
}

}  // extern "C"
