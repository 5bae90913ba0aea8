// Examples that a source works by hand: run as printed, compared with the true result, and recorded together
// with what the source prints.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "experiments/harness/own_vectors.h"
#include "experiments/harness/suite.h"
#include "experiments/harness/tiles.h"
#include "kernels/index_maps.cuh"
#include "kernels/textbook/device/compact.cuh"

namespace harness {

/// What a source prints of an example. The values of a line become findings <name>_0, <name>_1, ..
///
/// A name is printed_<kind>_<step>. Kinds: value, the elements after the step (of a tree the nodes of its
/// level); word, the elements that the step writes; final, those that hold their result after it; stride,
/// those of a sweep's steps; lanes, the number active in each step. Or it is rule_<kind>: not printed as
/// numbers, but what a rule of the source gives for the example.
struct Printed {
    std::vector<double> result = {};  ///< empty if the source prints none
    std::vector<std::pair<std::string, std::vector<double>>> lines = {};
};

/// 1 2 .. n, as most examples take it.
inline std::vector<float> one_to(int n) {
    std::vector<float> values(n);
    std::iota(values.begin(), values.end(), 1.0f);
    return values;
}

struct Example {
    std::vector<float> in;
    std::vector<float> truth;  ///< the result, computed by the host
    Printed printed;
    long long selected = -1;  ///< how many elements a compaction selects
};

/// An example on the device.
struct OnDevice {
    explicit OnDevice(const Example& e)
        : n(static_cast<long long>(e.in.size())),
          in(n),
          out(static_cast<long long>(e.truth.size())),
          selected(1) {
        in.fill([&e](long long i) { return e.in[static_cast<std::size_t>(i)]; });
    }

    void poison() {
        out.poison();
        selected.fill([](long long) { return -1LL; });
    }

    std::vector<float> result() const {
        std::vector<float> values(out.bytes() / sizeof(float));
        Reader<float> reader = out.read(static_cast<long long>(values.size()));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = reader[static_cast<long long>(i)];
        return values;
    }

    const long long n;
    OwnVector<float> in, out;
    OwnVector<long long> selected;
};

inline std::string find_error(const OnDevice& device, const Example& e) {
    const std::vector<float> result = device.result();
    for (std::size_t i = 0; i < e.truth.size(); ++i) {
        const std::string error = difference(static_cast<long long>(i), e.truth[i], result[i]);
        if (!error.empty()) return error;
    }
    return difference(0, e.selected, device.selected.read_first());
}

/// printed: how many numbers of the result the source prints; printed_wrong: how many of them differ from the
/// kernel's. Then the printed lines, the first elements of the kernel's result, and its last one.
inline Findings findings(const std::vector<float>& result, const Printed& printed) {
    constexpr std::size_t SHOWN = 20;
    double wrong = 0;
    for (std::size_t i = 0; i < printed.result.size(); ++i) wrong += !(printed.result[i] == result[i]);
    Findings found = {{"printed", double(printed.result.size())}, {"printed_wrong", wrong}};
    const auto add = [&found](const std::string& name, const auto& values, std::size_t most) {
        for (std::size_t i = 0; i < std::min(values.size(), most); ++i)
            found.emplace_back(name + "_" + std::to_string(i), values[i]);
    };
    for (const auto& [name, values] : printed.lines) add(name, values, values.size());
    add("result", result, SHOWN);
    found.emplace_back("result_last", result.back());
    return found;
}

/// Makes the work for an example; the work owns the example's vectors.
using PrepareExample = std::function<Work(std::shared_ptr<OnDevice>, cudaStream_t)>;

inline Case& add_example(Suite& suite, const Factors& factors, const Example& e, const PrepareExample& work) {
    const auto bytes = static_cast<long long>((e.in.size() + e.truth.size()) * sizeof(float));
    const auto prepare = [e, work](cudaStream_t stream) {
        const auto device = std::make_shared<OnDevice>(e);
        return Trial{work(device, stream), [=] { device->poison(); }, [=] { return find_error(*device, e); },
                     [=] { return findings(device->result(), e.printed); }};
    };
    return suite.own(factors, static_cast<long long>(e.in.size()), {bytes, bytes, prepare});
}

/// Every TILE elements scanned independently, in `ops` operations in all. The sums of the tiles follow the
/// last element; an exclusive scan takes one more operation for each of them.
template <class Algorithm, int TILE>
Case& scan_example(Suite& suite, const Factors& factors, const std::vector<float>& in, const Printed& printed,
                   long long ops) {
    constexpr int THREADS = Algorithm::threads(TILE);
    Example e{in, {}, printed};
    std::vector<float> sums;
    for (std::size_t i = 0; i < in.size(); ++i) {
        if (i % TILE == 0) sums.push_back(0);
        const float before = sums.back();
        sums.back() += in[i];
        e.truth.push_back(Algorithm::inclusive ? sums.back() : before);
    }
    e.truth.insert(e.truth.end(), sums.begin(), sums.end());
    const auto blocks = static_cast<unsigned>(sums.size());
    const auto work = [blocks](std::shared_ptr<OnDevice> d, cudaStream_t stream) {
        using Op = Sum<float>;
        return [=] {
            launch(scan_tiles<Algorithm, TILE, THREADS, Plain, float, Op>, blocks, THREADS, stream,
                   d->in.data(), d->out.data(), d->out.data() + d->n, d->n, Op{});
        };
    };
    return add_example(suite, factors, e, work)
        .predict("launches", 1)
        .predict("ops", ops + (Algorithm::inclusive ? 0 : blocks));
}

/// One tile reduced.
template <class Algorithm, int TILE>
Case& reduction_example(Suite& suite, const Factors& factors, const std::vector<float>& in,
                        const Printed& printed) {
    constexpr int THREADS = Algorithm::threads(TILE);
    const Example e{in, {std::accumulate(in.begin(), in.end(), 0.0f)}, printed};
    const auto work = [](std::shared_ptr<OnDevice> d, cudaStream_t stream) {
        using Op = Sum<float>;
        return [=] {
            launch(reduce_tiles<Algorithm, TILE, THREADS, Plain, float, Op>, 1u, THREADS, stream,
                   d->in.data(), d->out.data(), d->n, Op{});
        };
    };
    return add_example(suite, factors, e, work)
        .predict("launches", 1)
        .predict("ops", closed_form::reduction_ops(TILE));
}

/// The elements for which the predicate holds, selected by blocks of 32 threads.
template <class Predicate>
Case& compaction_example(Suite& suite, const Factors& factors, const std::vector<float>& in) {
    using Kernels = Compaction<float, Predicate, 1, 32>;
    Example e{in, {}, {}};
    std::copy_if(in.begin(), in.end(), std::back_inserter(e.truth), Predicate{});
    e.selected = static_cast<long long>(e.truth.size());
    const auto work = [](std::shared_ptr<OnDevice> d, cudaStream_t stream) {
        const auto compact = std::make_shared<Kernels>(d->n);
        check(compact->status(), "the counts of a compaction");
        return
            [=] { (*compact)(d->in.data(), d->out.data(), d->selected.data(), d->n, Predicate{}, stream); };
    };
    return add_example(suite, factors, e, work).predict("launches", 3);
}

}  // namespace harness
