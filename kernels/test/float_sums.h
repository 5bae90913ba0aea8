// Sums of floats that round, so that a different order of additions is detected.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "kernels/test/device_vector.h"
#include "kernels/test/oracle.h"

using namespace trial;

/// reduce(in, out, n) must give the same bits at every call, with at most the error of `depth` additions.
template <class Reduce>
void expect_same_bits_at_every_call(Reduce reduce, int depth) {
    const auto values = random_vector<float>(100'003, 3);
    DeviceVector<float> in(values), out(1);
    std::vector<float> sums;
    for (int call = 0; call < 5; ++call) {
        out.poison();
        reduce(in.data(), out.data(), static_cast<long long>(values.size()));
        sums.push_back(out.read()[0]);
    }
    for (const float sum : sums) EXPECT_EQ(std::memcmp(&sum, &sums[0], sizeof(float)), 0);
    double sum = 0, magnitudes = 0;
    for (const float value : values) {
        sum += value;
        magnitudes += std::fabs(value);
    }
    EXPECT_LE(std::fabs(sums[0] - sum), sum_bound<float>(depth, magnitudes));
}
