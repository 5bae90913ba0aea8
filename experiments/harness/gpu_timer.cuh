#pragma once
#include <cuda_runtime.h>

#include "experiments/harness/cuda_check.h"
#include "kernels/launch.cuh"

namespace harness {

/// Times what is queued on a stream between start() and stop().
///
/// The clock is the GPU's (a pair of events). So the CPU's queueing is part of the sample only where the GPU
/// runs out of work and waits for it: never after a spin, always where the work itself goes through the host.
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

// The multiprocessors' clock rate just before a sample, measured by the GPU itself: a hot or idle GPU runs
// slower, and the driver reports its clock rate late.
//
// The kernel that runs ahead of every sample counts its cycles and nanoseconds; their quotient is the clock
// rate at which the sample starts. Below a fraction of the clock rate that the device reports, the GPU is
// throttled. Source: NVIDIA's nvbench, which compares cycles with nanoseconds in the same way and discards a
// sample below 75% of the default clock (there over the sample itself; here ahead of it, so that nothing is
// added).

/// What one multiprocessor counts between two points in time.
struct ClockReading {
    long long cycles, nanoseconds;
};

__device__ inline long long global_nanoseconds() {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/// Keep the GPU busy for a while, so that the work after it is queued before it can begin.
static __global__ void spin(long long nanoseconds, ClockReading* reading) {
    const long long start = global_nanoseconds(), first_cycle = clock64();
    long long elapsed;
    do {
        elapsed = global_nanoseconds() - start;
    } while (elapsed < nanoseconds);
    *reading = {clock64() - first_cycle, elapsed};
}

class SmClock {
   public:
    explicit SmClock(cudaStream_t stream) : stream_(stream) {
        int khz = 0;
        check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0), "clock rate");
        threshold_mhz_ = LEAST_SHARE * khz / 1000;
        check(cudaMalloc(&reading_, sizeof(ClockReading)), "cudaMalloc");
    }
    ~SmClock() { (void)cudaFree(reading_); }
    SmClock(const SmClock&) = delete;
    SmClock& operator=(const SmClock&) = delete;

    /// Queue a kernel that runs this long and measures the clock rate meanwhile.
    void spin_for(long long nanoseconds) const { launch(spin, 1, 1, stream_, nanoseconds, reading_); }

    /// The clock rate during the latest spin_for, in MHz. Waits for the stream.
    double mhz() const {
        ClockReading reading{};
        check(cudaMemcpyAsync(&reading, reading_, sizeof(reading), cudaMemcpyDeviceToHost, stream_),
              "clock reading");
        check(cudaStreamSynchronize(stream_), "clock reading");
        return 1e3 * double(reading.cycles) / double(reading.nanoseconds);
    }

    double threshold_mhz() const { return threshold_mhz_; }
    bool throttled(double mhz) const { return mhz < threshold_mhz_; }

    /// Whether to discard the sample with this clock rate and take it again. If so, a pause in which the GPU
    /// can recover has been queued.
    bool discard(double mhz) {
        if (!throttled(mhz)) discarded_in_a_row_ = 0;
        if (!throttled(mhz) || discarded_in_a_row_ == MOST_DISCARDED) return false;
        ++discarded_in_a_row_;
        spin_for(RECOVERY);
        return true;
    }

   private:
    // Fraction of the clock rate that the device reports, as in nvbench.
    static constexpr double LEAST_SHARE = 0.75;
    // If the clock rate is still low after this many discarded samples in a row, later samples are kept.
    static constexpr int MOST_DISCARDED = 10;
    // Nanoseconds of almost no work: a hot GPU cools down, an idle one raises its clock rate.
    static constexpr long long RECOVERY = 50 * 1000 * 1000;

    cudaStream_t stream_;
    double threshold_mhz_ = 0;
    ClockReading* reading_ = nullptr;
    int discarded_in_a_row_ = 0;
};

}  // namespace harness
