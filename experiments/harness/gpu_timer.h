#pragma once
#include <cuda_runtime.h>

#include "experiments/harness/cuda_check.h"

namespace harness {

/// Times what is queued on a stream between start() and stop().
///
/// The clock is the GPU's (a pair of events), so the CPU's own queueing is in the sample only where the GPU
/// runs dry and waits for it: never behind a spin, always where the work itself goes through the host.
class GpuTimer {
   public:
    explicit GpuTimer(cudaStream_t stream) : stream_(stream) {
        check(cudaEventCreate(&start_), "cudaEventCreate");
        check(cudaEventCreate(&stop_), "cudaEventCreate");
    }
    ~GpuTimer() {
        (void)cudaEventDestroy(start_);
        (void)cudaEventDestroy(stop_);
    }
    GpuTimer(const GpuTimer&) = delete;
    GpuTimer& operator=(const GpuTimer&) = delete;

    void start() { check(cudaEventRecord(start_, stream_), "cudaEventRecord"); }

    /// Seconds since start(). Waits for the stream; throws std::runtime_error if anything queued has failed.
    double stop() {
        check(cudaGetLastError(), "launch");
        check(cudaEventRecord(stop_, stream_), "cudaEventRecord");
        check(cudaEventSynchronize(stop_), "run");
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, start_, stop_), "cudaEventElapsedTime");
        return milliseconds / 1e3;
    }

   private:
    cudaStream_t stream_;
    cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

}  // namespace harness
