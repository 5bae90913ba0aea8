#pragma once
#include <benchmark/benchmark.h>
#include <cuda_runtime.h>

namespace harness {

/// Times what is queued on a stream during its lifetime, and reports it to Google Benchmark as one manual
/// iteration. Waits for the stream at the end.
///
/// The clock is the GPU's (a pair of events), so the CPU's own queueing is in the sample only where the GPU
/// runs dry and waits for it: never behind a spin(), always where the work itself goes through the host.
class GpuTimer {
   public:
    GpuTimer(benchmark::State& state, cudaStream_t stream) : state_(state), stream_(stream) {
        keep(cudaEventCreate(&start_));
        keep(cudaEventCreate(&stop_));
        keep(cudaEventRecord(start_, stream_));
    }
    ~GpuTimer() {
        float milliseconds = 0;
        keep(cudaGetLastError());  // of the launches
        keep(cudaEventRecord(stop_, stream_));
        keep(cudaEventSynchronize(stop_));
        keep(cudaEventElapsedTime(&milliseconds, start_, stop_));
        (void)cudaEventDestroy(start_);
        (void)cudaEventDestroy(stop_);
        if (first_error_ != cudaSuccess) state_.SkipWithError(cudaGetErrorString(first_error_));
        state_.SetIterationTime(milliseconds / 1e3);
    }
    GpuTimer(const GpuTimer&) = delete;
    GpuTimer& operator=(const GpuTimer&) = delete;

   private:
    void keep(cudaError_t error) {
        if (first_error_ == cudaSuccess) first_error_ = error;
    }

    benchmark::State& state_;
    cudaStream_t stream_;
    cudaEvent_t start_ = nullptr, stop_ = nullptr;
    cudaError_t first_error_ = cudaSuccess;
};

}  // namespace harness
