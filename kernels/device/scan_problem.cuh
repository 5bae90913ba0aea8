// What a scan of device/scan is about.
#pragma once
#include "kernels/prefix.cuh"

/// out[i] = seed op in[0] op .. op in[i], 0 <= i < n; in the exclusive form up to in[i - 1]. out may be in,
/// but must not overlap it otherwise.
template <class T>
struct ScanProblem {
    const T* in;
    T* out;
    long long n;
    Prefix<T> seed;
};
