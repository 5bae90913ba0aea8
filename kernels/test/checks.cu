// The check that every experiment runs, on vectors of several pieces: correct results pass, and for wrong
// results it names the first wrong element, wherever it is.
// Runs for long: it begins first, so that no core is left idle at the end.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include <gtest/gtest.h>

#include <cstdint>

#include "experiments/harness/operands.h"
#include "experiments/harness/oracle.h"
#include "experiments/support/selection.h"
#include "kernels/index_maps.cuh"
#include "kernels/launch.cuh"
#include "kernels/test/device_vector.h"
#include "kernels/textbook/block/scan_brent_kung.cuh"
#include "kernels/textbook/device/scan_tiles.cuh"

using namespace trial;

namespace {

using harness::Case;
using harness::Expected;

constexpr std::uint64_t SEED = 5;

template <class T>
std::vector<T> inputs(long long n) {
    std::vector<T> values;
    for (long long i = 0; i < n; ++i) values.push_back(harness::Input<T>::at(SEED, i));
    return values;
}

/// The correct result, computed sequentially in the element type.
template <class T, class Op>
std::vector<T> right_result(Expected expected, long long n) {
    const auto values = inputs<T>(n);
    if (expected.kind == Expected::copy) return values;
    std::vector<T> result;
    T sum = Op::identity();
    for (long long i = 0; i < n; ++i) {
        const bool first = i % expected.segment == 0, last = (i + 1) % expected.segment == 0 || i + 1 == n;
        if (first) sum = Op::identity();
        if (expected.kind == Expected::exclusive_scan) result.push_back(sum);
        sum = Op{}(sum, values[i]);
        if (expected.kind == Expected::inclusive_scan || (expected.kind == Expected::reduction && last))
            result.push_back(sum);
    }
    return result;
}

template <class T, class Op>
std::string error_in(const std::vector<T>& result, Expected expected, long long n) {
    DeviceVector<T> out(result);
    const Case c{{}, n, &harness::element_type<T>(), expected, {}};
    EXPECT_EQ(c.out_elements(), static_cast<long long>(result.size()));
    return harness::find_error<T, Op>(c, SEED, out.data());
}

/// Changes an element; a second call restores it.
template <class T>
void spoil(T& element) {
    reinterpret_cast<unsigned char&>(element) ^= 1;
}

/// `whole`: every element from `place` on is corrupted, as if a prefix were lost.
template <class T, class Op>
void expect_noticed(Expected expected, long long n) {
    auto result = right_result<T, Op>(expected, n);
    ASSERT_EQ((error_in<T, Op>(result, expected, n)), "");
    const auto size = static_cast<long long>(result.size());
    constexpr long long PIECE = harness::PIECE<T>;
    for (const long long place : {0LL, PIECE - 1, PIECE, size - 1}) {
        if (place >= size) continue;
        for (const bool whole : {false, true}) {
            auto wrong = result;
            for (long long i = place; i < (whole ? size : place + 1); ++i) spoil(wrong[i]);
            const auto error = error_in<T, Op>(wrong, expected, n);
            EXPECT_EQ(error.rfind("index " + std::to_string(place) + ":", 0), 0u) << error << ", " << place;
        }
    }
}

template <class T, class Op = Sum<T>>
void expect_scans_noticed() {
    const long long n = 2 * harness::PIECE<T> + 17;
    expect_noticed<T, Op>({Expected::inclusive_scan, n}, n);
    expect_noticed<T, Op>({Expected::exclusive_scan, n}, n);
}

TEST(Checks, ScansOfSmallIntsWrap) { expect_scans_noticed<std::int8_t>(); }

TEST(Checks, ScansOfInts) { expect_scans_noticed<long long>(); }

TEST(Checks, ScansOfFloats) {
    expect_scans_noticed<float>();
    expect_scans_noticed<double>();
}

TEST(Checks, ScansByOperatorsThatDoNotCommute) {
    expect_scans_noticed<Affine<unsigned>, ComposeAffine<unsigned>>();
    expect_scans_noticed<Affine<float>, ComposeAffine<float>>();
    expect_scans_noticed<Brackets, Bicyclic>();
}

TEST(Checks, Segments) {
    const long long n = 2 * harness::PIECE<int> + 17;
    for (const long long segment : {1LL, 1000LL, harness::PIECE<int>, harness::PIECE<int> + 1}) {
        expect_noticed<int, Sum<int>>({Expected::inclusive_scan, segment}, n);
        expect_noticed<int, Sum<int>>({Expected::exclusive_scan, segment}, n);
        expect_noticed<int, Sum<int>>({Expected::reduction, segment}, n);
    }
}

TEST(Checks, Reductions) {
    for (const long long n : {1LL, harness::PIECE<int>, 2 * harness::PIECE<int> + 17}) {
        expect_noticed<std::int8_t, Sum<std::int8_t>>({Expected::reduction, n}, n);
        expect_noticed<float, Sum<float>>({Expected::reduction, n}, n);
        expect_noticed<Affine<double>, ComposeAffine<double>>({Expected::reduction, n}, n);
    }
}

TEST(Checks, Copies) {
    const long long n = 2 * harness::PIECE<double> + 17;
    expect_noticed<double, harness::AnyOperator<double>>({Expected::copy, n}, n);
    expect_noticed<Affine<double>, harness::AnyOperator<Affine<double>>>({Expected::copy, n}, n);
}

/// The digest computed by a single thread, byte by byte, on top of the initial poison.
template <class T>
std::vector<T> digest_of(const std::vector<T>& values) {
    Case c{{}, static_cast<long long>(values.size()), &harness::element_type<T>(), {Expected::digest, 1}, {}};
    std::vector<T> result(c.out_elements());
    auto* const out = reinterpret_cast<unsigned char*>(result.data());
    const auto* const bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (int k = 0; k < 4; ++k) out[k] = harness::POISON;
    for (std::size_t i = 0; i < values.size() * sizeof(T); ++i) out[i % 4] ^= bytes[i];
    return result;
}

template <class T>
void expect_unread_noticed() {
    for (const long long n : {1LL, 3LL, 1023LL, harness::Chunk<T>::SIZE + 5}) {
        auto values = inputs<T>(n);
        const Expected expected{Expected::digest, n};
        EXPECT_EQ((error_in<T, harness::AnyOperator<T>>(digest_of(values), expected, n)), "");
        spoil(values.back());
        EXPECT_NE((error_in<T, harness::AnyOperator<T>>(digest_of(values), expected, n)), "");
    }
}

TEST(Checks, Digests) {
    expect_unread_noticed<std::int8_t>();
    expect_unread_noticed<std::int16_t>();
    expect_unread_noticed<float>();
    expect_unread_noticed<double>();
    expect_unread_noticed<Affine<double>>();
}

template <class T>
void write(harness::OwnVector<T>& to, const std::vector<T>& values) {
    ASSERT_EQ(cudaMemcpy(to.data(), values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice),
              cudaSuccess);
}

template <class T>
void expect_selection_noticed() {
    const long long n = 2 * harness::PIECE<T> + 17;
    harness::Selection<T> selection(n, T(1), [](long long i) { return harness::Input<T>::at(SEED, i); });
    std::vector<T> selected;
    for (const T value : inputs<T>(n))
        if (value < 1) selected.push_back(value);
    const auto error_of = [&](const std::vector<T>& result, long long count) {
        selection.poison();
        write(selection.out, result);
        write(selection.selected, {count});
        return selection.find_error();
    };
    const auto total = static_cast<long long>(selected.size());
    ASSERT_EQ(error_of(selected, total), "");
    EXPECT_NE(error_of(selected, total - 1), "");
    for (const long long place : {0LL, total / 2, total - 1}) {
        auto wrong = selected;
        spoil(wrong[place]);
        EXPECT_EQ(error_of(wrong, total).rfind("index " + std::to_string(place) + ":", 0), 0u);
    }
    auto swapped = selected;
    std::reverse(swapped.begin(), swapped.end());
    EXPECT_NE(error_of(swapped, total), "");
    auto longer = selected;
    longer.push_back(selected.back());
    EXPECT_EQ(error_of(longer, total), "written after the last element");
}

TEST(Checks, Selections) {
    expect_selection_noticed<std::int8_t>();
    expect_selection_noticed<int>();
    expect_selection_noticed<double>();
}

TEST(Checks, InputsAreFilledToTheLast) {
    const long long n = 2 * harness::Chunk<int>::SIZE + 17;
    DeviceVector<int> in(n);
    harness::fill<int>(in.data(), n, SEED);
    EXPECT_EQ(in.read(), inputs<int>(n));
}

TEST(Checks, WhatAThreadThrowsIsThrown) {
    const auto fails_at = [](long long wrong) {
        harness::in_pieces(100, [wrong] {
            return [wrong](long long piece) {
                if (piece == wrong) throw std::runtime_error("piece " + std::to_string(piece));
            };
        });
    };
    EXPECT_NO_THROW(fails_at(100));
    EXPECT_THROW(fails_at(99), std::runtime_error);
}

// --- A scan that swaps its operands is noticed with every operator that does not commute.

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
    constexpr int TILE = 256;
    constexpr long long N = 5 * TILE;
    using Algorithm = BrentKung<>;
    constexpr int THREADS = Algorithm::threads(TILE);
    std::vector<T> values;
    for (long long i = 0; i < N; ++i) values.push_back(harness::Input<T>::at(SEED, i));
    DeviceVector<T> in(values), out(N);
    T* const no_sums = nullptr;
    launch(scan_tiles<Algorithm, TILE, THREADS, Padded<>, T, Used>, unsigned(ceil_div(N, TILE)), THREADS,
           nullptr, in.data(), out.data(), no_sums, N, Used{});
    harness::Case c{{}, N, &harness::element_type<T>(), {harness::Expected::inclusive_scan, TILE}, {}};
    return harness::find_error<T, Op>(c, SEED, out.data());
}

template <class T, class Op>
void expect_swap_noticed(bool noticed) {
    EXPECT_EQ((error_of<T, Op, Op>()), "");
    EXPECT_EQ((!error_of<T, Op, Swapped<Op>>().empty()), noticed);
}

TEST(SwappedOperands, AreNoticedIfTheOperatorIsNotCommutative) {
    expect_swap_noticed<Affine<unsigned>, ComposeAffine<unsigned>>(true);
    expect_swap_noticed<Affine<float>, ComposeAffine<float>>(true);
    expect_swap_noticed<Affine<double>, ComposeAffine<double>>(true);
    expect_swap_noticed<Brackets, Bicyclic>(true);
    expect_swap_noticed<Flagged<int>, Segmented<Sum<int>>>(true);
}

TEST(SwappedOperands, DoNotMatterIfItIs) {
    expect_swap_noticed<int, Sum<int>>(false);
    expect_swap_noticed<int, Max<int>>(false);
}

}  // namespace
