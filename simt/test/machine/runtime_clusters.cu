// Launches in clusters, attributes of kernels and occupancy: what every call of the runtime returns. An H200
// and an H100 return the same; sizes_set and cooperative were read on an H100.
#include <cooperative_groups.h>

#include "simt/test/machine/runtime.h"

__global__ void free_size(int* p) {
    extern __shared__ int words[];
    const auto cluster = cooperative_groups::this_cluster();
    if (threadIdx.x == 0)
        atomicAdd(p, 1), atomicAdd(p + 1, cluster.num_blocks()), atomicAdd(p + 2, cluster.block_rank());
    cluster.sync();
}
__global__ void __cluster_dims__(2, 1, 1) of_two(int* p) {
    if (threadIdx.x == 0) atomicAdd(p, cooperative_groups::this_cluster().num_blocks());
}
__global__ void __cluster_dims__(1, 1, 1) of_one(int* p) {
    cooperative_groups::this_cluster().sync();
    if (threadIdx.x == 0) atomicAdd(p, cooperative_groups::this_cluster().num_blocks());
}
__global__ void __cluster_dims__(16, 1, 1) of_sixteen(int* p) {
    if (threadIdx.x == 0) atomicAdd(p, cooperative_groups::this_cluster().num_blocks());
}
__global__ void set_by_host(int* p) {
    if (threadIdx.x == 0) atomicAdd(p, cooperative_groups::this_cluster().num_blocks());
}
__global__ void across_grid(int* p) {
    const auto grid = cooperative_groups::this_grid();
    const auto cluster = cooperative_groups::this_cluster();
    __shared__ int own;
    if (threadIdx.x == 0) own = blockIdx.x;
    cluster.sync();
    if (threadIdx.x == 0) atomicAdd(p, *cluster.map_shared_rank(&own, 0));
    grid.sync();
    if (threadIdx.x == 0) atomicAdd(p + 1, *reinterpret_cast<volatile int*>(p));
    cluster.sync();
}
/// Whether a block knows its cluster's place.
__global__ void places(int* wrong) {
    unsigned id, ids, rank;
    asm("mov.u32 %0, %%clusterid.x;" : "=r"(id));
    asm("mov.u32 %0, %%nclusterid.x;" : "=r"(ids));
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    const unsigned size = cooperative_groups::this_cluster().num_blocks();
    if (id != blockIdx.x / size || ids != gridDim.x / size || rank != blockIdx.x % size) atomicAdd(wrong, 1);
}

