// The scan of one part by fast/scan and its total by fast/reduce, for parts on real GPUs.
#pragma once
#include <cuda_runtime.h>

#include "kernels/fast/reduce.cuh"
#include "kernels/fast/scan.cuh"
#include "kernels/multi_gpu/scan_parts.cuh"

/// A scan whose seed is on the device, as PartScan requires.
template <class T, class Op, Form FORM>
class DeviceScan {
   public:
    /// Allocate the workspace for parts of up to `capacity` elements on the current device. See status().
    explicit DeviceScan(long long capacity) : workspace_(scan_bytes<T>(capacity)) {}

    cudaError_t status() const { return workspace_.status(); }

    /// As inclusive_scan or exclusive_scan of fast/scan, with the seed at `seed`.
    CallResult operator()(const T* in, T* out, long long n, const Prefix<T>* seed, Op op,
                          cudaStream_t stream) {
        const ScanProblem<T> problem = {in, out, n, {{}, false}, seed};
        return scan_detail::scan<FORM>(workspace_, problem, op, stream);
    }

    /// Whether the part fits in registers, where it can stay while the totals are exchanged.
    bool fits_one_wave(long long n) const {
        return workspace_.has_bulk_copies() &&
               (n == 0 || scan_detail::wave_blocks<typename WavePolicies<T>::Large, T>(workspace_, n) > 0);
    }

    /// For such a part, n >= 1: publish its total, wait for those before it, and scan, in one launch.
    template <class Totals>
    CallResult scan_one_wave(const T* in, T* out, long long n, Op op, cudaStream_t stream,
                             const Totals& totals) {
        const ScanProblem<T> problem = {in, out, n, {{}, false}};
        CallResult result = CallResult::workspace_too_small;
        (void)scan_detail::any_wave<FORM>(workspace_, problem, op, stream, result, totals);
        return result;
    }

   private:
    Workspace workspace_;
};

template <class T, class Op, Form FORM = Form::inclusive, class Reduction = WarpChunksReduction<T, Op>>
using FastPartScan = PartScan<T, Op, FORM, Reduction, DeviceScan<T, Op, FORM>>;
