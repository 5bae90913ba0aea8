// The scan of fast/scan: every type, operator, form, length, address, seed and aliasing.
#include "tests/gpu/scan_check.h"

#include <cmath>

namespace {

template <class Element>
class Scan : public testing::Test {
   protected:
    using T = typename Element::Type;
    using Op = typename Element::Operator;
};

/// EveryElement, and sizes that do not divide 16 bytes or can straddle words of 16 bytes.
template <class Elements>
struct WithBytes;
template <class... E>
struct WithBytes<testing::Types<E...>> {
    using Types = testing::Types<E..., Elements<Bytes<2>, JoinBytes<2>>, Elements<Bytes<3>, JoinBytes<3>>,
                                 Elements<Bytes<13>, JoinBytes<13>>>;
};
TYPED_TEST_SUITE(Scan, WithBytes<EveryElement>::Types, );

/// Lengths around the boundaries of every unit that a vector is split into.
template <class T>
std::vector<long long> lengths() {
    std::vector<long long> all = {0, 1, 2, 3, 5, 7, 31, 97, 1009, 104'729};
    using Policy = RingPolicy<T>;
    for (long long edge :
         {16 / int(sizeof(T)), 32, 512, 1 << 16, 1 << 19, Policy::SMALLEST_TILE, 7 * Policy::SMALLEST_TILE,
          133 * Policy::SMALLEST_TILE, int(WavePolicy<2, 1>::Tiles<T>::TILE),
          132 * int(WavePolicy<2, 1>::Tiles<T>::TILE), 132 * int(WavePolicy<4, 1>::Tiles<T>::TILE),
          132 * int(WavePolicy<8, 4>::Tiles<T>::TILE)}) {
        for (int by : {-1, 0, 1}) all.push_back(edge + by);
    }
    return all;
}

template <class T, class Op, class Expect>
void expect_lengths(ScanCheck<T, Op>& check, Expect expect) {
    int turn = 0;
    for (const long long n : lengths<T>()) {
        for (int form = 0; form < 4; ++form, ++turn) {
            expect(Asked{n, form % 2 == 0, form >= 2, turn % 3 == 0, turn % 7 == 0 ? 1 : 0, 0});
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

TYPED_TEST(Scan, Lengths) {
    using Check = ScanCheck<typename TestFixture::T, typename TestFixture::Op>;
    Check check(lengths<typename TestFixture::T>().back() + (1 << 22));
    expect_lengths(check, [&](const Asked& asked) { check.expect(asked); });
    expect_lengths(check, [&](const Asked& asked) {
        if (asked.n > 0) check.expect_ring(asked);
    });
}

TYPED_TEST(Scan, SeedsThatLieOnTheDevice) {
    ScanCheck<typename TestFixture::T, typename TestFixture::Op> check(5'000'000);
    for (const long long n : {1LL, 1000LL, 300'000LL, 4'999'999LL}) {
        for (int way = 0; way < 16; ++way) {
            check.expect_seed_at({n, way % 2 == 0, way % 4 < 2, way % 8 < 4, way % 3, 0}, way < 8);
            if (this->HasFatalFailure()) return;
        }
    }
}

TYPED_TEST(Scan, Addresses) {
    ScanCheck<typename TestFixture::T, typename TestFixture::Op> check(3'000'000);
    for (const long long n : {40LL, 100'003LL, 2'999'999LL}) {
        for (int in = 0; in < 17; in += in < 4 ? 1 : 5) {
            for (int out = 0; out < 16; out += out < 4 ? 1 : 7) {
                for (bool in_place : {false, true}) {
                    const Asked asked = {n, (in + out) % 2 == 0, in % 3 == 0, in_place, in, out};
                    check.expect(asked);
                    check.expect_ring(asked);
                    if (this->HasFatalFailure()) return;
                }
            }
        }
    }
}

/// About 1,000 draws over all types, with lengths distributed log-uniformly.
TYPED_TEST(Scan, Draws) {
    constexpr long long MOST = 12'000'000;
    ScanCheck<typename TestFixture::T, typename TestFixture::Op> check(MOST);
    std::mt19937 random(11);
    for (int draw = 0; draw < 46; ++draw) {
        const double exponent = std::uniform_real_distribution<>(0, std::log(MOST))(random);
        const Asked asked = {static_cast<long long>(std::exp(exponent)),
                             random() % 2 == 0,
                             random() % 2 == 0,
                             random() % 2 == 0,
                             int(random() % 17),
                             int(random() % 17)};
        random() % 2 == 0 ? check.expect(asked) : check.expect_ring(asked);
        if (this->HasFatalFailure()) return;
    }
}

TEST(LongScan, MoreElementsThan32BitsCount) {
    constexpr long long N = (1LL << 32) + 12'345;
    std::size_t free = 0, total = 0;
    ASSERT_EQ(cudaMemGetInfo(&free, &total), cudaSuccess);
    if (free < 3 * N + (1u << 30)) GTEST_SKIP() << "needs " << (3 * N >> 30) + 1 << " GiB of GPU memory";
    ScanCheck<std::int8_t, Sum<std::int8_t>> check(N);
    check.expect({N, true, false, false, 0, 0});
    check.expect({N - 5, false, true, false, 3, 1});
}

}  // namespace
