// The part of NCCL's interface in C that the experiments call, declared here so that they are the same
// programs, with the same kernels, whether NCCL is installed or not. nccl_on_demand.cpp opens the library.
// Tests and users include NCCL's own header; kernels/test/scan_parts_nccl.cu compares the values.
// Source: NVIDIA, NCCL user guide, "API".
#pragma once
#include <cuda_runtime.h>

#include <cstddef>

extern "C" {

using ncclComm_t = struct ncclComm*;
enum ncclResult_t { ncclSuccess = 0, ncclInProgress = 7 };
enum ncclDataType_t { ncclUint8 = 1 };

ncclResult_t ncclCommInitAll(ncclComm_t* communicators, int count, const int* devices);
ncclResult_t ncclCommDestroy(ncclComm_t communicator);
ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* error);
const char* ncclGetErrorString(ncclResult_t result);
ncclResult_t ncclGroupStart();
ncclResult_t ncclGroupEnd();
ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclComm_t communicator, cudaStream_t stream);
}
