// What kernels ask the runtime of their device: see simt/run/from_kernels.h.
#include "simt/run/from_kernels.h"

#include <iterator>
#include <map>
#include <utility>

#include "simt/runtime/calls/graph.h"
#include "simt/runtime/launch.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

/// The kernel as the program has registered it, with what was set for it; those of the device's runtime have
/// nobody registered.
const CUkern_st& kernel_of(const sass::Launch& launch, int device) {
    const Registry& registry = Registry::get();
    const std::string& name = launch.kernel->name;
    const auto is_meant = [&](const CUkern_st& kernel) {
        return kernel.name == name && &kernel.binary->module(device) == launch.module;
    };
    for (const auto& [host, kernel] : registry.kernels)
        if (is_meant(*kernel)) return *kernel;
    static auto& others = *new std::map<std::pair<const sass::Module*, std::string>, CUkern_st>();
    CUkern_st& made = others[{launch.module, name}];
    for (const auto& [handle, binary] : registry.binaries)
        if (made.binary == nullptr && &binary->module(device) == launch.module)
            made.binary = binary.get(), made.name = name;
    return made;
}

class RuntimeOfKernels : public sass::DeviceRuntime {
   public:
    explicit RuntimeOfKernels(int device) : device_(device) {}

    int refusal(const sass::Launch& launch) override {
        return check(launch, kernel_of(launch, device_), device_);
    }
    int resident_blocks(const sass::Launch& launch) override {
        return simt_runtime::resident_blocks(kernel_of(launch, device_), device_, int(launch.block.count()),
                                             launch.dynamic_shared_bytes);
    }
    bool attribute(int kind, int& value) override { return device_attribute(kind, value); }
    bool attribute(const sass::Launch& launch, int kind, int& value) override {
        cudaFuncAttributes is;
        describe(kernel_of(launch, device_), device_, is);
        const int values[] = {is.maxThreadsPerBlock,
                              int(is.sharedSizeBytes),
                              int(is.constSizeBytes),
                              int(is.localSizeBytes),
                              is.numRegs,
                              is.ptxVersion,
                              is.binaryVersion};
        if (kind < 0 || kind >= int(std::size(values))) return false;
        return value = values[kind], true;
    }
    bool limit(int kind, std::uint64_t& value) override {
        if (kind < 0 || kind > cudaLimitPersistingL2CacheSize || kind == cudaLimitDevRuntimeSyncDepth)
            return false;
        return value = simt_runtime::limit(cudaLimit(kind)), true;
    }
    bool set_condition(std::uint64_t handle, unsigned value) override {
        return simt_runtime::set_condition(handle, value);
    }

   private:
    int device_;
};

}  // namespace

sass::DeviceRuntime* runtime_of_kernels(int device) {
    static auto& all = *new std::map<int, RuntimeOfKernels>();
    return &all.try_emplace(device, device).first->second;
}

}  // namespace simt_runtime
