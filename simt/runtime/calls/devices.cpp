// The device: what an H200 says of itself, but for its name; of another architecture, with what differs
// there.
#include <cuda_profiler_api.h>

#include <cstring>
#include <iterator>

#include "simt/loader/architecture.h"
#include "simt/run/heap.h"
#include "simt/run/memory.h"
#include "simt/runtime/launch.h"
#include "simt/runtime/state.h"

namespace simt_runtime {
namespace {

constexpr int VERSION = CUDART_VERSION;

/// The attributes by their numbers, as an H200 and its driver give them: cudaDevAttrMaxThreadsPerBlock is 1.
const int ATTRIBUTES[] = {
    0,         1024,       1024,    1024,    64,    2147483647, 65535,   65535,  49152,    65536,
    32,        2147483647, 65536,   1980000, 512,   1,          132,     0,      0,        1,
    0,         131072,     131072,  65536,   16384, 16384,      16384,   32768,  32768,    2048,
    512,       1,          1,       0,       6,     0,          3201000, 6016,   62914560, 2048,
    3,         1,          32768,   2048,    1,     32768,      32768,   8192,   8192,     32768,
    0,         32,         32768,   32768,   2046,  32768,      131072,  65536,  16384,    16384,
    16384,     32768,      2048,    32768,   32768, 2048,       32768,   32768,  2046,     268435456,
    131072,    65000,      2097120, 32768,   32768, 9,          0,       32768,  1,        1,
    1,         233472,     65536,   1,       0,     0,          0,       2,      0,        1,
    1,         1,          0,       0,       0,     1,          1,       232448, 0,        1,
    0,         0,          1,       1,       0,     0,          32,      1,      39321600, 134217728,
    1,         1024,       1,       1,       1,     1,          1,       1,      100,      9,
    1,         1,          1,       1,       1,     1,          4,       1,      1,        1,
    0,         -1,         0,       0,       0,     0,          0,       0,      0,        590680286,
    415174878, 1,          1,       0,       1,     1,          0,       0,
};

int value_of(cudaDeviceAttr attribute) {
    const sass::Architecture& is = sass::architecture();
    switch (attribute) {
        case cudaDevAttrComputeCapabilityMajor: return is.number / 10;
        case cudaDevAttrComputeCapabilityMinor: return is.number % 10;
        case cudaDevAttrMultiProcessorCount: return is.multiprocessors;
        case cudaDevAttrMaxThreadsPerMultiProcessor: return 32 * is.warps;
        case cudaDevAttrMaxBlocksPerMultiprocessor: return is.blocks;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return is.shared << 10;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: return is.most_shared_of_block << 10;
        case cudaDevAttrReservedSharedMemoryPerBlock: return is.reserved_shared;
        case cudaDevAttrClockRate: return is.clock_khz;
        case cudaDevAttrMemoryClockRate: return is.memory_clock_khz;
        case cudaDevAttrGlobalMemoryBusWidth: return is.bus_bits;
        case cudaDevAttrL2CacheSize: return is.l2_bytes;
        case cudaDevAttrClusterLaunch: return is.number >= 90;
        default: return ATTRIBUTES[attribute];
    }
}

bool exists(int device) { return device >= 0 && device < int(State::get().devices.size()); }

template <class Body>
cudaError_t with_device(int device, Body body) {
    return call_always([&] {
        if (!exists(device)) return State::get().devices.empty() ? cudaErrorNoDevice : cudaErrorInvalidDevice;
        body();
        return cudaSuccess;
    });
}

void describe(cudaDeviceProp& is, int device) {
    is = {};
    std::strcpy(is.name, "SIMT machine");
    is.uuid.bytes[15] = char(device);
    is.totalGlobalMem = sass::Memory::TOTAL;
    is.sharedMemPerBlock = value_of(cudaDevAttrMaxSharedMemoryPerBlock);
    is.regsPerBlock = value_of(cudaDevAttrMaxRegistersPerBlock);
    is.warpSize = value_of(cudaDevAttrWarpSize);
    is.memPitch = value_of(cudaDevAttrMaxPitch);
    is.maxThreadsPerBlock = value_of(cudaDevAttrMaxThreadsPerBlock);
    for (int i = 0; i < 3; i++) {
        is.maxThreadsDim[i] = value_of(cudaDeviceAttr(cudaDevAttrMaxBlockDimX + i));
        is.maxGridSize[i] = value_of(cudaDeviceAttr(cudaDevAttrMaxGridDimX + i));
    }
    is.totalConstMem = value_of(cudaDevAttrTotalConstantMemory);
    is.major = value_of(cudaDevAttrComputeCapabilityMajor);
    is.minor = value_of(cudaDevAttrComputeCapabilityMinor);
    is.textureAlignment = value_of(cudaDevAttrTextureAlignment);
    is.texturePitchAlignment = value_of(cudaDevAttrTexturePitchAlignment);
    is.multiProcessorCount = value_of(cudaDevAttrMultiProcessorCount);
    is.canMapHostMemory = value_of(cudaDevAttrCanMapHostMemory);
    is.surfaceAlignment = value_of(cudaDevAttrSurfaceAlignment);
    is.concurrentKernels = value_of(cudaDevAttrConcurrentKernels);
    is.ECCEnabled = value_of(cudaDevAttrEccEnabled);
    is.asyncEngineCount = value_of(cudaDevAttrAsyncEngineCount);
    is.unifiedAddressing = value_of(cudaDevAttrUnifiedAddressing);
    is.memoryBusWidth = value_of(cudaDevAttrGlobalMemoryBusWidth);
    is.l2CacheSize = value_of(cudaDevAttrL2CacheSize);
    is.maxThreadsPerMultiProcessor = value_of(cudaDevAttrMaxThreadsPerMultiProcessor);
    is.streamPrioritiesSupported = value_of(cudaDevAttrStreamPrioritiesSupported);
    is.globalL1CacheSupported = value_of(cudaDevAttrGlobalL1CacheSupported);
    is.localL1CacheSupported = value_of(cudaDevAttrLocalL1CacheSupported);
    is.sharedMemPerMultiprocessor = value_of(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    is.regsPerMultiprocessor = value_of(cudaDevAttrMaxRegistersPerMultiprocessor);
    is.managedMemory = value_of(cudaDevAttrManagedMemory);
    is.concurrentManagedAccess = value_of(cudaDevAttrConcurrentManagedAccess);
    is.computePreemptionSupported = value_of(cudaDevAttrComputePreemptionSupported);
    is.canUseHostPointerForRegisteredMem = value_of(cudaDevAttrCanUseHostPointerForRegisteredMem);
    is.cooperativeLaunch = value_of(cudaDevAttrCooperativeLaunch);
    is.sharedMemPerBlockOptin = value_of(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    is.maxBlocksPerMultiProcessor = value_of(cudaDevAttrMaxBlocksPerMultiprocessor);
    is.reservedSharedMemPerBlock = value_of(cudaDevAttrReservedSharedMemoryPerBlock);
    is.hostRegisterSupported = value_of(cudaDevAttrHostRegisterSupported);
    is.clusterLaunch = value_of(cudaDevAttrClusterLaunch);
    is.persistingL2CacheMaxSize = value_of(cudaDevAttrMaxPersistingL2CacheSize);
    is.accessPolicyMaxWindowSize = value_of(cudaDevAttrMaxAccessPolicyWindowSize);
    is.memoryPoolsSupported = value_of(cudaDevAttrMemoryPoolsSupported);
    is.deviceNumaId = value_of(cudaDevAttrNumaId);
}

/// Limits as they are until a program sets them.
std::map<cudaLimit, std::size_t>& limits() {
    static auto& all = *new std::map<cudaLimit, std::size_t>{{cudaLimitStackSize, 1024},
                                                             {cudaLimitPrintfFifoSize, 8650752},
                                                             {cudaLimitMallocHeapSize, 8 << 20},
                                                             {cudaLimitDevRuntimePendingLaunchCount, 2048}};
    return all;
}

}  // namespace

std::size_t limit(cudaLimit limit) { return limits()[limit]; }

bool device_attribute(int attribute, int& value) {
    if (attribute < 1 || attribute >= int(std::size(ATTRIBUTES))) return false;
    return value = value_of(cudaDeviceAttr(attribute)), true;
}

}  // namespace simt_runtime

using namespace simt_runtime;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
    return call_always([&] {
        *count = int(State::get().devices.size());
        return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
    });
}

cudaError_t cudaSetDevice(int device) {
    return with_device(device, [&] { Thread::get().device = device; });
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
    return with_device(device, [] {});
}

cudaError_t cudaGetDevice(int* device) { return *device = Thread::get().device, cudaSuccess; }
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp*) { return *device = 0, cudaSuccess; }
cudaError_t cudaSetValidDevices(int*, int) { return cudaSuccess; }
cudaError_t cudaSetDeviceFlags(unsigned) { return cudaSuccess; }

