// Every operator of every type: associative, with a neutral element, commutative or not as its users assume.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <limits>

#include "kernels/prefix.cuh"
#include "kernels/test/elements.h"

using namespace trial;

namespace {

template <class T, class Op>
void expect_laws(bool commutes) {
    const auto values = exact_elements<T>(300, 3);
    const Op op;
    bool ever_differs = false;
    for (std::size_t i = 0; i + 2 < values.size(); ++i) {
        const T a = values[i], b = values[i + 1], c = values[i + 2];
        ASSERT_TRUE(same(op(op(a, b), c), op(a, op(b, c)))) << "associative, element " << i;
        ASSERT_TRUE(same(op(Op::identity(), a), a)) << "neutral on the left, element " << i;
        ASSERT_TRUE(same(op(a, Op::identity()), a)) << "neutral on the right, element " << i;
        ever_differs |= !same(op(a, b), op(b, a));
    }
    EXPECT_EQ(ever_differs, !commutes);
}

template <class T>
void expect_laws_of_numbers() {
    expect_laws<T, Sum<T>>(true);
    expect_laws<T, Min<T>>(true);
    expect_laws<T, Max<T>>(true);
    for (const T extreme :
         {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(),
          static_cast<T>(-std::numeric_limits<T>::infinity()), std::numeric_limits<T>::infinity()}) {
        EXPECT_EQ(Min<T>{}(Min<T>::identity(), extreme), extreme);
        EXPECT_EQ(Max<T>{}(Max<T>::identity(), extreme), extreme);
    }
}

TEST(Operators, OfNumbers) {
    expect_laws_of_numbers<std::int8_t>();
    expect_laws_of_numbers<std::int16_t>();
    expect_laws_of_numbers<int>();
    expect_laws_of_numbers<unsigned>();
    expect_laws_of_numbers<std::int64_t>();
    expect_laws_of_numbers<float>();
    expect_laws_of_numbers<double>();
}

template <class T>
class Extreme : public testing::Test {};
using WithNaN = testing::Types<float, double, __half, __nv_bfloat16>;
TYPED_TEST_SUITE(Extreme, WithNaN, );

/// The value of an operand as a double; -0 and +0 are alike.
template <class Op, class T>
double value(T left, T right) {
    return static_cast<double>(static_cast<float>(Op{}(left, right)));
}

/// NaN wins with Max and Min, and loses with MaxNumber and MinNumber, on both sides.
TYPED_TEST(Extreme, OfNaN) {
    using T = TypeParam;
    const T nan(NAN);
    for (const float number : {-INFINITY, -1.f, 0.f, 3.f, INFINITY}) {
        const T x(number);
        for (const auto& [left, right] : {std::pair(nan, x), std::pair(x, nan), std::pair(nan, nan)}) {
            EXPECT_TRUE(std::isnan(value<Max<T>>(left, right)));
            EXPECT_TRUE(std::isnan(value<Min<T>>(left, right)));
        }
        EXPECT_EQ(value<MaxNumber<T>>(nan, x), number);
        EXPECT_EQ(value<MaxNumber<T>>(x, nan), number);
        EXPECT_EQ(value<MinNumber<T>>(nan, x), number);
        EXPECT_EQ(value<MinNumber<T>>(x, nan), number);
        EXPECT_EQ(value<MaxNumber<T>>(x, T(1.f)), std::fmax(number, 1.f));
        EXPECT_EQ(value<MinNumber<T>>(x, T(1.f)), std::fmin(number, 1.f));
    }
    EXPECT_TRUE(std::isnan(value<MaxNumber<T>>(nan, nan)));
}

TYPED_TEST(Extreme, OfNothing) {
    using T = TypeParam;
    EXPECT_EQ(static_cast<float>(Max<T>::identity()), -INFINITY);
    EXPECT_EQ(static_cast<float>(Min<T>::identity()), INFINITY);
    EXPECT_TRUE(std::isnan(static_cast<float>(MaxNumber<T>::identity())));
    EXPECT_TRUE(std::isnan(static_cast<float>(MinNumber<T>::identity())));
}

/// A type without limits has no neutral element, so a call that needs one does not compile.
struct Length {
    int metres;
    friend bool operator<(Length a, Length b) { return a.metres < b.metres; }
};
static_assert(HAS_IDENTITY<Max<__half>, __half> && HAS_IDENTITY<Min<__int128>, __int128>);
static_assert(!HAS_IDENTITY<Max<Length>, Length> && !HAS_IDENTITY<Min<Length>, Length>);

TEST(Operators, OfWideIntegers) {
    EXPECT_TRUE(Max<__int128>::identity() == -Min<__int128>::identity() - 1);
    EXPECT_TRUE(Max<__int128>::identity() < 0);
    EXPECT_TRUE(Max<unsigned __int128>::identity() == 0);
    EXPECT_TRUE(Min<unsigned __int128>::identity() + 1 == 0);
}

TEST(Operators, Products) {
    expect_laws<int, Product<int>>(true);
    expect_laws<unsigned, Product<unsigned>>(true);
}

TEST(Operators, ThatDoNotCommute) {
    expect_laws<Brackets, Bicyclic>(false);
    expect_laws<Row, Append>(false);
    expect_laws<Affine<unsigned>, ComposeAffine<unsigned>>(false);
    expect_laws<Affine<unsigned long long>, ComposeAffine<unsigned long long>>(false);
    expect_laws<Flagged<int>, Segmented<Sum<int>>>(false);
    expect_laws<Flagged<double>, Segmented<Sum<double>>>(false);
}

}  // namespace
