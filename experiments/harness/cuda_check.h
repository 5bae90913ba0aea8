#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace trial {}  // namespace trial

namespace harness {

using namespace trial;

/// Throw std::runtime_error with the runtime's error text if `status` is an error.
inline void check(cudaError_t status, const char* what) {
    if (status != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

}  // namespace harness
