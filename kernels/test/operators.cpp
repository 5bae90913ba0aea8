// Every operator of every type: associative, with a neutral element, commutative or not as its users assume.
#include <limits>

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
