// What a scan of fast/scan is about.
#pragma once
#include <cuda_runtime.h>

#include "kernels/prefix.cuh"

/// out[i] = seed op in[0] op .. op in[i], 0 <= i < n; in the exclusive form up to in[i - 1]. out may be in,
/// but must not overlap it otherwise. The seed is `seed`, or, if seed_at is not null, what lies there, on the
/// device, when the kernel begins.
template <class T>
struct ScanProblem {
    using Element = T;
    static constexpr bool MAY_EXIST = true;  // as a seed of textbook/device/scan_look_back
    const T* in;
    T* out;
    long long n;
    Prefix<T> seed;
    const Prefix<T>* seed_at = nullptr;

    /// A uniform branch: without seed_at it costs what a parameter costs.
    __device__ Prefix<T> initial() const { return seed_at == nullptr ? seed : *seed_at; }
    __device__ bool has_seed() const { return seed_at == nullptr ? seed.exists : seed_at->exists; }
};
