// The GPU's clocks: how long what is queued on a stream takes, and how fast the multiprocessors run.
#pragma once
#include <cuda_runtime.h>

#include "experiments/harness/cuda_check.h"

namespace harness {

/// Times what is queued on a stream between start() and stop().
///
/// The clock is the GPU's (a pair of events). So the CPU's queueing is part of the sample only where the GPU
/// runs out of work and waits for it: never after a spin, always where the work itself goes through the host.
class GpuTimer {
   public:
    explicit GpuTimer(cudaStream_t stream);
    ~GpuTimer();
    GpuTimer(const GpuTimer&) = delete;
    GpuTimer& operator=(const GpuTimer&) = delete;

    void start() { check(cudaEventRecord(start_, stream_), "cudaEventRecord"); }
    /// Seconds since start(). Waits for the stream; throws std::runtime_error if anything queued has failed.
    double stop();

   private:
    cudaStream_t stream_;
    cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

/// What one multiprocessor counts between two points in time.
struct ClockReading {
    long long cycles, nanoseconds;
};

/// The multiprocessors' clock rate just before a sample, measured by the GPU itself: a hot or idle GPU runs
/// slower, and the driver reports its clock rate late.
///
/// The kernel that runs ahead of every sample counts its cycles and nanoseconds; their quotient is the clock
/// rate at which the sample starts. Below a fraction of the clock rate that the device reports, the GPU is
/// throttled. Source: NVIDIA's nvbench, which compares cycles with nanoseconds in the same way and discards a
/// sample below 75% of the default clock (there over the sample itself; here ahead of it, so that nothing is
/// added).
class SmClock {
   public:
    explicit SmClock(cudaStream_t stream);
    ~SmClock() { (void)cudaFree(reading_); }
    SmClock(const SmClock&) = delete;
    SmClock& operator=(const SmClock&) = delete;

    /// Queue a kernel that runs this long and measures the clock rate meanwhile: the work after it is queued
    /// before it can begin.
    void spin_for(long long nanoseconds) const;

    /// The clock rate during the latest spin_for, in MHz. Waits for the stream.
    double mhz() const;

    double threshold_mhz() const { return threshold_mhz_; }
    bool throttled(double mhz) const { return mhz < threshold_mhz_; }

    /// Whether to discard the sample with this clock rate and take it again. If so, a pause in which the GPU
    /// can recover has been queued.
    bool discard(double mhz);

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
