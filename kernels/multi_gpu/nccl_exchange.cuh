// Exchange of the totals of parts between GPUs by NCCL, one process a GPU, on any number of hosts. For nvcc
// builds; link nccl. The steps are those of nccl_totals.
//
// Every wait has a deadline: the communicator is non-blocking, and waits poll its state until the deadline.
// Source: NVIDIA, NCCL user guide, "Creating a communicator with options" and "Fault tolerance".
#pragma once
#include <cuda_runtime.h>
#include <nccl.h>

#include <chrono>
#include <string>
#include <thread>

#include "kernels/device_array.cuh"
#include "kernels/launch.cuh"
#include "kernels/multi_gpu/nccl_totals.cuh"

namespace trial {

/// The communicator of the GPUs that exchange totals.
class NcclGroup {
   public:
    /// Created by one rank and sent to all, for instance by Ranks::gather.
    static ncclUniqueId new_id() {
        ncclUniqueId id;
        if (ncclGetUniqueId(&id) != ncclSuccess) throw NcclFailure("NCCL cannot begin");
        return id;
    }

    /// The current device becomes rank `rank` of `size`. Called by all ranks; throws NcclFailure if not all
    /// of them join within `deadline` seconds.
    NcclGroup(const ncclUniqueId& id, int rank, int size, double deadline = 5)
        : rank_(rank), size_(size), deadline_(deadline) {
        ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
        config.blocking = 0;
        const ncclResult_t result = ncclCommInitRankConfig(&communicator_, size, id, rank, &config);
        settle(result, "to the start");
    }
    ~NcclGroup() {
        if (communicator_ == nullptr) return;
        try {
            settle(ncclCommFinalize(communicator_), "to the end");
            (void)ncclCommDestroy(communicator_);
        } catch (const NcclFailure&) {  // settle has aborted the communicator
        }
    }
    NcclGroup(const NcclGroup&) = delete;
    NcclGroup& operator=(const NcclGroup&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }

    /// all: `bytes` from each rank, in the order of ranks; mine = all + rank() * bytes. On the device, in
    /// stream order.
    void gather(const void* mine, void* all, std::size_t bytes, cudaStream_t stream) {
        settle(ncclAllGather(mine, all, bytes, ncclUint8, communicator_, stream), "to the exchange");
    }

    /// Wait for the work queued on the stream. Throws NcclFailure at the deadline, as when another rank has
    /// died.
    void wait(cudaStream_t stream) {
        cudaError_t status = cudaErrorNotReady;
        poll("to the end of the exchange", [&] {
            status = cudaStreamQuery(stream);
            if (status != cudaErrorNotReady) return ncclSuccess;
            (void)cudaGetLastError();  // cudaErrorNotReady is no failure
            return ncclInProgress;
        });
        if (status != cudaSuccess) fail(cudaGetErrorString(status));
    }

   private:
    /// Wait until NCCL has completed the operation.
    void settle(ncclResult_t result, const char* what) {
        if (result != ncclSuccess && result != ncclInProgress) fail(ncclGetErrorString(result));
        poll(what, [] { return ncclSuccess; });
    }

    /// Poll until both NCCL and `done` report success.
    template <class Done>
    void poll(const char* what, Done done) {
        using Clock = std::chrono::steady_clock;
        for (const auto begin = Clock::now();;) {
            ncclResult_t state = ncclSuccess;
            const ncclResult_t asked = ncclCommGetAsyncError(communicator_, &state);
            if (asked != ncclSuccess) fail(ncclGetErrorString(asked));
            if (state != ncclSuccess && state != ncclInProgress) fail(ncclGetErrorString(state));
            if (state == ncclSuccess && done() == ncclSuccess) return;
            if (std::chrono::duration<double>(Clock::now() - begin).count() > deadline_)
                fail("not all GPUs came " + std::string(what) + " in time");
            std::this_thread::yield();
        }
    }

    [[noreturn]] void fail(const std::string& reason) {
        if (communicator_ != nullptr) (void)ncclCommAbort(communicator_);
        communicator_ = nullptr;
        throw NcclFailure("NCCL: " + reason);
    }

    ncclComm_t communicator_ = nullptr;
    int rank_, size_;
    double deadline_;
};

template <class T>
class NcclExchange {
   public:
    /// Make room for the totals of all ranks. Throws nothing; see status().
    explicit NcclExchange(NcclGroup& group) : group_(group), totals_(group.size()) {}

    /// cudaSuccess, or why there is no room.
    cudaError_t status() const { return totals_.status(); }

    bool is_last() const { return group_.rank() == group_.size() - 1; }

    /// See kernels/multi_gpu/scan_parts. Does not wait for the device; NcclGroup::wait does, with a deadline.
    template <class Op>
    void operator()(const T* total, bool exists, Prefix<T>* before, Op op, cudaStream_t stream) {
        Prefix<T>* const mine = totals_.data() + group_.rank();
        launch(announce_total<T>, 1, 1, stream, total, exists, mine);
        group_.gather(mine, totals_.data(), sizeof(Prefix<T>), stream);
        launch(combine_totals<T, Op>, 1, 1, stream, static_cast<const Prefix<T>*>(totals_.data()),
               group_.rank(), before, op);
    }

   private:
    NcclGroup& group_;
    DeviceArray<Prefix<T>> totals_;
};

}  // namespace trial
