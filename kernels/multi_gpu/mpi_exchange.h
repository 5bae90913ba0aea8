// Exchange of the totals of parts between processes by MPI through the host: for machines without GPUs, and
// for GPUs without NCCL.
//
// Every rank sends its total, as bytes, to every other rank, and combines the totals of the ranks before it.
// Bytes a rank: G - 1 totals sent and received; one total copied to the host, one prefix copied back.
#pragma once
#include <cuda_runtime.h>

#include "kernels/multi_gpu/agreement.h"
#include "kernels/multi_gpu/ranks.h"
#include "kernels/multi_gpu/scan_parts.cuh"

namespace trial {

class MpiExchange {
   public:
    explicit MpiExchange(const Ranks& ranks) : ranks_(ranks) {}

    bool is_last() const { return ranks_.is_last(); }

    /// See kernels/multi_gpu/scan_parts. Waits for the stream. Aborts the run if a rank does not answer.
    template <class T, class Op>
    void operator()(const T* total, bool exists, Prefix<T>* prefix, Op op, cudaStream_t stream) {
        Prefix<T> mine = {{}, exists};
        if (exists) check(cudaMemcpyAsync(&mine.value, total, sizeof(T), cudaMemcpyDeviceToHost, stream));
        check(cudaStreamSynchronize(stream));
        const std::vector<Prefix<T>> totals = ranks_.gather(mine);
        const Prefix<T> combined = prefix_of_part(totals.data(), ranks_.rank(), op);
        check(cudaMemcpyAsync(prefix, &combined, sizeof(combined), cudaMemcpyHostToDevice, stream));
    }

   private:
    void check(cudaError_t status) const {
        if (status != cudaSuccess) ranks_.fail(std::string("exchange: ") + cudaGetErrorString(status));
    }

    const Ranks& ranks_;
};

/// The same answer on all ranks: why they cannot scan together, in one line, or "".
inline std::string disagreement(const Ranks& ranks, const Terms& mine) {
    return disagreement(ranks.gather(mine));
}

}  // namespace trial
