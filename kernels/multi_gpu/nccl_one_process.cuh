// Exchange of the totals of parts by NCCL, for one process that holds one part a GPU. For nvcc builds; link
// nccl. The steps are those of nccl_totals, in sequence, each for all GPUs. Source: NVIDIA, NCCL user guide,
// "Managing Multiple GPUs from a Single Thread".
#pragma once
#include <cuda_runtime.h>
#include <nccl.h>

#include <string>
#include <vector>

#include "kernels/launch.cuh"
#include "kernels/multi_gpu/nccl_totals.cuh"

namespace trial {

/// T: the type of the totals.
template <class T>
class NcclPartsExchange {
   public:
    /// Communicators for parts 0 .. devices.size() - 1, each on a GPU of its own. Throws NcclFailure.
    explicit NcclPartsExchange(const std::vector<int>& devices)
        : devices_(devices), communicators_(devices.size()), totals_(devices.size()) {
        check(ncclCommInitAll(communicators_.data(), static_cast<int>(devices.size()), devices.data()));
        for (std::size_t p = 0; p < devices.size(); ++p) {
            (void)cudaSetDevice(devices[p]);
            if (cudaMalloc(&totals_[p], devices.size() * sizeof(Prefix<T>)) != cudaSuccess)
                throw NcclFailure("NCCL: no room for the totals");
        }
    }
    ~NcclPartsExchange() {
        for (std::size_t p = 0; p < devices_.size(); ++p) {
            (void)cudaSetDevice(devices_[p]);
            (void)cudaFree(totals_[p]);
            (void)ncclCommDestroy(communicators_[p]);
        }
    }
    NcclPartsExchange(const NcclPartsExchange&) = delete;
    NcclPartsExchange& operator=(const NcclPartsExchange&) = delete;

    /// Step 2 of multi_gpu/scan_parts, for as many parts as there are devices. Does not wait for the device.
    template <class Parts, class Op>
    cudaError_t operator()(const Parts& parts, Op op) {
        if (parts.size() != devices_.size()) return cudaErrorInvalidValue;
        const std::size_t used = parts_in_use(parts);
        each(parts, [&](std::size_t p) {
            launch(announce_total<T>, 1, 1, parts[p].stream, parts[p].scan->total(),
                   parts[p].n > 0 && p + 1 < used, totals_[p] + p);
        });
        check(ncclGroupStart());
        each(parts, [&](std::size_t p) {
            check(ncclAllGather(totals_[p] + p, totals_[p], sizeof(Prefix<T>), ncclUint8, communicators_[p],
                                parts[p].stream));
        });
        check(ncclGroupEnd());
        each(parts, [&](std::size_t p) {
            launch(combine_totals<T, Op>, 1, 1, parts[p].stream, static_cast<const Prefix<T>*>(totals_[p]),
                   static_cast<int>(p), parts[p].scan->prefix(), op);
        });
        return cudaPeekAtLastError();
    }

    /// Wait for all queued work. Returns "", or an error; then the results are invalid.
    template <class Parts>
    std::string wait(const Parts& parts) {
        std::string problem;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            cudaError_t error = cudaSetDevice(parts[p].device);
            if (error == cudaSuccess) error = cudaStreamSynchronize(parts[p].stream);
            ncclResult_t state = ncclSuccess;
            const ncclResult_t asked = ncclCommGetAsyncError(communicators_[p], &state);
            const std::string part = "part " + std::to_string(p) + ": ";
            if (error != cudaSuccess && problem.empty()) problem = part + cudaGetErrorString(error);
            if (problem.empty() && (asked != ncclSuccess || state != ncclSuccess))
                problem = part + "NCCL: " + ncclGetErrorString(asked != ncclSuccess ? asked : state);
        }
        return problem;
    }

   private:
    template <class Parts, class Do>
    static void each(const Parts& parts, Do what) {
        for (std::size_t p = 0; p < parts.size(); ++p) {
            if (cudaSetDevice(parts[p].device) != cudaSuccess) throw NcclFailure("NCCL: no such device");
            what(p);
        }
    }
    static void check(ncclResult_t result) {
        if (result != ncclSuccess) throw NcclFailure(std::string("NCCL: ") + ncclGetErrorString(result));
    }

    std::vector<int> devices_;
    std::vector<ncclComm_t> communicators_;
    std::vector<Prefix<T>*> totals_;
};

}  // namespace trial
