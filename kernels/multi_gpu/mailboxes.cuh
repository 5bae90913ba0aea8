// Memory for the totals that parts tell one another: the mailboxes of multi_gpu/part_totals.
//
//     part p, on its GPU        | slot 0 | slot 1 | .. |      each of 32 tagged values, a sender each
//                               | late |                    the senders that were waited for in vain
//
// The other GPUs write into it, so each must reach each other one's memory. Memory: slots * 32 tagged values
// a part. Source: ours.
#pragma once
#include <cuda_runtime.h>

#include <utility>
#include <vector>

#include "kernels/multi_gpu/part_totals.cuh"

/// Whether `from` can write to memory of `to`; what tests put in its place says no.
inline bool can_access_peer(int from, int to) {
    int can = 0;
    return cudaDeviceCanAccessPeer(&can, from, to) == cudaSuccess && can != 0;
}

/// T: the type of the totals.
template <class T>
class Mailboxes {
   public:
    using Word = typename PartTotals<T>::Word;

    /// Of parts 0 .. devices.size() - 1, each on its device; all slots are empty. Throws nothing; see
    /// status().
    Mailboxes(std::vector<int> devices, long long slots, bool (*can_access)(int, int))
        : devices_(std::move(devices)), slots_(slots), words_(devices_.size()), late_(devices_.size()) {
        if (devices_.empty() || devices_.size() > PartTotals<T>::MOST) status_ = cudaErrorInvalidValue;
        for (const int from : devices_)
            for (const int to : devices_)
                if (from != to && good()) reach(from, to, can_access);
        for (std::size_t p = 0; p < count() && good(); ++p) make_room(p);
        if (good()) status_ = clear();
    }
    ~Mailboxes() {
        for (std::size_t p = 0; p < count(); ++p) {
            (void)cudaSetDevice(devices_[p]);
            (void)cudaFree(words_[p]);
            (void)cudaFree(late_[p]);
        }
    }
    Mailboxes(const Mailboxes&) = delete;
    Mailboxes& operator=(const Mailboxes&) = delete;

    /// cudaSuccess; cudaErrorPeerAccessUnsupported, if a GPU does not reach another one's memory; or what
    /// else went wrong.
    cudaError_t status() const { return status_; }

    std::size_t count() const { return devices_.size(); }

    /// On the part's device: the slot of its mailbox for this call.
    Word* slot(std::size_t part, long long call) const { return words_[part] + call % slots_ * SLOT; }

    /// On the part's device: a bit a sender.
    unsigned* late(std::size_t part) const { return late_[part]; }

    /// Empty all slots. No call may be under way; waits until it is done.
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
    static constexpr std::size_t SLOT = std::size_t{PartTotals<T>::MOST} * Versioned<T, Scope::system>::WORDS;

    bool good() const { return status_ == cudaSuccess; }
    std::size_t bytes() const { return slots_ * SLOT * sizeof(Word); }

    void reach(int from, int to, bool (*can_access)(int, int)) {
        if (!can_access(from, to)) {
            status_ = cudaErrorPeerAccessUnsupported;
            return;
        }
        status_ = cudaSetDevice(from);
        if (good()) status_ = cudaDeviceEnablePeerAccess(to, 0);
        if (status_ != cudaErrorPeerAccessAlreadyEnabled) return;
        (void)cudaGetLastError();  // somebody else has enabled it
        status_ = cudaSuccess;
    }

    void make_room(std::size_t p) {
        status_ = cudaSetDevice(devices_[p]);
        if (good()) status_ = cudaMalloc(&words_[p], bytes());
        if (good()) status_ = cudaMalloc(&late_[p], sizeof(unsigned));
        if (good()) status_ = cudaMemset(late_[p], 0, sizeof(unsigned));
    }

    std::vector<int> devices_;
    long long slots_;
    cudaError_t status_ = cudaSuccess;
    std::vector<Word*> words_;
    std::vector<unsigned*> late_;
};
