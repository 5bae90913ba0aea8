// The read ceiling reads every byte exactly once, for every length and type, and its check detects if not.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <cstdint>

#include "experiments/harness/operands.h"
#include "experiments/harness/suite.h"
#include "kernels/test/device_vector.h"

using namespace trial;

namespace {

constexpr std::uint64_t SEED = 2;

/// The harness's error after the work has run `times` times.
template <class T>
std::string error_after(int times, long long n) {
    harness::Suite suite(harness::Purpose::times, true);
    const harness::Case& c = suite.read<T>({"read", "ceiling"}, n);
    DeviceVector<T> in(n), out(c.out_elements());
    harness::fill<T>(in.data(), n, SEED);
    EXPECT_EQ(cudaMemset(out.data(), harness::POISON, c.out_bytes()), cudaSuccess);
    const auto trial = c.prepare(in.data(), out.data(), nullptr);
    for (int i = 0; i < times; ++i) trial.work();
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    return c.find_error(c, SEED, out.data());
}

template <class T>
void expect_read() {
    for (const long long n :
         {1LL, 2LL, 15LL, 17LL, 256LL, 1023LL, 4096LL, harness::on_gpu() ? (1LL << 25) + 5 : (1LL << 16) + 5})
        EXPECT_EQ(error_after<T>(1, n), "") << n << " elements of " << sizeof(T) << " bytes";
    EXPECT_NE(error_after<T>(0, 1023), "");
    EXPECT_NE(error_after<T>(2, 1023), "");
}

TEST(ReadAll, EveryByteOnce) {
    expect_read<std::int8_t>();
    expect_read<std::int16_t>();
    expect_read<float>();
    expect_read<double>();
    expect_read<Affine<double>>();
}

}  // namespace
