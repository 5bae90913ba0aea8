// The scan of one part by fast/scan and its total by fast/reduce, for parts on real GPUs.
#pragma once
#include <cuda_runtime.h>

#include "kernels/device_array.cuh"
#include "kernels/fast/reduce.cuh"
#include "kernels/fast/scan.cuh"
#include "kernels/multi_gpu/scan_parts.cuh"

namespace trial {

/// A workspace that is ready for calls on any stream when its constructor returns.
class ReadyWorkspace {
   public:
    explicit ReadyWorkspace(std::size_t bytes)
        : workspace_(bytes, nullptr), status_(cudaStreamSynchronize(nullptr)) {}

    cudaError_t status() const { return first_error({workspace_.status(), status_}); }
    cudaError_t reset(cudaStream_t stream) { return workspace_.reset(stream); }
    operator const Workspace&() const { return workspace_; }

   private:
    Workspace workspace_;
    cudaError_t status_;
};

/// A reduction by fast/reduce with memory of its own.
template <class T, class Op, class Policy = DefaultWarpChunks<T>>
class WarpChunksReduction {
   public:
    WarpChunksReduction() : workspace_(reduce_bytes<T, Policy>()) {}

    cudaError_t status() const { return workspace_.status(); }
    cudaError_t reset(cudaStream_t stream) { return workspace_.reset(stream); }

    cudaError_t operator()(const T* in, T* out, long long n, Op op, cudaStream_t stream) const {
        return reduce<Policy>(static_cast<const Workspace&>(workspace_), in, out, n, op, stream);
    }

   private:
    ReadyWorkspace workspace_;
};

/// A scan whose seed is on the device, as PartScan requires.
template <class T, class Op, Form FORM>
class DeviceScan {
   public:
    /// Allocate the workspace for parts of up to `capacity` elements on the current device. See status().
    explicit DeviceScan(long long capacity) : workspace_(scan_bytes<T>(capacity)) {}

    cudaError_t status() const { return workspace_.status(); }

    /// As inclusive_scan or exclusive_scan of fast/scan, with the seed at `seed`.
    cudaError_t operator()(const T* in, T* out, long long n, const Prefix<T>* seed, Op op,
                           cudaStream_t stream) {
        const ScanProblem<T> problem = {in, out, n, {{}, false}, seed};
        return scan_detail::scan<FORM>(memory(), problem, op, stream);
    }

    /// Whether the part fits in registers, where it can stay while the totals are exchanged.
    bool fits_one_wave(long long n) const {
        Device device;
        if (Device::current(device) != cudaSuccess || !device.has_bulk_copies) return false;
        return n == 0 || scan_detail::wave_blocks<typename WavePolicies<T>::Large, T>(device, n) > 0;
    }

    /// For such a part, n >= 1: publish its total, wait for those before it, and scan, in one launch.
    template <class Totals>
    cudaError_t scan_one_wave(const T* in, T* out, long long n, Op op, cudaStream_t stream,
                              const Totals& totals) {
        const ScanProblem<T> problem = {in, out, n, {{}, false}};
        return scan_detail::with_place(memory(), problem, stream, [&](const scan_detail::Place& place) {
            cudaError_t status = cudaErrorInvalidValue;
            (void)scan_detail::any_wave<FORM>(place, problem, op, status, totals);
            return status;
        });
    }

   private:
    Memory memory() const { return static_cast<const Workspace&>(workspace_); }
    ReadyWorkspace workspace_;
};

template <class T, class Op, Form FORM = Form::inclusive, class Reduction = WarpChunksReduction<T, Op>>
using FastPartScan = PartScan<T, Op, FORM, Reduction, DeviceScan<T, Op, FORM>>;

}  // namespace trial
