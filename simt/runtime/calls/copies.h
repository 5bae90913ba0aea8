// Copies and fillings, once their arguments are known to be good.
#pragma once
#include <cuda_runtime_api.h>

#include "simt/runtime/calls/graph.h"

namespace simt_runtime {

/// `rows` rows of `width` bytes. A plain copy has one row.
struct CopyArguments {
    void* to;
    std::size_t to_pitch;
    const void* from;
    std::size_t from_pitch;
    std::size_t width, rows;
    cudaMemcpyKind kind;
};

/// cudaErrorInvalidValue if a side that should be in device memory is not, as a whole;
/// cudaErrorInvalidMemcpyDirection for an unknown kind.
cudaError_t check(const CopyArguments& copy);

/// Checks, and submits to the stream. `waits`: the call returns after the copy.
cudaError_t copy(const CopyArguments& arguments, cudaStream_t stream, bool waits);

/// Each layer of a volume as rows.
cudaError_t copy_volume(const cudaMemcpy3DParms* all, cudaStream_t stream, bool waits);

/// Fills rows of device memory with a value of `element` bytes: 1, 2 or 4. `width` is a multiple of that.
cudaError_t fill(void* to, std::size_t pitch, int value, std::size_t width, std::size_t rows,
                 cudaStream_t stream, bool waits, std::size_t element = 1);

/// Submits to the stream that the handle means, or captures; `waits`: returns when it is done.
cudaError_t perform_and_wait(cudaStream_t handle, bool waits, cudaGraphNodeType type,
                             const Submission& submission);

/// Whether a range of addresses lies within one allocation of the machine.
bool is_allocated(const void* begin, std::size_t bytes);
bool is_on_device(const void* address);
/// Host memory that the machine does not know: it can change once a call has returned.
bool is_pageable(const void* address);

}  // namespace simt_runtime
