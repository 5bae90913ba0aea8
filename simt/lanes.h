// Masks of the lanes of a warp.
#pragma once
#include <cstdint>

namespace simt {

/// Call visit(lane) for each lane of the mask, in ascending order.
template <class Visit>
void for_each_lane(std::uint32_t lanes, Visit visit) {
    for (; lanes != 0; lanes &= lanes - 1) visit(unsigned(__builtin_ctz(lanes)));
}

}  // namespace simt
