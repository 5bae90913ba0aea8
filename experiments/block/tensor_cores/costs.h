// What the kernels of segments must count, of 1,024 elements by a warp: as their headers state it.
#pragma once
#include "kernels/textbook/device/scan_segments.cuh"

namespace harness {

struct SegmentCost {
    long long tensor_instructions, shuffles;
    long long ops;  ///< additions of floats outside of the tensor cores
};

/// By shuffles: a row has 128 elements.
template <class Form>
struct CostOf {
    static constexpr SegmentCost scan(int segment) {
        // A row: serial scans, Kogge-Stone, and the prefix of the lane for all but the last of four
        // elements.
        if (segment == 16) return {0, 8 * 3, 8 * (3 * 32 + (24 + 16) + 3 * 24)};
        const int carried = segment == 256 ? 4 : 7;  // rows to which a total is carried on
        const long long row = 3 * 32 + (31 + 30 + 28 + 24 + 16);
        return {0, 8 * 6 + carried, 8 * row + (8 - carried) * 3 * 31 + carried * 5 * 32};
    }
    static constexpr SegmentCost reduce(int segment) {
        if (segment == 16) return {0, 4 + 2, 32 * (8 * 3 + 4 + 2)};
        if (segment == 256) return {0, 2 + 1 + 3, 32 * (4 * 7 + 2 + 1 + 3)};
        return {0, 5, 32 * (31 + 5)};
    }
};

/// By products: the additions of a split are those of what a part leaves over.
template <class Format>
struct CostOf<trial::ByProducts<Format>> {
    static constexpr long long PRODUCT = Format::PARTS * Format::STEPS, SPLIT = 1024 * (Format::PARTS - 1);

    static constexpr SegmentCost scan(int segment) {
        if (segment == 16) return {8 * PRODUCT, 0, SPLIT};
        const int carried = segment == 256 ? 0 : 3;  // tiles
        return {16 * PRODUCT + 3, 8 + carried, SPLIT + 32 * (4 * 2 + 2 * carried)};
    }
    static constexpr SegmentCost reduce(int segment) {
        if (segment == 16) return {4 * PRODUCT, 0, SPLIT};
        return {4 * PRODUCT, 3, SPLIT + 32 * (1 + 3)};
    }
};

}  // namespace harness
