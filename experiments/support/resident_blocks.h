// Launches of persistent blocks, of which so many as stated are resident on each multiprocessor.
#pragma once
#include <algorithm>

#include "experiments/harness/cuda_check.h"
#include "experiments/harness/suite.h"

namespace harness {

/// Blocks of a multiprocessor, and what limits them: its threads, which so many blocks fill; or shared memory
/// that nothing uses.
struct Resident {
    int blocks;
    bool by_shared_memory;

    /// Blocks that have a tile to begin with.
    long long grid(long long tiles) const {
        return std::min(tiles, 1LL * blocks * attribute(cudaDevAttrMultiProcessorCount));
    }
    /// Dynamic shared memory with which so many blocks fit and no more, if they use `own` bytes besides.
    int shared_bytes(int own) const {
        if (!by_shared_memory) return 0;
        return attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / blocks -
               attribute(cudaDevAttrReservedSharedMemoryPerBlock) - own;
    }
};

/// The kernel as work, a grid of blocks that are resident together. A limit by shared memory asks for the
/// whole of it, whatever the number of blocks, so that the cache beside it always has the same size.
/// `own`: at least the bytes of shared memory that the kernel uses.
template <class... Parameters, class... Arguments>
Work on_resident_blocks(void (*kernel)(Parameters...), Resident resident, long long tiles, int threads,
                        int own, cudaStream_t stream, Arguments... arguments) {
    const int most = Resident{1, true}.shared_bytes(own), bytes = resident.shared_bytes(own);
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most), "shared memory");
    const auto blocks = static_cast<unsigned>(resident.grid(tiles));
    return [=] {
        cudaLaunchAttribute whole = {};
        whole.id = cudaLaunchAttributePreferredSharedMemoryCarveout;
        whole.val.sharedMemCarveout = cudaSharedmemCarveoutMaxShared;
        cudaLaunchConfig_t config = {};
        config.gridDim = blocks;
        config.blockDim = threads;
        config.dynamicSmemBytes = bytes;
        config.stream = stream;
        config.attrs = &whole;
        config.numAttrs = bytes > 0 ? 1 : 0;
        (void)cudaLaunchKernelEx(&config, kernel, Parameters(arguments)...);
    };
}

}  // namespace harness
