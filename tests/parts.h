// Vectors split into parts, for tests of scans over several GPUs or ranks.
#pragma once
#include <algorithm>
#include <random>
#include <vector>

#include "kernels/multi_gpu/scan_parts.cuh"

/// The `parts` + 1 boundaries of the parts of n elements, from 0 to n. Parts have any length; about one in
/// four is empty.
inline std::vector<long long> random_cuts(long long n, int parts, std::mt19937& random) {
    std::vector<long long> cuts = {0, n};
    while (static_cast<int>(cuts.size()) < parts + 1)
        cuts.push_back(random() % 4 == 0 ? cuts[random() % cuts.size()]
                                         : static_cast<long long>(random() % static_cast<unsigned>(n + 1)));
    std::sort(cuts.begin(), cuts.end());
    return cuts;
}

/// Tiles of 96 elements, so that short parts span many; at most 16 blocks reduce a part.
template <class T, class Op, Form FORM>
using SmallPartScan =
    PartScan<T, Op, FORM, LastBlockReduction<T, Op, 16, 3, 32>, SeededLookBackScan<T, Op, FORM, 3, 32>>;
