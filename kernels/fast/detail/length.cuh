// Lengths and bounds that only the device knows.
#pragma once
#include <cuda_runtime.h>

namespace trial {

/// A length in device memory, of any integer type, read when the kernel runs; at most `most`. It takes the
/// place of n in reduce, scans, select_if and select_flagged: trial::OnDevice{n_at, most}.
template <class N>
struct OnDevice {
    const N* at;
    long long most;
    __device__ static long long begin(long long) { return 0; }
    __device__ long long end(long long) const { return static_cast<long long>(*at); }
};
template <class N>
OnDevice(const N*, long long) -> OnDevice<N>;
template <class N>
OnDevice(N*, long long) -> OnDevice<N>;

/// Segment s is elements begins[s] .. ends[s] - 1; none if ends[s] <= begins[s]. In the place of offsets:
/// trial::Segments{begins, ends}. They need neither ascend nor cover the vector.
template <class Begins, class Ends>
struct Segments {
    Begins begins;
    Ends ends;
    __device__ long long begin(long long s) const { return static_cast<long long>(begins[s]); }
    __device__ long long end(long long s) const { return static_cast<long long>(ends[s]); }
};
template <class Begins, class Ends>
Segments(Begins, Ends) -> Segments<Begins, Ends>;

/// Offsets of segments of one length, in the place of others: trial::EqualSegments{length}.
struct EqualSegments {
    using value_type = long long;
    long long length;
    __host__ __device__ long long operator[](long long s) const { return s * length; }
};

/// The bounds of a segment by offsets.
template <class Offsets>
struct OffsetBounds {
    Offsets offsets;
    __device__ long long begin(long long s) const { return static_cast<long long>(offsets[s]); }
    __device__ long long end(long long s) const { return static_cast<long long>(offsets[s + 1]); }
};

}  // namespace trial
