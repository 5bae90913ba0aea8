// Exchange of the totals of parts by peer flags: the host side of multi_gpu/part_totals.
//
//     calls        0 .. 31       32 .. 63      64 .. 95           each call uses one of 64 slots of a mailbox
//     slots        0 .. 31       32 .. 63       0 .. 31
//     host         .             .             waits until calls 0 .. 31 have ended on all GPUs
//
// A GPU may be several calls ahead of another one, so a total must not overwrite one that is still to be
// read. The host ensures this twice in 64 calls, usually for calls that ended long ago; there is no other
// wait. Memory: 64 * 32 versioned values a part.
#pragma once
#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "kernels/launch.cuh"
#include "kernels/multi_gpu/mailboxes.cuh"
#include "kernels/multi_gpu/part_totals.cuh"
#include "kernels/multi_gpu/scan_parts.cuh"

namespace trial {

/// For one process that holds all parts. T: the type of the totals.
template <class T>
class FlagExchange {
   public:
    static constexpr int POLLS = 7'000'000;  ///< about 5 s

    /// Mailboxes of parts 0 .. devices.size() - 1, each on its device. calls: number of the first call. Does
    /// not throw; see status().
    explicit FlagExchange(const std::vector<int>& devices, int polls = POLLS,
                          bool (*can_access)(int, int) = can_access_peer, long long calls = 0)
        : mailboxes_(devices, SLOTS, can_access), polls_(polls), status_(mailboxes_.status()), call_(calls) {
        for (auto& events : ended_) {
            events.resize(devices.size());
            for (std::size_t p = 0; p < devices.size() && status_ == cudaSuccess; ++p) {
                status_ = cudaSetDevice(devices[p]);
                if (status_ == cudaSuccess)
                    status_ = cudaEventCreateWithFlags(&events[p], cudaEventDisableTiming);
            }
        }
    }
    ~FlagExchange() {
        for (auto& events : ended_)
            for (const cudaEvent_t event : events)
                if (event != nullptr) (void)cudaEventDestroy(event);
    }
    FlagExchange(const FlagExchange&) = delete;
    FlagExchange& operator=(const FlagExchange&) = delete;

    /// cudaSuccess; cudaErrorPeerAccessUnsupported if some GPU lacks peer access, in which case another
    /// exchange is needed; or another error.
    cudaError_t status() const { return status_; }

    /// Set `all` to the kernel arguments of each part for the next call; launches nothing. Calls use the same
    /// streams, one after another.
    template <class Parts>
    cudaError_t begin_call(const Parts& parts, std::vector<PartTotals<T>>& all) {
        if (parts.size() != mailboxes_.count()) return cudaErrorInvalidValue;
        if (status_ != cudaSuccess) return status_;
        const cudaError_t status = call_ % VERSIONS == 0 ? clear(parts) : make_slots_free(parts);
        if (status != cudaSuccess) return status;
        std::vector<std::size_t> places;
        for (std::size_t p = 0; p < parts.size(); ++p)
            if (parts[p].n > 0) places.push_back(p);
        all.assign(parts.size(), PartTotals<T>{});
        for (std::size_t place = 0; place < places.size(); ++place) {
            PartTotals<T>& mine = all[places[place]];
            for (std::size_t k = place + 1; k < places.size(); ++k)
                mine.successors[k - place - 1] = mailboxes_.slot(places[k], call_);
            mine.mailbox = mailboxes_.slot(places[place], call_);
            mine.place = static_cast<int>(place);
            mine.places = static_cast<int>(places.size());
            mine.version = static_cast<unsigned>(call_ % VERSIONS) + 1;
            mine.polls = polls_;
            mine.timed_out = mailboxes_.timed_out(places[place]);
        }
        ++call_;
        return cudaSuccess;
    }

    /// Step 2 of multi_gpu/scan_parts.
    template <class Parts, class Op>
    cudaError_t operator()(const Parts& parts, Op op) {
        std::vector<PartTotals<T>> all;
        const cudaError_t result = begin_call(parts, all);
        return result == cudaSuccess ? exchange(parts, all, op) : result;
    }

