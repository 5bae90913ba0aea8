// Segmented scan: one ordinary scan scans each segment of a vector separately, whatever the segment lengths.
//
//     value      3   1   7   0   4   1   6   3
//     starts     1   0   1   0   0   1   0   0
//     scan       3   4   7   7  11   1   7  10        inclusive sum
//
// Each element carries a flag that marks the start of a segment; the operator does not combine across it. It
// is associative if the inner operator is, and never commutative. Source: Schwartz, "Ultracomputers", ACM
// TOPLAS 2(4), 1980; Blelloch, "Prefix sums and their applications", CMU-CS-90-190, 1990, section 1.5.
#pragma once
#include <cuda_runtime.h>

#include "kernels/prefix.cuh"

namespace trial {

template <class T>
struct Flagged {
    T value;
    bool starts;
};

template <class Op>
struct Segmented {
    static constexpr bool IS_TOTAL = trial::IS_TOTAL<Op>;
    Op op;

    template <class T>
    __host__ __device__ Flagged<T> operator()(Flagged<T> left, Flagged<T> right) const {
        if (right.starts) return right;
        return {op(left.value, right.value), left.starts};
    }
    __host__ __device__ static auto identity() {
        return Flagged<decltype(Op::identity())>{Op::identity(), false};
    }
};

}  // namespace trial
