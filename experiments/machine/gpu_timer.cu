#include "experiments/machine/gpu_timer.h"

#include "kernels/launch.cuh"

namespace harness {
namespace {

__device__ long long global_nanoseconds() {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

__global__ void spin(long long nanoseconds, ClockReading* reading) {
    const long long start = global_nanoseconds(), first_cycle = clock64();
    long long elapsed;
    do {
        elapsed = global_nanoseconds() - start;
    } while (elapsed < nanoseconds);
    *reading = {clock64() - first_cycle, elapsed};
}

}  // namespace

GpuTimer::GpuTimer(cudaStream_t stream) : stream_(stream) {
    check(cudaEventCreate(&start_), "cudaEventCreate");
    check(cudaEventCreate(&stop_), "cudaEventCreate");
}

GpuTimer::~GpuTimer() {
    (void)cudaEventDestroy(start_);
    (void)cudaEventDestroy(stop_);
}

double GpuTimer::stop() {
    check(cudaGetLastError(), "launch");
    check(cudaEventRecord(stop_, stream_), "cudaEventRecord");
    check(cudaEventSynchronize(stop_), "run");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start_, stop_), "cudaEventElapsedTime");
    return milliseconds / 1e3;
}

SmClock::SmClock(cudaStream_t stream) : stream_(stream) {
    int khz = 0;
    check(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0), "clock rate");
    threshold_mhz_ = LEAST_SHARE * khz / 1000;
    check(cudaMalloc(&reading_, sizeof(ClockReading)), "cudaMalloc");
}

void SmClock::spin_for(long long nanoseconds) const { launch(spin, 1, 1, stream_, nanoseconds, reading_); }

double SmClock::mhz() const {
    ClockReading reading{};
    check(cudaMemcpyAsync(&reading, reading_, sizeof(reading), cudaMemcpyDeviceToHost, stream_),
          "clock reading");
    check(cudaStreamSynchronize(stream_), "clock reading");
    return 1e3 * double(reading.cycles) / double(reading.nanoseconds);
}

bool SmClock::discard(double mhz) {
    if (!throttled(mhz)) discarded_in_a_row_ = 0;
    if (!throttled(mhz) || discarded_in_a_row_ == MOST_DISCARDED) return false;
    ++discarded_in_a_row_;
    spin_for(RECOVERY);
    return true;
}

}  // namespace harness