cudaError_t cudaGetDeviceFlags(unsigned* flags) {
    return *flags = cudaDeviceMapHost | cudaDeviceLmemResizeToMax, cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return with_device(device, [&] { describe(*properties, device); });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    int is = 0;
    if (!device_attribute(attribute, is)) return report(cudaErrorInvalidValue);
    return with_device(device, [&] { *value = is; });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int length, int device) {
    return with_device(device, [&] { std::snprintf(id, std::size_t(length), "0000:%02x:00.0", device); });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    return *least = 0, *greatest = -5, cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    return with_device(device, [&] { *can = exists(peer) && peer != device; });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned) {
    return call([&] {
        Device& device = State::get().device();
        if (!exists(peer)) return cudaErrorInvalidDevice;
        if (peer == device.index) return cudaErrorPeerAccessUnsupported;
        return device.peers.insert(peer).second ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
    });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return call([&] {
        return State::get().device().peers.erase(peer) == 1 ? cudaSuccess : cudaErrorPeerAccessNotEnabled;
    });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr attribute, int device, int peer) {
    return with_device(device, [&] { *value = exists(peer) && attribute != cudaDevP2PAttrPerformanceRank; });
}

/// Ends what the device does. A launch that failed has ended its context: as on an H200, the process gets no
/// other.
cudaError_t cudaDeviceReset() {
    return call_always([] {
        Device& device = State::get().device();
        State::get().queue.wait_for_device(device.index);
        if (device.error != cudaSuccess) device.error = cudaErrorDevicesUnavailable;
        device.peers.clear();
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
    return call([&] {
        if (limit == cudaLimitDevRuntimeSyncDepth) return cudaErrorUnsupportedLimit;
        return *value = limits()[limit], cudaSuccess;
    });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    return call([&] {
        if (limit == cudaLimitDevRuntimeSyncDepth) return cudaErrorUnsupportedLimit;
        limits()[limit] = value;
        if (limit == cudaLimitMallocHeapSize) sass::DeviceHeap::get().set_size(value);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
    return *config = cudaFuncCachePreferNone, cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
    return *config = cudaSharedMemBankSizeFourByte, cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
cudaError_t cudaDriverGetVersion(int* version) { return *version = VERSION, cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = VERSION, cudaSuccess; }
cudaError_t cudaProfilerStart() { return cudaSuccess; }
cudaError_t cudaProfilerStop() { return cudaSuccess; }

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

}  // extern "C"
