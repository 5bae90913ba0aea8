// What the exchanges by NCCL share: how a total gets into the all-gather, and what comes of it.
//
//     announce      total, exists  ->  totals[rank]          a kernel of one thread
//     all-gather    totals[rank]   ->  totals[0 .. G-1]      over NVLink or the network
//     combine       totals[0 .. rank-1]  ->  before          a kernel of one thread
//
// All of it goes into the stream: the host does not wait for the totals. Bytes: G sizeof(Prefix<T>) received
// a GPU. launches 2, and NCCL's own.
#pragma once
#include <cuda_runtime.h>
#include <nccl.h>

#include <stdexcept>

#include "kernels/multi_gpu/scan_parts.cuh"

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
__global__ void combine_totals(const Prefix<T>* totals, int part, Prefix<T>* before, Op op) {
    *before = before_part(totals, part, op);
}
