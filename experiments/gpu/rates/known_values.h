// Work that writes one number a thread, known beforehand: micro-benchmarks, which have no input.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "experiments/harness/own_vectors.h"
#include "experiments/harness/suite.h"

namespace harness {

/// What such work is. Thread t must write at(t), of `threads` threads in all.
template <class T>
struct KnownValues {
    long long threads;
    double
        charged;  ///< how many of what it measures one multiprocessor does in a launch, one after the other
    std::function<Work(T* out, cudaStream_t stream)> prepare;
    std::function<T(long long thread)> at;
    long long room = 0;  ///< bytes of the GPU's memory that it takes besides
};

/// A case of it. Its rows of results carry `charged`.
template <class T>
Case& add_known(Suite& suite, const Factors& factors, KnownValues<T> work) {
    const auto prepare = [work](cudaStream_t stream) {
        const auto out = std::make_shared<OwnVector<T>>(work.threads);
        const auto find_error = [=]() -> std::string {
            auto values = out->read(work.threads);
            for (long long t = 0; t < work.threads; ++t)
                if (const T value = values[t]; value != work.at(t))
                    return "thread " + std::to_string(t) + ": " + std::to_string(value) + ", expected " +
                           std::to_string(work.at(t));
            return "";
        };
        const auto findings = [=]() -> Findings { return {{"charged", work.charged}}; };
        Trial trial{work.prepare(out->data(), stream), [=] { out->poison(); }, find_error, findings};
        trial.result = {out->view()};
        return trial;
    };
    const long long bytes = work.threads * static_cast<long long>(sizeof(T));
    return suite.own(factors, work.threads, {bytes + work.room, bytes, prepare});
}

}  // namespace harness
