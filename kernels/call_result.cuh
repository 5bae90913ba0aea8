// What every call of kernels/fast and of a scan over parts returns.
#pragma once
#include <cuda_runtime.h>

enum class CallResult {
    success,  ///< the work is queued
    negative_length,
    workspace_unusable,         ///< its allocation failed; see its status()
    workspace_too_small,        ///< it was made for shorter vectors
    workspace_of_other_device,  ///< it was made while another device was current
    calls_overlapped,           ///< earlier calls on the workspace ran at once; its reset() mends it
    other_number_of_parts,      ///< than the exchange was made for
    cuda_error                  ///< a call of the CUDA runtime failed; see cudaGetLastError()
};

inline const char* describe(CallResult result) {
    switch (result) {
        case CallResult::success: return "success";
        case CallResult::negative_length: return "the length is negative";
        case CallResult::workspace_unusable: return "the workspace could not be allocated: see its status()";
        case CallResult::workspace_too_small: return "the workspace was made for shorter vectors";
        case CallResult::workspace_of_other_device: return "the workspace belongs to another device";
        case CallResult::calls_overlapped:
            return "calls on the workspace overlapped, so results since are invalid: reset() it";
        case CallResult::other_number_of_parts: return "the exchange was made for another number of parts";
        case CallResult::cuda_error: return "a call of the CUDA runtime failed: see cudaGetLastError()";
    }
    return "unknown";
}

inline CallResult result_of(cudaError_t status) {
    return status == cudaSuccess ? CallResult::success : CallResult::cuda_error;
}
inline CallResult result_of(CallResult result) { return result; }
