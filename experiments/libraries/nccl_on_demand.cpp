// The functions of NCCL that the experiments call: see on_demand.h.
#include <nccl.h>

#include "experiments/libraries/nccl_on_demand.h"
#include "experiments/libraries/on_demand.h"

namespace {

harness::OnDemand& nccl() {
    static harness::OnDemand library("libnccl.so.2", "install NCCL");
    return library;
}

}  // namespace

std::string harness::why_no_nccl() {
    try {
        (void)nccl().get(ncclCommInitAll);
        return "";
    } catch (const std::runtime_error& missing) {
        return missing.what();
    }
}

ncclResult_t ncclCommInitAll(ncclComm_t* communicators, int count, const int* devices) {
    return nccl().get(ncclCommInitAll)(communicators, count, devices);
}

ncclResult_t ncclCommDestroy(ncclComm_t communicator) { return nccl().get(ncclCommDestroy)(communicator); }

ncclResult_t ncclGroupStart() { return nccl().get(ncclGroupStart)(); }

ncclResult_t ncclGroupEnd() { return nccl().get(ncclGroupEnd)(); }

ncclResult_t ncclAllGather(const void* from, void* to, std::size_t count, ncclDataType_t type,
                           ncclComm_t communicator, cudaStream_t stream) {
    return nccl().get(ncclAllGather)(from, to, count, type, communicator, stream);
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* error) {
    return nccl().get(ncclCommGetAsyncError)(communicator, error);
}

const char* ncclGetErrorString(ncclResult_t result) { return nccl().get(ncclGetErrorString)(result); }
