// Exchange of the totals of parts between processes by MPI, by way of the host: for machines without GPUs,
// and for any GPUs without NCCL.
//
// Every rank sends its total to every other one, bytes as they are, and combines what comes from the ranks
// before it. Bytes: G - 1 totals sent and received a rank; one total copied down, one prefix copied up.
#pragma once
#include <cuda_runtime.h>

#include "kernels/multi_gpu/agreement.h"
#include "kernels/multi_gpu/ranks.h"
#include "kernels/multi_gpu/scan_parts.cuh"

class MpiExchange {
   public:
    explicit MpiExchange(const Ranks& ranks) : ranks_(ranks) {}

    bool is_last() const { return ranks_.is_last(); }

    /// See kernels/multi_gpu/scan_parts. Waits for the stream. Ends the whole run if a rank does not answer.
    template <class T, class Op>
    void operator()(const T* total, bool exists, Prefix<T>* before, Op op, cudaStream_t stream) {
        Prefix<T> mine = {{}, exists};
        if (exists) check(cudaMemcpyAsync(&mine.value, total, sizeof(T), cudaMemcpyDeviceToHost, stream));
        check(cudaStreamSynchronize(stream));
        const std::vector<Prefix<T>> totals = ranks_.gather(mine);
        const Prefix<T> prefix = before_part(totals.data(), ranks_.rank(), op);
        check(cudaMemcpyAsync(before, &prefix, sizeof(prefix), cudaMemcpyHostToDevice, stream));
    }

   private:
    void check(cudaError_t status) const {
        if (status != cudaSuccess) ranks_.fail(std::string("exchange: ") + cudaGetErrorString(status));
    }

    const Ranks& ranks_;
};

/// Do all ranks agree? The same answer on all: a line that says why not, or "".
inline std::string disagreement(const Ranks& ranks, const Terms& mine) {
    return disagreement(ranks.gather(mine));
}
