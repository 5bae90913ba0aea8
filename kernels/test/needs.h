// What a test needs of the GPU that it runs on, or of the one that the SIMT machine is.
#pragma once
#include <cuda_runtime.h>
#include <gtest/gtest.h>

/// An attribute of the device.
inline int device_has(cudaDeviceAttr attribute) {
    int value = 0;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, attribute, 0), cudaSuccess);
    return value;
}

/// 86 for sm_86.
inline int architecture() {
    return 10 * device_has(cudaDevAttrComputeCapabilityMajor) + device_has(cudaDevAttrComputeCapabilityMinor);
}

/// Skips the test on a GPU that lacks what the test is of.
#define NEEDS_ARCHITECTURE(number, what) \
    if (architecture() < (number)) GTEST_SKIP() << what << " needs sm_" << (number)
