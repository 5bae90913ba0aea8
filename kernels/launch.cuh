#pragma once
#include <cuda_runtime.h>

#include <cstddef>

namespace trial {

/// Launch `kernel` on `blocks` blocks of `threads` threads, with `shared_bytes` of dynamic shared memory.
/// Returns the launch error, which cudaGetLastError reports as well, as after <<< >>>.
template <class... Parameters, class... Arguments>
cudaError_t launch_with_shared_memory(void (*kernel)(Parameters...), dim3 blocks, dim3 threads,
                                      std::size_t shared_bytes, cudaStream_t stream, Arguments... arguments) {
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

/// The same without dynamic shared memory.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, cudaStream_t stream,
                   Arguments... arguments) {
    return launch_with_shared_memory(kernel, blocks, threads, 0, stream, arguments...);
}

/// The same in clusters of `cluster` blocks, of which `blocks` is a multiple; 1: as launch does. More than 1
/// needs sm_90.
template <class... Parameters, class... Arguments>
cudaError_t launch_in_clusters(void (*kernel)(Parameters...), int cluster, dim3 blocks, dim3 threads,
                               cudaStream_t stream, Arguments... arguments) {
    if (cluster == 1) return launch(kernel, blocks, threads, stream, arguments...);
    if (cluster > 8)  // what every GPU with clusters has
        (void)cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = threads;
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, kernel, arguments...);
}

}  // namespace trial
