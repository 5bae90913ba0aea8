// The common steps of the exchanges by NCCL: put a total into the all-gather, combine the gathered totals.
//
//     announce      total, exists  ->  totals[rank]          a kernel of one thread
//     all-gather    totals[rank]   ->  totals[0 .. G-1]      over NVLink or the network
//     combine       totals[0 .. rank-1]  ->  prefix          a kernel of one thread
//
// All of it is queued on the stream: the host does not wait for the totals. Bytes: G sizeof(Prefix<T>)
// received by each GPU. launches 2, plus NCCL's own.
#pragma once
#include <cuda_runtime.h>
#include <nccl.h>

#include <stdexcept>

#include "kernels/multi_gpu/scan_parts.cuh"

namespace trial {

struct NcclFailure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Grid: one thread.
template <class T>
__global__ void announce_total(const T* total, bool exists, Prefix<T>* place) {
    if (exists) place->value = *total;
    place->exists = exists;
}

/// Grid: one thread.
template <class T, class Op>
__global__ void combine_totals(const Prefix<T>* totals, int part, Prefix<T>* prefix, Op op) {
    *prefix = prefix_of_part(totals, part, op);
}

}  // namespace trial
