// The arguments of a scan of fast/scan.
#pragma once
#include <cuda_runtime.h>

#include "kernels/prefix.cuh"

namespace trial {

/// out[i] = seed op in[0] op .. op in[i], 0 <= i < n; in the exclusive form up to in[i - 1]. out may be in,
/// but must not overlap it otherwise. The seed is *seed_at, on the device, when the kernel starts; or `seed`
/// if seed_at is null.
template <class T>
struct ScanProblem {
    using Element = T;
    const T* in;
    T* out;
    long long n;
    Prefix<T> seed;
    const Prefix<T>* seed_at = nullptr;

    /// A uniform branch: without seed_at it costs what a parameter costs.
    __device__ Prefix<T> load_seed() const { return seed_at == nullptr ? seed : *seed_at; }
    __device__ bool has_seed() const { return seed_at == nullptr ? seed.exists : seed_at->exists; }
};

}  // namespace trial
