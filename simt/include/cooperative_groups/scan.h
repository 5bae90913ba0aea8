// Scans over the threads of a group of up to a warp, in the order of their ranks: Kogge and Stone's.
#pragma once
#include <cooperative_groups/reduce.h>

namespace cooperative_groups {

template <class Group, class T, class Op>
SIMT_INLINE T inclusive_scan(const Group& group, T value, Op op) {
    for (unsigned distance = 1; distance < group.size(); distance *= 2) {
        const T other = group.shfl_up(value, distance);
        if (group.thread_rank() >= distance) value = op(other, value);
    }
    return value;
}
template <class Group, class T>
SIMT_INLINE T inclusive_scan(const Group& group, T value) {
    return inclusive_scan(group, value, plus<T>());
}

/// The first thread receives T().
template <class Group, class T, class Op>
SIMT_INLINE T exclusive_scan(const Group& group, T value, Op op) {
    const T before = group.shfl_up(inclusive_scan(group, value, op), 1);
    return group.thread_rank() == 0 ? T() : before;
}
template <class Group, class T>
SIMT_INLINE T exclusive_scan(const Group& group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

}  // namespace cooperative_groups
