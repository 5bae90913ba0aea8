#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "kernels/call_result.cuh"

namespace harness {

/// Throw std::runtime_error with the runtime's error text if `status` is an error.
inline void check(cudaError_t status, const char* what) {
    if (status != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}
inline void check(CallResult result, const char* what) {
    if (result == CallResult::cuda_error) check(cudaGetLastError(), what);
    if (result != CallResult::success) throw std::runtime_error(std::string(what) + ": " + describe(result));
}

}  // namespace harness
