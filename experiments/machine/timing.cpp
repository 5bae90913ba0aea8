#include "experiments/machine/timing.h"

#include "experiments/harness/suite.h"

namespace harness {
namespace {

// Nanoseconds; longer than the CPU takes to queue any of the work.
constexpr long long SPIN = 100 * 1000;
constexpr long long LONG_SPIN = 300 * 1000 * 1000;
// Seconds of idleness after which the GPU is woken again.
constexpr double LONG_IDLE = 0.2;

}  // namespace

Timing::Timing(cudaStream_t stream) : stream_(stream), clock_(stream), timer_(stream) {}

long long Timing::room() {
    int l2_bytes = 0;
    check(cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, 0), "cache size");
    return 2LL * l2_bytes;
}

/// The cache is filled by reads, not by writes: dirty lines would be written back during the sample, at the
/// expense of the work.
void Timing::allocate() {
    flush_ = std::make_unique<Buffer>(Memory::device, room());
    check(cudaMemset(flush_->data(), 0, room()), "cudaMemset");
    fill_cache_ = read_all(flush_->data(), room(), nullptr, stream_);
}

void Timing::wake() {
    if (!awake_) clock_.spin_for(LONG_SPIN);
    awake_ = true;
}

void Timing::has_paused(double seconds) {
    if (seconds > LONG_IDLE) awake_ = false;
}

Sample Timing::sample(const Timed& timed, bool cold) {
    Sample sample = take(timed, cold);
    int discarded = 0;
    for (; clock_.discard(sample.sm_clock_mhz); ++discarded) sample = take(timed, cold);
    return {sample.seconds, sample.sm_clock_mhz, discarded, clock_.throttled(sample.sm_clock_mhz)};
}

/// The output is poisoned after the warm-up, which writes it, and before the cache is cleared, or the output
/// would be in it.
Sample Timing::take(const Timed& timed, bool cold) {
    if (timed.sample) {
        clock_.spin_for(SPIN);
        const double mhz = clock_.mhz();
        return {timed.sample(cold, timed.poison), mhz};
    }
    if (!cold) timed.submit();
    if (timed.poison) timed.poison();
    if (cold) fill_cache_();
    clock_.spin_for(SPIN);
    if (timed.begins_on_host) check(cudaStreamSynchronize(stream_), "before the run");
    timer_.start();
    timed.submit();
    const double seconds = timer_.stop();
    return {seconds, clock_.mhz()};
}

}  // namespace harness
