// A vector in parts on one device, to be counted: the parts are scanned one after another, by kernels that
// run on the GPU and on the SIMT machine.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "experiments/harness/case.h"
#include "experiments/harness/input.h"
#include "experiments/harness/own_vectors.h"
#include "kernels/multi_gpu/device_scan.cuh"
#include "kernels/multi_gpu/flag_exchange.cuh"

namespace harness {

/// As DeviceScan scans long parts, whatever the length.
template <class T, class Op>
class RingScan : public DeviceScan<T, Op, Form::inclusive> {
   public:
    explicit RingScan(long long capacity)
        : DeviceScan<T, Op, Form::inclusive>(capacity), workspace_(scan_bytes<T>(capacity)) {}
    cudaError_t operator()(const T* in, T* out, long long n, const Prefix<T>* seed, Op op,
                           cudaStream_t stream) {
        const ScanProblem<T> problem = {in, out, n, {{}, false}, seed};
        const Workspace& workspace = workspace_;
        return scan_detail::with_place(workspace, problem, stream, [&](const scan_detail::Place& place) {
            return scan_detail::ring<RingPolicy<T>, Form::inclusive>(place, problem, op);
        });
    }
    static bool fits_one_wave(long long) { return false; }

   private:
    ReadyWorkspace workspace_;
};

template <class T, class Op>
using RingPartScan = PartScan<T, Op, Form::inclusive, WarpChunksReduction<T, Op>, RingScan<T, Op>>;

/// `count` parts of n floats each, to be scanned for their sums. Scan: PartScan of floats.
template <class Scan>
class CountedParts {
   public:
    CountedParts(int count, long long n)
        : in_(count * n), out_(count * n), exchange_(std::vector<int>(count, 0)), n_(n) {
        check(exchange_.status(), "room for totals");
        in_.fill([](long long i) { return Input<float>::at(1, i); });
        for (int p = 0; p < count; ++p) {
            scans_.push_back(std::make_unique<Scan>(n));
            check(scans_.back()->status(), "room for a scan");
        }
    }

    FlagExchange<float>& exchange() { return exchange_; }
    void poison() { out_.poison(); }

    std::vector<Part<Scan, float>> parts(cudaStream_t stream) {
        std::vector<Part<Scan, float>> all;
        for (auto& scan : scans_) {
            const long long begin = n_ * static_cast<long long>(all.size());
            all.push_back({0, stream, scan.get(), in_.data() + begin, out_.data() + begin, n_});
        }
        return all;
    }

    /// "", or the first sum that is wrong.
    std::string find_error() const {
        const long long total = n_ * static_cast<long long>(scans_.size());
        auto found = out_.read(total);
        float sum = 0;
        for (long long i = 0; i < total; ++i) {
            sum += Input<float>::at(1, i);
            if (found[i] != sum) return "index " + std::to_string(i) + ": wrong sum";
        }
        return "";
    }

   private:
    OwnVector<float> in_, out_;
    FlagExchange<float> exchange_;
    long long n_;
    std::vector<std::unique_ptr<Scan>> scans_;
};

/// The scan of such parts, to be counted.
template <class Scan, class Op>
Trial scan_counted_parts(int count, long long n, cudaStream_t stream) {
    const auto held = std::make_shared<CountedParts<Scan>>(count, n);
    const auto parts = held->parts(stream);
    return {[=] { check(scan_parts(parts, Op{}, held->exchange()), "scan of parts"); },
            [=] { held->poison(); }, [=] { return held->find_error(); }};
}

}  // namespace harness
