// Vectors that begin a few elements past a 16-byte boundary, and the check of a scan of one.
#pragma once
#include <functional>
#include <memory>
#include <string>

#include "experiments/harness/own_vectors.h"
#include "experiments/harness/suite.h"

namespace harness {

/// n elements of the input, `in_off` elements past such a boundary, and room for the result, `out_off` past
/// one.
template <class T>
struct MisalignedVectors {
    MisalignedVectors(long long count, int in_off_, int out_off_)
        : n(count), in_off(in_off_), out_off(out_off_), in(n + in_off), out(n + out_off) {
        in.fill([off = in_off](long long i) { return Input<T>::at(SEED, i - off); });
    }
    static constexpr std::uint64_t SEED = 1;
    long long n;
    int in_off, out_off;
    OwnVector<T> in, out;

    /// The result must be the inclusive sums, and nothing before them may be written.
    std::string find_error() const {
        auto results = out.read(n + out_off);
        T poison;
        std::memset(&poison, POISON, sizeof(poison));
        for (long long i = 0; i < out_off; ++i)
            if (!same_value(results[i], poison)) return "written before the first element";
        T sum{};
        for (long long i = 0; i < n; ++i) {
            sum += Input<T>::at(SEED, i);
            const std::string error = difference(i, sum, results[i + out_off]);
            if (!error.empty()) return error;
        }
        return "";
    }
};

/// An inclusive scan of such vectors, for Suite::own.
template <class T>
Own misaligned_scan(long long n, int in_off, int out_off, Prepare<T> scan) {
    const auto bytes = n * static_cast<long long>(sizeof(T));
    return {2 * bytes, 2 * bytes, [=](cudaStream_t stream) {
                const auto vectors = std::make_shared<MisalignedVectors<T>>(n, in_off, out_off);
                const Work work =
                    scan({vectors->in.data() + in_off, vectors->out.data() + out_off, n, stream});
                return Trial{[vectors, work] { work(); }, [vectors] { vectors->out.poison(); },
                             [vectors] { return vectors->find_error(); }};
            }};
}

}  // namespace harness
