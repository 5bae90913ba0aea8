// What a program asks about its kernels, and sets for them; how many blocks of one fit on a multiprocessor.
#include <algorithm>

#include "simt/loader/architecture.h"
#include "simt/runtime/launch.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

constexpr int PARTITIONS = 4, REGISTERS = 65536, REGISTER_UNIT = 256;

int rounded_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

template <class Body>
cudaError_t with_kernel(const void* function, Body body) {
    return call([&]() -> cudaError_t {
        CUkern_st* kernel = Registry::get().kernel(function);
        return kernel == nullptr ? cudaErrorInvalidResourceHandle : body(*kernel, Thread::get().device);
    });
}

cudaError_t set_attribute(CUkern_st& kernel, int device, cudaFuncAttribute attribute, int value) {
    CUkern_st::Settings& settings = kernel.settings[device];
    switch (attribute) {
        case cudaFuncAttributeMaxDynamicSharedMemorySize:
            if (value < 0 || value + kernel.function(device).shared_bytes >
                                 sass::architecture().most_shared_of_block << 10)
                return cudaErrorInvalidValue;
            settings.dynamic_shared_bytes = value;
            return cudaSuccess;
        case cudaFuncAttributePreferredSharedMemoryCarveout:
            if (value < -1 || value > 100) return cudaErrorInvalidValue;
            settings.carveout = value;
            return cudaSuccess;
        case cudaFuncAttributeRequiredClusterWidth:
        case cudaFuncAttributeRequiredClusterHeight:
        case cudaFuncAttributeRequiredClusterDepth: {
            const int axis = attribute - cudaFuncAttributeRequiredClusterWidth;
            const int own = kernel.function(device).cluster[axis];
            if (value < 0 || (own != 0 && own != value)) return cudaErrorInvalidValue;
            settings.cluster[axis] = value;
            return cudaSuccess;
        }
        case cudaFuncAttributeNonPortableClusterSizeAllowed:
            settings.large_cluster = value;
            return cudaSuccess;
        case cudaFuncAttributeClusterSchedulingPolicyPreference:
            if (value < 0 || value > cudaClusterSchedulingPolicyLoadBalancing) return cudaErrorInvalidValue;
            settings.cluster_policy = value;
            return cudaSuccess;
        default: return cudaErrorInvalidValue;
    }
}

}  // namespace

void describe(const CUkern_st& kernel, int device, cudaFuncAttributes& is) {
    const sass::Function& function = kernel.function(device);
    const auto set = kernel.settings.find(device);
    const CUkern_st::Settings settings = set == kernel.settings.end() ? CUkern_st::Settings() : set->second;
    is = {};
    is.sharedSizeBytes = function.shared_bytes;
    is.constSizeBytes = kernel.binary->module(device).constants().size();
    is.localSizeBytes = function.local_bytes;
    is.maxThreadsPerBlock = function.max_threads;
    is.numRegs = function.registers;
    is.ptxVersion = is.binaryVersion = sass::architecture().number;
    is.maxDynamicSharedSizeBytes = kernel.most_dynamic_shared_bytes(device);
    is.preferredShmemCarveout = settings.carveout;
    is.clusterDimMustBeSet = function.cluster[0] != 0;
    const std::array<int, 3> cluster = required_cluster(kernel, device);
    is.requiredClusterWidth = cluster[0];
    is.requiredClusterHeight = cluster[1];
    is.requiredClusterDepth = cluster[2];
    is.nonPortableClusterSizeAllowed = settings.large_cluster;
    is.clusterSchedulingPolicyPreference = settings.cluster_policy;
}

namespace {

/// The shared memory of a multiprocessor when a kernel prefers a percentage of it.
int shared_of_multiprocessor(int carveout) {
    const int all = sass::architecture().shared << 10;
    if (carveout < 0) return all;
    for (const int size : sass::architecture().shared_splits)
        if (size << 10 >= all / 100.0 * carveout) return size << 10;
    return all;
}

}  // namespace

/// Registers are given to warps in units of 256, and each of the four partitions has a quarter of them.
int resident_blocks(const CUkern_st& kernel, int device, int threads, std::size_t dynamic_shared_bytes) {
    const sass::Function& function = kernel.function(device);
    const auto settings = kernel.settings.find(device);
    const int most_shared = kernel.most_dynamic_shared_bytes(device);
    if (threads <= 0 || threads > 1024 || dynamic_shared_bytes > std::size_t(std::max(0, most_shared)))
        return 0;
    const sass::Architecture& on = sass::architecture();
    const int warps = (threads + 31) / 32;
    int blocks = std::min(on.blocks, on.warps / warps);
    if (function.registers > 0) {
        const int by_warp = rounded_up(function.registers * 32, REGISTER_UNIT);
        blocks = std::min(blocks, REGISTERS / PARTITIONS / by_warp * PARTITIONS / warps);
    }
    const int shared =
        rounded_up(function.shared_bytes + int(dynamic_shared_bytes) + on.reserved_shared, on.shared_unit);
    const int carveout = settings == kernel.settings.end() ? -1 : settings->second.carveout;
    return std::min(blocks, std::max(shared_of_multiprocessor(carveout), shared) / std::max(shared, 1));
}

}  // namespace simt_runtime

using namespace simt_runtime;

extern "C" {

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    return with_kernel(function, [&](CUkern_st& kernel, int device) {
        return set_attribute(kernel, device, attribute, value);
    });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t function, cudaFuncAttribute attribute, int value,
                                            int on) {
    return with_kernel(function,
                       [&](CUkern_st& kernel, int) { return set_attribute(kernel, on, attribute, value); });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* function) {
    return with_kernel(function, [&](CUkern_st& kernel, int device) {
        return describe(kernel, device, *attributes), cudaSuccess;
    });
}

cudaError_t cudaFuncGetParamInfo(const void* function, size_t index, size_t* offset, size_t* bytes) {
    return with_kernel(function, [&](CUkern_st& kernel, int device) {
        const auto& parameters = kernel.function(device).parameters;
        if (index >= parameters.size()) return cudaErrorInvalidValue;
        *offset = parameters[index].offset;
        if (bytes != nullptr) *bytes = parameters[index].bytes;
        return cudaSuccess;
    });
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache) {
    return with_kernel(function, [](CUkern_st&, int) { return cudaSuccess; });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig) {
    return with_kernel(function, [](CUkern_st&, int) { return cudaSuccess; });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                   int threads, size_t shared, unsigned) {
    return with_kernel(function, [&](CUkern_st& kernel, int device) {
        return *blocks = resident_blocks(kernel, device, threads, shared), cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function, int blocks, int) {
    return with_kernel(function, [&](CUkern_st& kernel, int device) {
        if (blocks <= 0) return cudaErrorInvalidValue;
        const sass::Architecture& on = sass::architecture();
        const int each =
            std::min((on.shared << 10) / blocks / on.shared_unit * on.shared_unit - on.reserved_shared,
                     on.most_shared_of_block << 10);
        *bytes = std::size_t(std::max(0, each - kernel.function(device).shared_bytes));
        return cudaSuccess;
    });
}

}  // extern "C"
