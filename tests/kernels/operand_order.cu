// A scan that swaps its operands is detected with every non-commutative operator, also by the check that
// every experiment runs.
#include <gtest/gtest.h>

#include "experiments/harness/operands.h"
#include "experiments/harness/oracle.h"
#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/device/scan_tiles.cuh"
#include "tests/device_vector.h"

namespace {

constexpr int TILE = 256;
constexpr long long N = 5 * TILE;
constexpr std::uint64_t SEED = 1;

template <class Op>
struct Swapped : Op {
    template <class T>
    __host__ __device__ T operator()(T left, T right) const {
        return Op::operator()(right, left);
    }
};

/// The harness's error for a scan that applies Used instead of Op.
template <class T, class Op, class Used>
std::string error_of() {
    using Algorithm = BrentKung<>;
    constexpr int THREADS = Algorithm::threads(TILE);
    std::vector<T> values;
    for (long long i = 0; i < N; ++i) values.push_back(harness::Input<T>::at(SEED, i));
    DeviceVector<T> in(values), out(N);
    T* const no_sums = nullptr;
    launch(scan_tiles<Algorithm, TILE, THREADS, Padded<>, T, Used>, unsigned(ceil_div(N, TILE)), THREADS,
           nullptr, in.data(), out.data(), no_sums, N, Used{});
    harness::Case c{"", N, &harness::element_type<T>(), {harness::Expected::inclusive_scan, TILE}, {}};
    return harness::find_error<T, Op>(c, SEED, out.data());
}

template <class T, class Op>
void expect_noticed(bool noticed) {
    EXPECT_EQ((error_of<T, Op, Op>()), "");
    EXPECT_EQ((!error_of<T, Op, Swapped<Op>>().empty()), noticed);
}

TEST(SwappedOperands, AreNoticedIfTheOperatorIsNotCommutative) {
    expect_noticed<Affine<unsigned>, ComposeAffine<unsigned>>(true);
    expect_noticed<Affine<float>, ComposeAffine<float>>(true);
    expect_noticed<Affine<double>, ComposeAffine<double>>(true);
    expect_noticed<Brackets, Bicyclic>(true);
    expect_noticed<Flagged<int>, Segmented<Sum<int>>>(true);
}

TEST(SwappedOperands, DoNotMatterIfItIs) {
    expect_noticed<int, Sum<int>>(false);
    expect_noticed<int, Max<int>>(false);
}

}  // namespace
