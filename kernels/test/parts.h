// Vectors split into parts, for tests of scans over several GPUs or ranks.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kernels/multi_gpu/scan_parts.cuh"
#include "kernels/test/device_vector.h"
#include "kernels/test/elements.h"

using namespace trial;

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

inline int device_count() {
    int count = 0;
    EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
    return count;
}

/// One part on its device.
template <class Scan, class T>
struct Held {
    /// Vectors begin `late` elements after an aligned address.
    Held(int device, const std::vector<T>& values, std::size_t late = 0)
        : device(select(device)), in(values, late), out(values.size(), late) {
        if (!values.empty()) out.poison();
        scan = std::make_unique<Scan>(static_cast<long long>(values.size()));
        EXPECT_EQ(scan->status(), cudaSuccess);
        // No valid prefix; kernels set its members, and read the bytes between them as well.
        EXPECT_EQ(cudaMemset(scan->prefix(), 0x7f, sizeof(Prefix<T>)), cudaSuccess);
    }
    Part<Scan, T> part(bool in_place) {
        return {device, nullptr, scan.get(), in.data(), in_place ? in.data() : out.data(), in.size()};
    }
    /// Later allocations are made on this device.
    static int select(int device) {
        EXPECT_EQ(cudaSetDevice(device), cudaSuccess);
        return device;
    }
    int device;
    DeviceVector<T> in, out;
    std::unique_ptr<Scan> scan;
};

/// Scan a vector in these parts, which the devices get in turn: run(parts) -> "" or a problem.
template <class Scan, Form FORM, class T, class Op, class Run>
void expect_parts(const std::vector<long long>& cuts, bool in_place, Run run) {
    const auto n = static_cast<std::size_t>(cuts.back());
    const auto values = exact_elements<T>(n, unsigned(n));
    const auto expected = pure_oracle(values, n + 1, FORM == Form::inclusive, Op{});
    const int count = device_count();
    std::vector<std::unique_ptr<Held<Scan, T>>> held;
    std::vector<Part<Scan, T>> parts;
    for (std::size_t p = 0; p + 1 < cuts.size(); ++p) {
        const std::vector<T> mine(values.begin() + cuts[p], values.begin() + cuts[p + 1]);
        held.push_back(std::make_unique<Held<Scan, T>>(static_cast<int>(p) % count, mine, n % 3));
        parts.push_back(held.back()->part(in_place));
    }
    ASSERT_EQ(run(parts), "");
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    for (std::size_t p = 0; p < held.size(); ++p) {
        ASSERT_EQ(cudaSetDevice(held[p]->device), cudaSuccess);
        const auto found = in_place ? held[p]->in.read() : held[p]->out.read();
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_TRUE(same(found[i], expected[std::size_t(cuts[p]) + i]))
                << "part " << p << " of " << held.size() << ", element " << i << " of " << found.size();
    }
    ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}
