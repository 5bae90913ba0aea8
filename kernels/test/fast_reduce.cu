// The single-launch reduction by warps, for any element type, operator, length, address and shape, with one
// workspace for many calls.
// Left to make test-rest: it takes long to compile for what it adds to other tests.
#include "kernels/fast/reduce.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>
#include <set>
#include <string>

#include "kernels/test/device_vector.h"
#include "kernels/test/elements.h"
#include "kernels/test/float_sums.h"
#include "kernels/test/machine.h"
#include "kernels/test/owned.h"

using namespace trial;

namespace {

/// THREADS, ROWS, at most BLOCKS.
template <int THREADS, int ROWS, int BLOCKS>
using Shape = WarpChunksPolicy<THREADS, ROWS, BLOCKS, 1>;

/// Lengths around a unit, a row, a batch, a block, and all blocks together.
std::set<long long> lengths(int rows, int warps, int blocks, int per_unit) {
    const long long unit = per_unit, batch = 32 * rows * unit, block = warps * batch;
    std::set<long long> all = {0, 1, 2, 31, 32, 33, 1000, 12'345};
    for (const long long n : {unit, 32 * unit, batch, block, 2 * block, blocks * block})
        for (const long long delta : {-1, 0, 1})
            if (n + delta <= 300'000) all.insert(n + delta);
    all.insert(std::min(300'000LL, 3 * blocks * block + 5));
    return all;
}

/// Every length twice with one workspace, from element `offset` of a buffer.
template <class T, class Op>
void expect_exact(const std::set<long long>& all, long long offset,
                  const std::function<cudaError_t(const T* in, T* out, long long n)>& reduce) {
    const auto values = exact_elements<T>(offset + *all.rbegin(), 5);
    DeviceVector<T> in(values);
    const std::vector<T> vector(values.begin() + offset, values.end());
    const auto sums = pure_oracle(vector, vector.size(), true, Op{});
    for (const long long n : all) {
        for (int call = 0; call < 2; ++call) {
            DeviceVector<T> out(1);
            out.poison();
            ASSERT_EQ(reduce(in.data() + offset, out.data(), n), cudaSuccess);
            ASSERT_EQ(cudaGetLastError(), cudaSuccess);
            const T found = out.read()[0];
            if (n == 0)
                ASSERT_TRUE(same(found, Op::identity())) << "call " << call;
            else
                ASSERT_TRUE(same(found, sums[n - 1])) << "n " << n << ", call " << call;
        }
    }
    ASSERT_EQ(std::memcmp(in.read().data(), values.data(), values.size() * sizeof(T)), 0);
}

template <class Policy, class T, class Op>
void expect_exact(long long offset = 0) {
    WarpChunksReduction<T, Op, Policy> reduce;
    ASSERT_EQ(reduce.status(), cudaSuccess);
    expect_exact<T, Op>(lengths(Policy::ROWS, Policy::WARPS, Policy::MOST_BLOCKS, WideVector<T>::PER_UNIT),
                        offset,
                        [&](const T* in, T* out, long long n) { return reduce(in, out, n, Op{}, nullptr); });
}

template <class Case>
class EveryReduction : public testing::Test {};
TYPED_TEST_SUITE(EveryReduction, EveryElement);

TYPED_TEST(EveryReduction, EveryLength) {
    using T = typename TypeParam::Type;
    expect_exact<Shape<64, std::min(4, DefaultWarpChunks<T>::ROWS), 3>, T, typename TypeParam::Operator>();
}
TYPED_TEST(EveryReduction, EveryAddressFromTheEndToTheFront) {
    using Descending = WarpChunksPolicy<64, 1, 3, 1, true>;
    for (const long long offset : {1, 2, 3, 7, 15})
        expect_exact<Descending, typename TypeParam::Type, typename TypeParam::Operator>(offset);
}

/// Element sizes that neither divide 16 nor are multiples of 4: a unit spans many words.
template <int BYTES>
struct Text {
    unsigned char byte[BYTES];
};
using ::same;
template <int BYTES>
bool same(const Text<BYTES>& a, const Text<BYTES>& b) {
    return std::memcmp(a.byte, b.byte, BYTES) == 0;
}
/// Adds the first bytes and takes the last one from the right operand: not commutative.
struct Outer {
    template <int BYTES>
    __host__ __device__ Text<BYTES> operator()(Text<BYTES> left, Text<BYTES> right) const {
        Text<BYTES> both = left;
        both.byte[0] = static_cast<unsigned char>(left.byte[0] + right.byte[0]);
        both.byte[BYTES - 1] = right.byte[BYTES - 1];
        return both;
    }
};
template <int BYTES>
struct OuterOf : Outer {
    __host__ __device__ static Text<BYTES> identity() { return {}; }
};

template <int BYTES>
void expect_text() {
    SCOPED_TRACE(BYTES);
    const auto bytes = random_vector<unsigned char>(7003 * BYTES, BYTES);
    std::vector<Text<BYTES>> values(7003);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    DeviceVector<Text<BYTES>> in(values), out(1);
    WarpChunksReduction<Text<BYTES>, OuterOf<BYTES>> reduce;
    for (int offset = 0; offset < 3; ++offset) {
        Text<BYTES> expected = values[offset];
        for (int i = offset + 1; i < 7003; ++i) expected = Outer{}(expected, values[i]);
        reduce(in.data() + offset, out.data(), 7003 - offset, OuterOf<BYTES>{}, nullptr);
        EXPECT_TRUE(same(out.read()[0], expected));
    }
}
TEST(WarpChunksReduction, EverySize) {
    expect_text<3>();
    expect_text<10>();
}

/// Elements of 4 bytes at addresses that are not multiples of 4.
TEST(WarpChunksReduction, AddressesWhereNoWordBeginsAnElement) {
    const auto bytes = random_vector<unsigned char>(4 * 9000 + 1, 3);
    DeviceVector<unsigned char> in(bytes);
    DeviceVector<Text<4>> out(1);
    std::vector<Text<4>> values(9000);
    std::memcpy(values.data(), bytes.data() + 1, 4 * values.size());
    Text<4> expected = values[0];
    for (std::size_t i = 1; i < values.size(); ++i) expected = Outer{}(expected, values[i]);
    WarpChunksReduction<Text<4>, OuterOf<4>, Shape<64, 2, 5>> reduce;
    reduce(reinterpret_cast<const Text<4>*>(in.data() + 1), out.data(), values.size(), OuterOf<4>{}, nullptr);
    EXPECT_TRUE(same(out.read()[0], expected));
}

TEST(WarpChunksReduction, EveryShape) {
    expect_exact<Shape<32, 1, 1>, Pure, PureSum>();   // the only block is the last one
    expect_exact<Shape<32, 2, 70>, Pure, PureSum>();  // more sums than one batch holds
    expect_exact<Shape<96, 32, 2>, int, Sum<int>>();
    expect_exact<Shape<1024, 4, 2>, Pure, PureSum>();
    expect_exact<DefaultWarpChunks<Pure>, Pure, PureSum>(1);
}

/// Each lane combines its units of several batches: the first of equal elements is found, and none is missed.
struct ByLanes : Shape<64, 2, 3> {
    static constexpr bool BY_LANE = true;
};
TEST(WarpChunksReduction, ByLane) {
    using Place = Indexed<int>;
    constexpr long long BATCH = 2 * 32 * 4, ALL = 6 * BATCH;  // elements of a batch, and of one for each warp
    const Workspace workspace(1 << 16, nullptr);
    ASSERT_EQ(workspace.status(), cudaSuccess);
    for (const long long n : {1LL, 5LL, BATCH, ALL - 1, ALL, ALL + 1, 2 * ALL + 3, 5 * ALL, 12'345LL}) {
        auto values = random_vector<int>(n + 3, static_cast<unsigned>(n));
        for (auto& each : values) each %= n < 1000 ? 5 : 1000;
        DeviceVector<int> in(values), sum(1);
        DeviceVector<Place> least(1), greatest(1);
        for (const int offset : {0, 1, 3}) {
            const auto begin = values.begin() + offset, end = begin + n;
            const MappedVector<WideVector<int>, reduce_detail::WithIndex<int>> mapped(
                WideVector<int>(in.data() + offset, n), {});
            const ItemVector<const int*, int> items = {in.data() + offset, n};
            using reduce_detail::FirstExtreme;
            ASSERT_EQ(reduce_detail::reduce<ByLanes>(workspace, mapped, least.data(), FirstExtreme<true>{},
                                                     nullptr),
                      cudaSuccess);
            ASSERT_EQ(reduce_detail::reduce<ByLanes>(workspace, mapped, greatest.data(),
                                                     FirstExtreme<false>{}, nullptr),
                      cudaSuccess);
            ASSERT_EQ(reduce_detail::reduce<ByLanes>(workspace, items, sum.data(), Sum<int>{}, nullptr),
                      cudaSuccess);
            const Place low = least.read()[0], high = greatest.read()[0];
            EXPECT_EQ(low.index, std::min_element(begin, end) - begin) << "n " << n << ", offset " << offset;
            EXPECT_EQ(high.index, std::max_element(begin, end) - begin);
            EXPECT_EQ(low.value, begin[low.index]);
            EXPECT_EQ(high.value, begin[high.index]);
            EXPECT_EQ(sum.read()[0], std::accumulate(begin, end, 0));
        }
    }
}

TEST(WarpChunksReduction, InAnyOrder) {
    using T = Affine<unsigned long long>;
    const int n = 64 * 60 + 5;
    const auto values = exact_elements<T>(n, 1);
    const T expected = pure_oracle(values, n, true, ComposeAffine<unsigned long long>{}).back();
    DeviceVector<T> in(values), out(1);
    WarpChunksReduction<T, ComposeAffine<unsigned long long>, Shape<32, 2, 70>> reduce;
    machine::in_orders(200, [&] {
        out.poison();
        reduce(in.data(), out.data(), n, {}, nullptr);
        EXPECT_TRUE(same(out.read()[0], expected));
    });
}

/// Each element is read once, in words of 16 bytes, and each of the blocks publishes one sum.
TEST(WarpChunksReduction, ReadsOnceByWords) {
    if (machine::is_gpu()) GTEST_SKIP() << "counts are of the SIMT machine";
    constexpr int BLOCKS = 20, n = 3 * BLOCKS * 2 * 4 * 128;
    DeviceVector<float> in(std::vector<float>(n, 1)), out(1);
    WarpChunksReduction<float, Sum<float>, Shape<64, 4, BLOCKS>> reduce;
    const auto counted = machine::count([&] { reduce(in.data(), out.data(), n, Sum<float>{}, nullptr); });
    EXPECT_EQ(counted.global_load_requests - counted.volatile_load_requests, n / 128);
    EXPECT_EQ(counted.global_load_sectors - counted.volatile_load_sectors, n * 4 / 32);
    EXPECT_EQ(counted.global_store_requests, BLOCKS + 1 + 1);  // sums, *out, the next call's tickets
    EXPECT_EQ(counted.atomic_requests, BLOCKS);
    EXPECT_EQ(counted.barriers, 2 * BLOCKS + 1);
}

TEST(WarpChunksReduction, FloatsAreTheSameBitsAtEveryCall) {
    WarpChunksReduction<float, Sum<float>, Shape<64, 4, 20>> reduce;
    // A unit, a batch, at most 5 batches of a warp, the warps, then the sums of the 20 blocks.
    expect_same_bits_at_every_call(
        [&](const float* in, float* out, long long n) { reduce(in, out, n, Sum<float>{}, nullptr); },
        3 + 7 + 5 + 5 + 7);
}

/// Lengths that one block reduces alone, in any number of warps and rows.
TEST(WarpChunksReduction, OneBlock) {
    for (const long long n :
         {1LL, 4LL, 127LL, 128LL, 129LL, 256LL, 512LL, 4095LL, 4096LL, 4097LL, 5000LL, 16'384LL, 16'385LL}) {
        const auto values = exact_elements<Pure>(n + 1, 11);
        DeviceVector<Pure> in(values), out(1);
        for (const int offset : {0, 1}) {
            const std::vector<Pure> vector(values.begin() + offset, values.begin() + offset + n);
            WarpChunksReduction<Pure, PureSum> reduce;
            ASSERT_EQ(reduce(in.data() + offset, out.data(), n, PureSum{}, nullptr), cudaSuccess);
            ASSERT_TRUE(same(out.read()[0], pure_oracle(vector, n, true, PureSum{})[n - 1])) << "n " << n;
        }
    }
}

TEST(WarpChunksReduction, LengthsThatAreNone) {
    WarpChunksReduction<Pure, PureSum> reduce;
    DeviceVector<Pure> out(1);
    EXPECT_EQ(reduce(nullptr, out.data(), -1, PureSum{}, nullptr), cudaErrorInvalidValue);
}

/// What overlapping calls leave behind is reported: tickets, of any number, and the marks of tickets alone.
TEST(WarpChunksReduction, TicketsLeftBehind) {
    using Policy = Shape<32, 1, 4>;
    constexpr int N = 4 * 128;
    DeviceVector<int> in(std::vector<int>(N, 1)), out(1);
    for (const unsigned long long left : {0, 1, 3, 4, 1000, 7 << 24}) {
        DeviceVector<VersionedWords::Word> words(std::vector<VersionedWords::Word>(36, 0)),
            control(std::vector<VersionedWords::Word>{left << 32});
        DeviceVector<unsigned> overlaps(std::vector<unsigned>{0});
        const WideVector<int> vector(in.data(), N);
        const VersionedWords workspace = {control.data(), words.data(), 4,
                                          5u << 24 | 1,   4096,         overlaps.data()};
        machine::unchecked([&] {  // several blocks may be the last
            launch(reduce_warp_chunks<Policy, WideVector<int>, int*, Sum<int>>, 4, 32, nullptr, vector,
                   out.data(), EvenChunks(4, 4), EvenChunks(1, 1), workspace, Sum<int>{});
        });
        ASSERT_EQ(cudaGetLastError(), cudaSuccess);
        EXPECT_EQ(overlaps.read()[0], left > 0 ? 1u : 0u) << left;
    }
}

/// Calls of any length while versions wrap to 0, then calls that use no word: no word's version gets stale.
TEST(WarpChunksReduction, VersionsStartOver) {
    using Policy = Shape<32, 1, 4>;
    using Word = VersionedWords::Word;
    constexpr int WORDS = 4, CALLS = 40;
    std::vector<Word> memory(WORDS + 32, 0);  // the last block polls 32 at a time
    for (int word = 0; word < WORDS; ++word) memory[word] = (0xfffffff4ull + word) << 32 | 7;
    DeviceVector<Word> words(memory), control(std::vector<Word>{0xfffffff8ull});
    DeviceVector<unsigned> overlaps(std::vector<unsigned>{0});
    const auto values = exact_elements<int>(WORDS * 128, 1);
    const auto sums = pure_oracle(values, values.size(), true, Sum<int>{});
    DeviceVector<int> in(values), out(1);
    for (int call = 0; call < CALLS; ++call) {
        const long long n = call < CALLS / 2 ? 1 + call * 97 % (WORDS * 128) : 1;
        const WideVector<int> vector(in.data(), n);
        const EvenChunks chunks(ceil_div(vector.units(), 32), WORDS);
        const EvenChunks collected(ceil_div(chunks.chunks, 32), 1);
        launch(reduce_warp_chunks<Policy, WideVector<int>, int*, Sum<int>>, chunks.chunks, 32, nullptr,
               vector, out.data(), chunks, collected,
               VersionedWords{control.data(), words.data(), WORDS, 1, 1, overlaps.data()}, Sum<int>{});
        ASSERT_EQ(out.read()[0], sums[n - 1]) << "call " << call;
    }
    const auto after = words.read();
    const auto calls = static_cast<unsigned>(control.read()[0]);
    EXPECT_EQ(calls, 0xfffffff8u + CALLS);
    for (int word = 0; word < WORDS; ++word)
        EXPECT_LT(calls - static_cast<unsigned>(after[word] >> 32), unsigned(WORDS));
}

template <int ROWS>
__global__ void sum_to_all_lanes(int* out, int count) {
    int values[ROWS];
    for (int k = 0; k < ROWS; ++k) values[k] = 32 * k + static_cast<int>(threadIdx.x) + 1;
    out[threadIdx.x] = reduce_rows(values, count, Sum<int>{});
}

template <int ROWS>
void expect_in_all_lanes() {
    DeviceVector<int> out(32);
    for (const int count : {1, 31, 32 * ROWS - 1, 32 * ROWS}) {
        launch(sum_to_all_lanes<ROWS>, 1, 32, nullptr, out.data(), count);
        EXPECT_EQ(out.read(), std::vector<int>(32, count * (count + 1) / 2)) << ROWS << " rows, " << count;
    }
}

TEST(WarpChunksReduction, EveryLaneHasTheSum) {
    expect_in_all_lanes<1>();
    expect_in_all_lanes<4>();
    expect_in_all_lanes<32>();
}

}  // namespace
