// Predicates: which elements a compaction selects.
//
// A predicate is a function object, bool operator()(T element), that always returns the same value for the
// same element. Compactions may evaluate it twice for an element.
#pragma once
#include <cuda_runtime.h>

namespace trial {

/// Selects the elements below `limit`, which sets the selected fraction of uniform random elements.
template <class T>
struct Below {
    T limit;
    __host__ __device__ bool operator()(T element) const { return element < limit; }
};

}  // namespace trial