    template <class Parts, class Op>
    cudaError_t exchange(const Parts& parts, const std::vector<PartTotals<T>>& all, Op op) {
        return on_devices(parts, parts.size(), [&](std::size_t p) {
            if (parts[p].n == 0) return cudaSuccess;
            return launch(exchange_totals<T, Op>, 1, 32, parts[p].stream, parts[p].scan->total(), all[p],
                          parts[p].scan->prefix(), op);
        });
    }

    /// Wait for all queued work. Returns "", or an error, such as a timeout; then the results are invalid.
    template <class Parts>
    std::string wait(const Parts& parts) {
        std::string problem;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            unsigned timed_out = 0;
            cudaError_t error = cudaSetDevice(parts[p].device);
            if (error == cudaSuccess) error = cudaStreamSynchronize(parts[p].stream);
            if (error == cudaSuccess)
                error = cudaMemcpy(&timed_out, mailboxes_.timed_out(p), sizeof(timed_out),
                                   cudaMemcpyDeviceToHost);
            if (error == cudaSuccess && timed_out != 0)
                error = cudaMemset(mailboxes_.timed_out(p), 0, sizeof(timed_out));
            const std::string part = "part " + std::to_string(p);
            if (error != cudaSuccess && problem.empty()) problem = part + ": " + cudaGetErrorString(error);
            if (timed_out != 0 && problem.empty()) problem = part + " timed out waiting for its predecessors";
        }
        return problem;
    }

   private:
    static constexpr long long HALF = 32, SLOTS = 2 * HALF, VERSIONS = 0xffffffff;  ///< 0 is no version

    /// Before the first call, and when versions wrap around: slots not used for so long may hold old values.
    template <class Parts>
    cudaError_t clear(const Parts& parts) {
        cudaError_t status = cudaSuccess;
        for (std::size_t p = 0; p < parts.size() && status == cudaSuccess; ++p) {
            status = cudaSetDevice(parts[p].device);
            if (status == cudaSuccess) status = cudaStreamSynchronize(parts[p].stream);
        }
        return status == cudaSuccess ? mailboxes_.clear() : status;
    }

    template <class Parts>
    cudaError_t make_slots_free(const Parts& parts) {
        if (call_ % HALF != 0) return cudaSuccess;
        const long long turn = call_ / HALF;
        for (std::size_t p = 0; p < parts.size(); ++p) {
            cudaError_t status = cudaSetDevice(parts[p].device);
            if (status == cudaSuccess) status = cudaEventRecord(ended_[(turn - 1) % 2][p], parts[p].stream);
            if (status == cudaSuccess && turn >= 2) status = cudaEventSynchronize(ended_[turn % 2][p]);
            if (status != cudaSuccess) return status;
        }
        return cudaSuccess;
    }

    Mailboxes<T> mailboxes_;
    int polls_;
    cudaError_t status_;
    long long call_;  ///< calls so far
    std::vector<cudaEvent_t> ended_[2];
};

/// The scan of all parts by one process, from left to right, without returning to the host. Does not wait;
/// FlagExchange::wait does. If every part fits into one wave of blocks, each is scanned by one launch that
/// reads the part once: it stays in registers while the totals are exchanged.
template <class Scan, class T, class Op>
cudaError_t scan_parts(const std::vector<Part<Scan, T>>& parts, Op op, FlagExchange<T>& exchange) {
    std::vector<PartTotals<T>> all;
    cudaError_t result = check_parts(parts);
    if (result == cudaSuccess) result = exchange.begin_call(parts, all);
    bool at_once = result == cudaSuccess;
    for (const auto& part : parts) at_once = at_once && part.scan->fits_one_wave(part.n);
    if (at_once) {
        return on_devices(parts, parts.size(), [&](std::size_t p) {
            const auto& part = parts[p];
            return part.n > 0 ? part.scan->scan_one_wave(part.in, part.out, part.n, op, part.stream, all[p])
                              : cudaSuccess;
        });
    }
    if (result == cudaSuccess) result = reduce_parts(parts, op);
    if (result == cudaSuccess) result = exchange.exchange(parts, all, op);
    return result == cudaSuccess ? scan_seeded_parts(parts, op) : result;
}

}  // namespace trial
