// How a case is timed on a GPU: between two events, with a cold or a warm cache, at a known clock rate.
#pragma once
#include <cuda_runtime.h>

#include <functional>
#include <memory>

#include "experiments/harness/case.h"
#include "experiments/harness/gpu_vectors.h"
#include "experiments/machine/gpu_timer.h"

namespace harness {

struct Sample {
    double seconds = 0;
    double sm_clock_mhz = 0;
    int discarded = 0;       ///< samples before this one, of a throttled GPU
    bool throttled = false;  ///< this one too, but it is kept
};

/// A case as it is timed.
struct Timed {
    std::function<void()> submit;  ///< queues the work
    std::function<void()> poison;  ///< overwrites the output and waits; empty: it stays
    /// Of work that times itself: see Trial.
    std::function<double(bool cold, const std::function<void()>& poison)> sample;
    bool begins_on_host;  ///< and so must not begin before the clock starts
};

class Timing {
   public:
    explicit Timing(cudaStream_t stream);

    /// Bytes of the GPU's memory that clearing its cache takes, and their allocation.
    static long long room();
    void allocate();

    /// Keep the GPU busy before the first sample, and after a pause of so many seconds: an idle GPU runs at a
    /// low clock rate.
    void wake();
    void has_paused(double seconds);

    /// One sample, taken again while the GPU is throttled.
    Sample sample(const Timed& timed, bool cold);

    /// Queue a kernel that clears the cache.
    const Work& fill_cache() const { return fill_cache_; }
    double threshold_mhz() const { return clock_.threshold_mhz(); }

   private:
    Sample take(const Timed& timed, bool cold);

    cudaStream_t stream_;
    SmClock clock_;
    GpuTimer timer_;
    std::unique_ptr<Buffer> flush_;
    Work fill_cache_;
    bool awake_ = false;
};

}  // namespace harness
