// What a scan of parts is compared with, as cases: one GPU that holds the whole vector, or gathers it. GPU
// only.
//
//     one_gpu                                                        scan on GPU 0
//     gather_scan_scatter        copies from the others to GPU 0,    scan on GPU 0,    copies back
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "experiments/fast/multi_gpu/parts_on_gpus.h"
#include "kernels/multi_gpu/device_scan.cuh"
#include "kernels/operators.cuh"

namespace harness {

/// Inclusive sums on GPU 0, by fast/scan.
class ScanOnOneGpu {
   public:
    explicit ScanOnOneGpu(long long capacity) : workspace_(scan_bytes<float>(capacity)) {
        check(workspace_.status(), "room for a scan");
    }
    void operator()(const float* in, float* out, long long n, cudaStream_t stream) const {
        check(inclusive_scan(static_cast<const Workspace&>(workspace_), in, out, n, Sum<float>{}, stream),
              "scan");
    }

   private:
    ReadyWorkspace workspace_;
};

/// Scans the first n floats of GPU 0.
inline Work scan_on_one_gpu(const SeveralGpus& gpus, long long n) {
    const auto scan = std::make_shared<ScanOnOneGpu>(n);
    return [scan, n, &gpus] { (*scan)(gpus.in(0), gpus.out(0), n, gpus.stream(0)); };
}

/// One event per GPU, to wait for.
class EventsOfGpus {
   public:
    explicit EventsOfGpus(const SeveralGpus& gpus, int count) : events_(count) {
        gpus.each(count, [&](int g) {
            check(cudaEventCreateWithFlags(&events_[g], cudaEventDisableTiming), "event");
        });
    }
    ~EventsOfGpus() {
        for (const cudaEvent_t event : events_) (void)cudaEventDestroy(event);
    }
    EventsOfGpus(const EventsOfGpus&) = delete;
    EventsOfGpus& operator=(const EventsOfGpus&) = delete;

    void record(int g, cudaStream_t stream) const { check(cudaEventRecord(events_[g], stream), "event"); }
    void hold(cudaStream_t stream, int g) const {
        check(cudaStreamWaitEvent(stream, events_[g], 0), "event");
    }

   private:
    std::vector<cudaEvent_t> events_;
};

/// n floats on each of the first `count` GPUs, copied to GPU 0, scanned there, and copied back.
inline Work gather_scan_scatter(const SeveralGpus& gpus, int count, long long n) {
    const auto done = std::make_shared<EventsOfGpus>(gpus, count);
    const auto scan = std::make_shared<ScanOnOneGpu>(n * count);
    return [=, &gpus] {
        float* const whole = gpus.out(0);
        const auto copy = [&](int g, float* to, const float* from) {
            check(cudaMemcpyAsync(to, from, n * sizeof(float), cudaMemcpyDefault, gpus.stream(g)), "copy");
        };
        gpus.each(count, [&](int g) {
            copy(g, whole + g * n, gpus.in(g));
            done->record(g, gpus.stream(g));
        });
        for (int g = 1; g < count; ++g) done->hold(gpus.stream(0), g);
        (*scan)(whole, whole, n* count, gpus.stream(0));
        done->record(0, gpus.stream(0));
        gpus.each(count, [&](int g) {
            if (g == 0) return;
            done->hold(gpus.stream(g), 0);
            copy(g, gpus.out(g), whole + g * n);
        });
    };
}

/// n floats, all on GPU 0.
inline void add_one_gpu(CasesOnGpus& cases, long long n, Clock clock = Clock::gpu) {
    cases.add_scan("one_gpu", {}, {1, n, clock},
                   [=](PartsOnGpus& all) { return scan_on_one_gpu(all.gpus(), n); });
}

inline void add_gathered(CasesOnGpus& cases, OnGpus where) {
    cases.add_scan("gather_scan_scatter", {}, where,
                   [=](PartsOnGpus& all) { return gather_scan_scatter(all.gpus(), where.gpus, where.part); });
}

}  // namespace harness
