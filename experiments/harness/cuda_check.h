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

/// An attribute of device 0, which the experiments run on.
inline int attribute(cudaDeviceAttr which) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, 0), "an attribute of the device");
    return value;
}

}  // namespace harness