namespace {

cudaLaunchAttribute attributes[3];

cudaLaunchConfig_t config_of(dim3 grid, dim3 block, dim3 cluster, size_t shared = 0,
                             bool is_cooperative = false) {
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim = {cluster.x, cluster.y, cluster.z};
    attributes[1].id = cudaLaunchAttributeCooperative;
    attributes[1].val.cooperative = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = block, config.dynamicSmemBytes = shared;
    config.attrs = attributes, config.numAttrs = is_cooperative ? 2 : 1;
    return config;
}

template <class Kernel>
void launch(const char* name, Kernel kernel, const cudaLaunchConfig_t& config) {
    cudaMemset(data, 0, 16);
    const auto& size = attributes[0].val.clusterDim;
    std::printf("%s in clusters of %u %u %u, grid %u %u, block %u, shared %zu -> %s\n", name, size.x, size.y,
                size.z, config.gridDim.x, config.gridDim.y, config.blockDim.x, config.dynamicSmemBytes,
                cudaGetErrorName(cudaLaunchKernelEx(&config, kernel, data)));
    LAST();
    std::printf("   %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    show("data", data, 3);
}
#define LAUNCH(kernel, ...) launch(#kernel, kernel, config_of(__VA_ARGS__))

template <class Kernel>
void attributes_of(const char* name, Kernel kernel) {
    cudaFuncAttributes a;
    SAY(cudaFuncGetAttributes(&a, kernel));
    std::printf("   %s must be set %d, %d x %d x %d, policy %d, large %d\n", name, a.clusterDimMustBeSet,
                a.requiredClusterWidth, a.requiredClusterHeight, a.requiredClusterDepth,
                a.clusterSchedulingPolicyPreference, a.nonPortableClusterSizeAllowed);
}

template <class Kernel>
void occupancy_of(const char* name, Kernel kernel, int threads, int bytes) {
    std::printf("%s, %d threads, %d bytes:", name, threads, bytes);
    cudaLaunchConfig_t config = config_of(dim3(16 * 132), dim3(threads), dim3(1), bytes);
    config.numAttrs = 0;
    int most = -1;
    const cudaError_t error = cudaOccupancyMaxPotentialClusterSize(&most, kernel, &config);
    std::printf(" most %d %s; active", most, cudaGetErrorName(error));
    for (const unsigned size : {1u, 2u, 3u, 4u, 5u, 6u, 7u, 8u, 9u, 12u, 16u, 32u}) {
        config = config_of(dim3(16 * 132 / size * size), dim3(threads), dim3(size), bytes);
        int clusters = -1;
        const cudaError_t found = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
        std::printf(" %u:%d%s", size, clusters, found == cudaSuccess ? "" : cudaGetErrorName(found));
    }
    LAST();
}

void launches() {
    LAUNCH(free_size, 8, 32, 1);
    LAUNCH(free_size, 8, 32, 2);
    LAUNCH(free_size, dim3(8, 4), 32, dim3(2, 4));
    LAUNCH(free_size, 8, 32, 8);
    LAUNCH(free_size, 9, 32, 2);
    LAUNCH(free_size, dim3(8, 3), 32, dim3(2, 2));
    LAUNCH(free_size, 18, 32, 9);
    LAUNCH(free_size, 16, 32, 16);
    LAUNCH(free_size, 8, 32, dim3(0, 1, 1));
    LAUNCH(free_size, 8, 32, dim3(2, 0, 1));
    LAUNCH(free_size, 8, 32, 2, 49152);
    LAUNCH(free_size, 8, 32, 2, 49153);
    LAUNCH(free_size, 8, 1025, 2);
    LAUNCH(free_size, 8, 32, 2, 0, true);
    LAUNCH(of_two, 8, 32, 2);
    LAUNCH(of_two, 8, 32, 4);
    LAUNCH(of_two, 8, 32, 1);
    LAUNCH(of_sixteen, 16, 32, 16);
    of_two<<<8, 32>>>(data);
    LAST();
    of_two<<<7, 32>>>(data);
    LAST();
    of_one<<<7, 32>>>(data);
    LAST();
    of_sixteen<<<16, 32>>>(data);
    LAST();
    void* arguments[] = {&data};
    SAY(cudaLaunchCooperativeKernel(of_two, dim3(8), dim3(32), arguments, 0, nullptr));
    LAST();
    SAY(cudaDeviceSynchronize());
    show("data", data, 1);
}

void kernels() {
    attributes_of("free_size", free_size);
    attributes_of("of_two", of_two);
    attributes_of("of_one", of_one);
    attributes_of("of_sixteen", of_sixteen);
    SAY(cudaFuncSetAttribute(free_size, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    SAY(cudaFuncSetAttribute(of_sixteen, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    SAY(cudaFuncSetAttribute(of_two, cudaFuncAttributeNonPortableClusterSizeAllowed, 2));
    SAY(cudaFuncSetAttribute(of_two, cudaFuncAttributeRequiredClusterWidth, 2));
    SAY(cudaFuncSetAttribute(of_two, cudaFuncAttributeRequiredClusterWidth, 4));
    SAY(cudaFuncSetAttribute(of_two, cudaFuncAttributeClusterDimMustBeSet, 1));
    SAY(cudaFuncSetAttribute(of_two, cudaFuncAttributeClusterSchedulingPolicyPreference,
                             cudaClusterSchedulingPolicySpread));
    SAY(cudaFuncSetAttribute(of_two, cudaFuncAttributeClusterSchedulingPolicyPreference, 3));
    attributes_of("free_size", free_size);
    attributes_of("of_two", of_two);
    LAST();
    LAUNCH(free_size, 16, 32, 16);
    LAUNCH(free_size, 18, 32, 9);
    LAUNCH(free_size, 17, 32, 17);
    LAUNCH(free_size, 32, 32, 32);
    LAUNCH(of_sixteen, 16, 32, 16);
    of_sixteen<<<32, 32>>>(data);
    LAST();
    SAY(cudaDeviceSynchronize());
    SAY(cudaFuncSetAttribute(free_size, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    LAUNCH(free_size, 16, 1024, 16, 232448);
    LAUNCH(free_size, 8, 1024, 8, 232448);
}

void occupancy() {
    for (const int threads : {32, 256, 1024})
        for (const int bytes : {0, 50000, 100000, 232448})
            occupancy_of("free_size", free_size, threads, bytes);
    occupancy_of("of_two", of_two, 128, 0);
    occupancy_of("of_sixteen", of_sixteen, 128, 0);
    SAY(cudaFuncSetAttribute(free_size, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
    occupancy_of("free_size", free_size, 256, 0);
    occupancy_of("free_size", free_size, 2000, 0);
}

/// The cluster's size as an attribute of a kernel that has none.
void sizes_set() {
    SAY(cudaFuncSetAttribute(set_by_host, cudaFuncAttributeRequiredClusterWidth, 2));
    attributes_of("set_by_host", set_by_host);
    set_by_host<<<8, 32>>>(data);
    LAST();
    SAY(cudaFuncSetAttribute(set_by_host, cudaFuncAttributeRequiredClusterHeight, 1));
    SAY(cudaFuncSetAttribute(set_by_host, cudaFuncAttributeRequiredClusterDepth, 1));
    attributes_of("set_by_host", set_by_host);
    cudaMemset(data, 0, 16);
    set_by_host<<<8, 32>>>(data);
    LAST();
    SAY(cudaDeviceSynchronize());
    show("data", data, 1);
    set_by_host<<<7, 32>>>(data);
    LAST();
    LAUNCH(set_by_host, 8, 32, 2);
    LAUNCH(set_by_host, 8, 32, 4);
    SAY(cudaFuncSetAttribute(set_by_host, cudaFuncAttributeRequiredClusterWidth, 0));
    SAY(cudaFuncSetAttribute(set_by_host, cudaFuncAttributeRequiredClusterWidth, 4));
    SAY(cudaFuncSetAttribute(set_by_host, cudaFuncAttributeRequiredClusterWidth, -1));
    attributes_of("set_by_host", set_by_host);
    LAUNCH(set_by_host, 8, 32, 4);
}

/// A grid's barrier, and clusters within.
void cooperative() {
    LAUNCH(across_grid, 16, 64, 4, 0, true);
    LAUNCH(across_grid, 15, 64, 4, 0, true);
    LAUNCH(across_grid, 132 * 64, 64, 4, 0, true);
}

void all_places() {
    for (const unsigned size : {1u, 2u, 3u, 5u, 6u, 7u, 8u}) {
        cudaMemset(data, 0, 16);
        const cudaLaunchConfig_t config = config_of(dim3(3000 * size), dim3(1), dim3(size));
        SAY(cudaLaunchKernelEx(&config, places, data));
        show("wrong places", data, 1);
    }
}

}  // namespace

int main() {
    begin();
    launches();
    kernels();
    occupancy();
    all_places();
    sizes_set();
    cooperative();
    return 0;
}
