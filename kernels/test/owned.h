// Calls of kernels/fast as objects, each with a workspace of its own for vectors of up to `capacity`
// elements.
#pragma once
#include "kernels/fast/select.cuh"
#include "kernels/multi_gpu/device_scan.cuh"

/// Policy: as for select_if.
template <class T, class Predicate, class Policy = trial::CompactRingPolicy<T>>
class FastCompaction {
   public:
    explicit FastCompaction(long long capacity) : workspace_(trial::select_bytes<T, Policy>(capacity)) {}
    cudaError_t status() const { return workspace_.status(); }

    cudaError_t operator()(const T* in, T* out, long long* num_selected, long long n, Predicate predicate,
                           cudaStream_t stream) const {
        const trial::Workspace& workspace = workspace_;
        return trial::select_if<Policy>(workspace, in, out, num_selected, n, predicate, stream);
    }

   private:
    trial::ReadyWorkspace workspace_;
};

/// As a GPU without bulk copies selects.
template <class T, class Predicate, class Policy = trial::DefaultLookAhead<T>>
class LookAheadCompaction {
   public:
    explicit LookAheadCompaction(long long capacity)
        : bytes_(trial::select_detail::look_ahead_bytes<T, Policy>(capacity)), workspace_(bytes_) {}
    cudaError_t status() const { return workspace_.status(); }

    cudaError_t operator()(const T* in, T* out, long long* num_selected, long long n, Predicate predicate,
                           cudaStream_t stream) const {
        trial::Device device;
        cudaError_t status = trial::Device::current(device);
        if (status != cudaSuccess) return status;
        const trial::Workspace& workspace = workspace_;
        return trial::select_detail::look_ahead<T, Predicate, Policy>(
            workspace, bytes_, in, out, num_selected, n, predicate, device, stream);
    }

   private:
    std::size_t bytes_;
    trial::ReadyWorkspace workspace_;
};
