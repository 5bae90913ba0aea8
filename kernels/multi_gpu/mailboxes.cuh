// Mailboxes of multi_gpu/part_totals: the memory through which parts exchange their totals.
//
//     part p, on its GPU        | slot 0 | slot 1 | .. |      each of 32 versioned values, one a sender
//                               | timed_out |                 senders whose total did not arrive in time
//
// The other GPUs write to it, so every pair of GPUs needs peer access. Memory: slots * 32 versioned values
// a part. Source: ours.
#pragma once
#include <cuda_runtime.h>

#include <utility>
#include <vector>

#include "kernels/multi_gpu/part_totals.cuh"

namespace trial {

/// Whether `from` can write to memory of `to`. Tests substitute a function that returns false.
inline bool can_access_peer(int from, int to) {
    int can = 0;
    return cudaDeviceCanAccessPeer(&can, from, to) == cudaSuccess && can != 0;
}

/// T: the type of the totals.
template <class T>
class Mailboxes {
   public:
    using Word = typename PartTotals<T>::Word;

    /// For parts 0 .. devices.size() - 1, each on its device; all slots are empty. Does not throw;
    /// see status().
    Mailboxes(std::vector<int> devices, long long slots, bool (*can_access)(int, int))
        : devices_(std::move(devices)), slots_(slots), words_(devices_.size()), timed_out_(devices_.size()) {
        if (devices_.empty() || devices_.size() > PartTotals<T>::MAX_PARTS) status_ = cudaErrorInvalidValue;
        for (const int from : devices_)
            for (const int to : devices_)
                if (from != to && good()) enable_peer_access(from, to, can_access);
        for (std::size_t p = 0; p < count() && good(); ++p) allocate(p);
        if (good()) status_ = clear();
    }
    ~Mailboxes() {
        for (std::size_t p = 0; p < count(); ++p) {
            (void)cudaSetDevice(devices_[p]);
            (void)cudaFree(words_[p]);
            (void)cudaFree(timed_out_[p]);
        }
    }
    Mailboxes(const Mailboxes&) = delete;
    Mailboxes& operator=(const Mailboxes&) = delete;

    /// cudaSuccess; cudaErrorPeerAccessUnsupported if some GPU lacks peer access; or another error.
    cudaError_t status() const { return status_; }

    std::size_t count() const { return devices_.size(); }

    /// The slot of the part's mailbox for this call, on the part's device.
    Word* slot(std::size_t part, long long call) const { return words_[part] + call % slots_ * SLOT; }

    /// One bit for each sender that timed out, on the part's device.
    unsigned* timed_out(std::size_t part) const { return timed_out_[part]; }

    /// Empty all slots. No call may be in flight; waits until it is done.
    cudaError_t clear() const {
        cudaError_t status = cudaSuccess;
        for (std::size_t p = 0; p < count() && status == cudaSuccess; ++p) {
            status = cudaSetDevice(devices_[p]);
            if (status == cudaSuccess) status = cudaMemset(words_[p], 0, bytes());
            if (status == cudaSuccess) status = cudaDeviceSynchronize();
        }
        return status;
    }

   private:
    static constexpr std::size_t SLOT =
        std::size_t{PartTotals<T>::MAX_PARTS} * Versioned<T, Scope::system>::WORDS;

    bool good() const { return status_ == cudaSuccess; }
    std::size_t bytes() const { return slots_ * SLOT * sizeof(Word); }

    void enable_peer_access(int from, int to, bool (*can_access)(int, int)) {
        if (!can_access(from, to)) {
            status_ = cudaErrorPeerAccessUnsupported;
            return;
        }
        status_ = cudaSetDevice(from);
        if (good()) status_ = cudaDeviceEnablePeerAccess(to, 0);
        if (status_ != cudaErrorPeerAccessAlreadyEnabled) return;
        (void)cudaGetLastError();  // peer access was already enabled
        status_ = cudaSuccess;
    }

    void allocate(std::size_t p) {
        status_ = cudaSetDevice(devices_[p]);
        if (good()) status_ = cudaMalloc(&words_[p], bytes());
        if (good()) status_ = cudaMalloc(&timed_out_[p], sizeof(unsigned));
        if (good()) status_ = cudaMemset(timed_out_[p], 0, sizeof(unsigned));
    }

    std::vector<int> devices_;
    long long slots_;
    cudaError_t status_ = cudaSuccess;
    std::vector<Word*> words_;
    std::vector<unsigned*> timed_out_;
};

}  // namespace trial
