// Exchange of the totals of parts between GPUs by NCCL, one process a GPU, on any number of hosts. For builds
// with nvcc; link nccl.
//
//     announce      total, exists  ->  totals[rank]          a kernel of one thread
//     all-gather    totals[rank]   ->  totals[0 .. G-1]      over NVLink or the network
//     combine       totals[0 .. rank-1]  ->  before          a kernel of one thread
//
// All of it goes into the stream: the host does not wait for the totals. Bytes: G sizeof(Prefix<T>) received
// a GPU. launches 2, and NCCL's own.
// No rank waits for ever: the communicator does not block, and whoever waits asks it again and again until
// the deadline. Source: NVIDIA, NCCL user guide, "Creating a communicator with options" and "Fault
// tolerance".
#pragma once
#include <cuda_runtime.h>
#include <nccl.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "kernels/devices/scan_parts.cuh"
#include "kernels/launch.cuh"

struct NcclFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The GPUs that exchange.
class NcclGroup {
   public:
    /// To be made by one rank and told to all, as by Ranks::gather.
    static ncclUniqueId new_id() {
        ncclUniqueId id;
        if (ncclGetUniqueId(&id) != ncclSuccess) throw NcclFailure("NCCL cannot begin");
        return id;
    }

    /// The current device becomes rank `rank` of `size`. Called by all ranks; throws NcclFailure if they do
    /// not all come within `deadline` seconds.
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
        } catch (const NcclFailure&) {  // settle has ended it
        }
    }
    NcclGroup(const NcclGroup&) = delete;
    NcclGroup& operator=(const NcclGroup&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }

    /// all: `bytes` of each rank, in the order of ranks; mine = all + rank() * bytes. On the device and in
    /// the order of the stream.
    void gather(const void* mine, void* all, std::size_t bytes, cudaStream_t stream) {
        settle(ncclAllGather(mine, all, bytes, ncclUint8, communicator_, stream), "to the exchange");
    }

    /// Wait for what lies in the stream. Throws NcclFailure at the deadline, as when another rank has died.
    void wait(cudaStream_t stream) {
        cudaError_t status = cudaErrorNotReady;
        poll("to the end of the exchange", [&] {
            status = cudaStreamQuery(stream);
            if (status != cudaErrorNotReady) return ncclSuccess;
            (void)cudaGetLastError();  // to wait is no error
            return ncclInProgress;
        });
        if (status != cudaSuccess) fail(cudaGetErrorString(status));
    }

   private:
    /// Wait until NCCL has done what it was told.
    void settle(ncclResult_t result, const char* what) {
        if (result != ncclSuccess && result != ncclInProgress) fail(ncclGetErrorString(result));
        poll(what, [] { return ncclSuccess; });
    }

    /// Until NCCL and `done` are both done.
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

/// Grid: one thread.
template <class T>
__global__ void announce_total(const T* total, bool exists, Prefix<T>* place) {
    if (exists) place->value = *total;
    place->exists = exists;
}

/// Grid: one thread.
template <class T, class Op>
__global__ void combine_totals(const Prefix<T>* totals, int part, Prefix<T>* before, Op op) {
    *before = before_part(totals, part, op);
}

template <class T>
class NcclExchange {
   public:
    /// Make room for the totals of all ranks. Throws nothing; see status().
    explicit NcclExchange(NcclGroup& group) : group_(group) {
        status_ = cudaMalloc(&totals_, static_cast<std::size_t>(group.size()) * sizeof(Prefix<T>));
    }
    ~NcclExchange() { (void)cudaFree(totals_); }
    NcclExchange(const NcclExchange&) = delete;
    NcclExchange& operator=(const NcclExchange&) = delete;

    /// cudaSuccess, or why there is no room.
    cudaError_t status() const { return status_; }

    bool is_last() const { return group_.rank() == group_.size() - 1; }

    /// See kernels/devices/scan_parts. Waits for nothing on the device; NcclGroup::wait does, with a
    /// deadline.
    template <class Op>
    void operator()(const T* total, bool exists, Prefix<T>* before, Op op, cudaStream_t stream) {
        Prefix<T>* const mine = totals_ + group_.rank();
        launch(announce_total<T>, 1, 1, stream, total, exists, mine);
        group_.gather(mine, totals_, sizeof(Prefix<T>), stream);
        launch(combine_totals<T, Op>, 1, 1, stream, static_cast<const Prefix<T>*>(totals_), group_.rank(),
               before, op);
    }

   private:
    NcclGroup& group_;
    cudaError_t status_ = cudaSuccess;
    Prefix<T>* totals_ = nullptr;
};

/// The exchange for one process that holds a part a GPU. T: the type of the totals.
template <class T>
class NcclPartsExchange {
   public:
    /// Communicators of parts 0 .. devices.size() - 1, each on a GPU of its own. Throws NcclFailure.
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

    /// Step 2 of devices/scan_parts, of as many parts as there are devices. Waits for nothing on the device.
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
                   static_cast<int>(p), parts[p].scan->before(), op);
        });
        return cudaSuccess;
    }

    /// Wait for all that was queued. "", or what went wrong: the results are then not to be used.
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
