// The vectors of the claim: halves or floats, and floats that come of them; the check of a result, and the
// errors of sums of real values.
#pragma once
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "experiments/harness/own_vectors.h"

namespace harness {

/// What is done with every segment of a vector, whose length is a multiple of the segment's.
struct OnSegments {
    bool scans;  ///< or reduces, to one value for each
    long long segment;
    long long results(long long n) const { return scans ? n : n / segment; }
};

/// n elements of type T, and room for as many results.
template <class T>
struct SegmentVectors {
    static constexpr int SEED = 1;

    /// Integers, as input.h makes them.
    explicit SegmentVectors(long long count) : n(count), in(n), out(n) {
        in.fill([](long long i) { return T(static_cast<float>(input_value(SEED, i))); });
    }
    long long n;
    OwnVector<T> in;
    OwnVector<float> out;

    DeviceBytes result(OnSegments of) const {
        return {out.view().data, of.results(n) * static_cast<long long>(sizeof(float))};
    }
    std::string find_error(OnSegments of) const {
        constexpr long long PART = 1 << 20;  // whole segments
        std::vector<std::string> errors((n + PART - 1) / PART);
        in_parts(n, PART, [&](long long part, long long begin, long long end) {
            auto results = out.read(of.results(n), of.scans ? begin : begin / of.segment);
            long long sum = 0;
            for (long long i = begin; i < end && errors[part].empty(); ++i) {
                sum = (i % of.segment == 0 ? 0 : sum) + input_value(SEED, i);
                const long long place = of.scans ? i : i / of.segment;
                if (of.scans || (i + 1) % of.segment == 0)
                    errors[part] = difference(place, static_cast<float>(sum), results[place]);
            }
        });
        return first_of(errors);
    }
};

/// The errors of sums of real values from 0 to 1, in units in the last place of the sum: the greatest, and
/// the mean of all with their signs. run(in, out, n) does the work.
template <class T>
Findings errors_of_sums(OnSegments of, const std::function<void(const T*, float*, long long)>& run) {
    constexpr long long N = 1 << 14;
    // Multiples of 2^-24, or what halves make of them, below 1: a double holds the sum of a segment exactly.
    const auto at = [](long long i) {
        const auto bits = static_cast<std::uint64_t>(i + 1) * 0x9e3779b97f4a7c15u;
        return T(std::ldexp(static_cast<float>(bits >> 40), -24));
    };
    OwnVector<T> in(N);
    OwnVector<float> out(N);
    in.fill(at);
    run(in.data(), out.data(), N);
    check(cudaDeviceSynchronize(), "sums of real values");
    auto results = out.read(of.results(N));
    double sum = 0, most = 0, total = 0;
    for (long long i = 0; i < N; ++i) {
        sum = (i % of.segment == 0 ? 0 : sum) + static_cast<double>(static_cast<float>(at(i)));
        if (!of.scans && (i + 1) % of.segment != 0) continue;
        const double off = static_cast<double>(results[of.scans ? i : i / of.segment]) - sum;
        const double ulps = std::ldexp(off, 23 - std::ilogb(sum));
        most = std::max(most, std::fabs(ulps));
        total += ulps;
    }
    return {{"max_ulps", most}, {"mean_ulps", total / static_cast<double>(of.results(N))}};
}

}  // namespace harness
