// Predicates for compactions of elements of any type, by their bytes.
#pragma once
#include <cuda_runtime.h>

#include <cstring>

/// Keeps `kept` of `of` elements or so, without a pattern; all elements with the same bytes, or none.
struct ShareOf {
    unsigned kept, of;

    template <class T>
    __host__ __device__ bool operator()(const T& element) const {
        unsigned char bytes[sizeof(T)];
        memcpy(bytes, &element, sizeof(T));
        unsigned hash = 2166136261u;  // Fowler, Noll and Vo
        for (const unsigned char byte : bytes) hash = (hash ^ byte) * 16777619u;
        return (hash ^ hash >> 15) % of < kept;
    }
};
