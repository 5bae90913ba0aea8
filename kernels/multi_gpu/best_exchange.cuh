// The best exchange available to the GPUs of one process: peer flags, or NCCL if some GPU lacks peer access.
// For nvcc builds; link nccl.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "kernels/multi_gpu/flag_exchange.cuh"
#include "kernels/multi_gpu/nccl_one_process.cuh"

namespace trial {

template <class T>
class BestExchange {
   public:
    /// For parts 0 .. devices.size() - 1, each on its device. Throws NcclFailure if no exchange works, as
    /// when parts share a GPU without peer access to another one.
    explicit BestExchange(const std::vector<int>& devices, bool (*can_access)(int, int) = can_access_peer)
        : flags_(std::make_unique<FlagExchange<T>>(devices, FlagExchange<T>::POLLS, can_access)) {
        if (flags_->status() == cudaSuccess) return;
        (void)cudaGetLastError();
        flags_.reset();
        nccl_ = std::make_unique<NcclPartsExchange<T>>(devices);
    }

    bool is_by_flags() const { return flags_ != nullptr; }

    /// As scan_parts of multi_gpu/scan_parts.
    template <class Parts, class Op>
    cudaError_t scan(const Parts& parts, Op op) {
        return is_by_flags() ? scan_parts(parts, op, *flags_) : scan_parts(parts, op, *nccl_);
    }

    /// Wait for all queued work. Returns "", or an error; then the results are invalid.
    template <class Parts>
    std::string wait(const Parts& parts) {
        return is_by_flags() ? flags_->wait(parts) : nccl_->wait(parts);
    }

   private:
    std::unique_ptr<FlagExchange<T>> flags_;
    std::unique_ptr<NcclPartsExchange<T>> nccl_;
};

}  // namespace trial
