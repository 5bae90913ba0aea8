// Launches: from a call's arguments to a grid that runs.
#pragma once
#include <cuda_runtime_api.h>

#include <array>

#include "simt/run/grid.h"
#include "simt/runtime/calls/graph.h"
#include "simt/runtime/registry.h"

namespace simt_runtime {

struct LaunchArguments {
    CUkern_st* kernel;
    dim3 grid, block;
    std::size_t dynamic_shared_bytes = 0;
    void** parameters;  ///< one pointer each
    bool is_cooperative = false;
    dim3 cluster = dim3(0, 0, 0);
    bool has_cluster = false;  ///< else it is as the kernel says
};

/// Checks the arguments, copies the parameters, and makes what submits the launch.
cudaError_t prepare(const LaunchArguments& arguments, int device, Submission& submission);

/// What a launch asks for beyond what the device or the kernel allows; the errors are an H200's.
cudaError_t check(const sass::Launch& launch, const CUkern_st& kernel, int device);

/// Who answers what kernels on the device ask.
sass::DeviceRuntime* runtime_of_kernels(int device);

void describe(const CUkern_st& kernel, int device, cudaFuncAttributes& is);

/// Checks, and submits to the stream.
cudaError_t launch(const LaunchArguments& arguments, cudaStream_t stream);

/// The size that the kernel has, or that was set for it; zeros: none.
std::array<int, 3> required_cluster(const CUkern_st& kernel, int device);
/// Is the kernel allowed clusters of this size?
bool may_have_cluster(const CUkern_st& kernel, int device, const sass::Dim3& cluster);

/// Resident blocks on one multiprocessor, by its threads, registers and shared memory; 0: none fits.
int resident_blocks(const CUkern_st& kernel, int device, int threads, std::size_t dynamic_shared_bytes);

}  // namespace simt_runtime
