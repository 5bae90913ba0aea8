#pragma once
#include <cuda_runtime.h>

/// Launch `kernel` on `blocks` blocks of `threads` threads. Errors show in cudaGetLastError, as with <<< >>>.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, cudaStream_t stream,
            Arguments... arguments) {
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.stream = stream;
    (void)cudaLaunchKernelEx(&config, kernel, arguments...);
}
