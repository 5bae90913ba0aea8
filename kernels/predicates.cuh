// Predicates: which elements a compaction keeps.
//
// A predicate is a function object: bool operator()(T element), the same answer whenever it is asked.
#pragma once
#include <cuda_runtime.h>

/// Keeps the elements below `limit`: of uniform ones as large a share as wanted.
template <class T>
struct Below {
    T limit;
    __host__ __device__ bool operator()(T element) const { return element < limit; }
};
