// Vectors cut into parts, for tests of scans over several GPUs or ranks.
#pragma once
#include <algorithm>
#include <random>
#include <vector>

#include "kernels/multi_gpu/scan_parts.cuh"

/// Where the parts of n elements begin, and n: `parts` + 1 places. Parts are of any length; about one in four
/// is empty.
inline std::vector<long long> random_cuts(long long n, int parts, std::mt19937& random) {
    std::vector<long long> cuts = {0, n};
    while (static_cast<int>(cuts.size()) < parts + 1)
        cuts.push_back(random() % 4 == 0 ? cuts[random() % cuts.size()]
                                         : static_cast<long long>(random() % static_cast<unsigned>(n + 1)));
    std::sort(cuts.begin(), cuts.end());
    return cuts;
}

/// In tiles of 96 elements, so that short parts have many; reduced by 16 blocks at most.
template <class T, class Op, Form FORM>
using SmallPartScan =
    PartScan<T, Op, FORM, LastBlockReduction<T, Op, 16, 3, 32>, SeededLookBackScan<T, Op, FORM, 3, 32>>;
