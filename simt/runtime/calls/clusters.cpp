// How large clusters may be, and how many fit on the device at once.
#include <algorithm>

#include "simt/loader/architecture.h"
#include "simt/runtime/launch.h"
#include "simt/runtime/state.h"

namespace simt_runtime {

std::array<int, 3> required_cluster(const CUkern_st& kernel, int device) {
    const int* const own = kernel.function(device).cluster;
    if (own[0] != 0) return {own[0], own[1], own[2]};
    const auto settings = kernel.settings.find(device);
    if (settings == kernel.settings.end()) return {};
    const int* const set = settings->second.cluster;
    return {set[0], set[1], set[2]};
}

bool may_have_cluster(const CUkern_st& kernel, int device, const sass::Dim3& cluster) {
    constexpr unsigned PORTABLE = 8;
    const auto settings = kernel.settings.find(device);
    const bool may_be_large = settings != kernel.settings.end() && settings->second.large_cluster != 0;
    const std::array<int, 3> required = required_cluster(kernel, device),
                             size = {int(cluster.x), int(cluster.y), int(cluster.z)};
    const bool differs = required != std::array<int, 3>{} && required != size;
    return cluster.count() >= 1 && (may_be_large || cluster.count() <= PORTABLE) && !differs;
}

namespace {

/// Multiprocessors that can have a cluster together, and how many such groups there are. As an H200 and an
/// H100 has them, by what its runtime says of clusters of 1 to 16 blocks: other cards, also of the same name,
/// may lack other ones.
struct Group {
    int multiprocessors, count;
};
constexpr Group GROUPS[] = {{18, 2}, {16, 5}, {8, 1}, {2, 4}};
constexpr int MOST_RESIDENT = 8;  ///< blocks of clusters on a multiprocessor, the same says

int active_clusters(int size, int blocks_of_multiprocessor) {
    int clusters = 0;
    for (const Group& group : GROUPS)
        if (group.multiprocessors >= size)
            clusters += group.count *
                        (group.multiprocessors * std::min(blocks_of_multiprocessor, MOST_RESIDENT) / size);
    return clusters;
}

int resident(const CUkern_st& kernel, int device, const cudaLaunchConfig_t& config) {
    const dim3& block = config.blockDim;
    return resident_blocks(kernel, device, int(block.x * block.y * block.z), config.dynamicSmemBytes);
}

template <class Body>
cudaError_t with_kernel(const void* function, const cudaLaunchConfig_t* config, Body body) {
    return call([&]() -> cudaError_t {
        const CUkern_st* const kernel = Registry::get().kernel(function);
        if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
        if (config == nullptr) return cudaErrorInvalidValue;
        return body(*kernel, Thread::get().device);
    });
}

}  // namespace
}  // namespace simt_runtime

using namespace simt_runtime;

extern "C" {

cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function,
                                                 const cudaLaunchConfig_t* config) {
    return with_kernel(function, config, [&](const CUkern_st& kernel, int device) {
        constexpr unsigned LARGEST = 16, PORTABLE = 8;
        const auto settings = kernel.settings.find(device);
        const bool may_be_large = settings != kernel.settings.end() && settings->second.large_cluster != 0;
        *blocks = resident(kernel, device, *config) == 0 ? 0 : may_be_large ? LARGEST : PORTABLE;
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function,
                                           const cudaLaunchConfig_t* config) {
    return with_kernel(function, config, [&](const CUkern_st& kernel, int device) {
        const std::array<int, 3> own = required_cluster(kernel, device);
        sass::Dim3 size;
        if (own != std::array<int, 3>{}) size = {unsigned(own[0]), unsigned(own[1]), unsigned(own[2])};
        for (unsigned i = 0; i < config->numAttrs; i++)
            if (const cudaLaunchAttribute& each = config->attrs[i];
                each.id == cudaLaunchAttributeClusterDimension)
                size = {each.val.clusterDim.x, each.val.clusterDim.y, each.val.clusterDim.z};
        if (!may_have_cluster(kernel, device, size)) return cudaErrorInvalidClusterSize;
        *clusters = active_clusters(int(size.count()), resident(kernel, device, *config));
        return cudaSuccess;
    });
}

}  // extern "C"
