// Scans along the columns of a matrix, fast/scan_columns: of any shape, element type, operator, seed and
// alignment, in place or not, by few tiles and by many, in orders of blocks drawn from seeds; and what is
// refused.
#include "kernels/fast/scan_columns.cuh"

#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <cstring>
#include <utility>

#include "kernels/fast/all.cuh"
#include "kernels/test/needs.h"
#include "kernels/test/trial.h"

using namespace trial;

namespace {

using Shape = std::pair<long long, long long>;  // rows and columns

/// Small tiles: of 64 threads, and of one or three rows a thread, by type.
using Small = PassPolicy<64, 2, 12, 0>;

/// What a scan is to be: seed 1 by value, 2 in device memory, 3 in device memory but not there.
struct Way {
    Form form;
    int seed;
    bool in_place;
};
Way way_of(unsigned k) {
    return {k % 2 == 0 ? Form::inclusive : Form::exclusive, static_cast<int>(k / 2 % 4), k / 8 % 2 == 1};
}

/// Column by column, one after another. The first result of an exclusive scan without a seed: identity().
template <class T, class Op>
std::vector<T> expected_of(const std::vector<T>& values, Shape shape, Form form, Prefix<T> seed) {
    std::vector<T> result(values.size());
    for (long long c = 0; c < shape.second; ++c) {
        Prefix<T> before = seed;
        for (long long r = 0; r < shape.first; ++r) {
            const std::size_t i = r * shape.second + c;
            const T inclusive = before.exists ? Op{}(before.value, values[i]) : values[i];
            result[i] = form == Form::inclusive ? inclusive : before.exists ? before.value : Op::identity();
            before = {inclusive, true};
        }
    }
    return result;
}

template <class T, class Op, class Policy>
void expect_scan(const Memory& memory, Shape shape, Way way, std::uint64_t order) {
    const long long rows = shape.first, columns = shape.second;
    std::mt19937 random(unsigned(7 * rows + columns + order));
    std::vector<T> values(rows * columns);
    for (T& value : values) value = Maker<T>::make(random);
    const Prefix<T> seed = {Maker<T>::make(random), way.seed == 1 || way.seed == 2};
    const int offset = static_cast<int>(alignof(T) * (random() % 4));
    PlacedVector<T> in(values, offset), apart(rows * columns, static_cast<int>(alignof(T) * (random() % 4)));
    PlacedVector<T>& out = way.in_place ? in : apart;
    DeviceVector<Prefix<T>> seed_at(std::vector<Prefix<T>>{seed});
    const auto scan = [&](auto call) {
        const T* const from = in.data();
        const Prefix<T>* const at = seed_at.data();
        return way.seed == 0   ? call(memory, from, out.data(), rows, columns, Op{}, nullptr)
               : way.seed == 1 ? call(memory, from, out.data(), rows, columns, Op{}, seed.value, nullptr)
                               : call(memory, from, out.data(), rows, columns, Op{}, at, nullptr);
    };
    machine::in_order(order, [&] {
        ASSERT_EQ(way.form == Form::inclusive ? scan(scan_columns_detail::Scan<Form::inclusive, Policy>{})
                                              : scan(scan_columns_detail::Scan<Form::exclusive, Policy>{}),
                  cudaSuccess);
        ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    });
    const auto found = out.read(), expected = expected_of<T, Op>(values, shape, way.form, seed);
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_TRUE(same(found[i], expected[i])) << rows << " x " << columns << ", element " << i << ", seed "
                                                 << way.seed << (way.in_place ? ", in place" : "");
    ASSERT_TRUE(in.is_alone() && apart.is_alone());
    if (!way.in_place && !values.empty())
        ASSERT_EQ(std::memcmp(in.read().data(), values.data(), values.size() * sizeof(T)), 0);
}

// --- Every type, on both sides of every edge

template <class Element>
class ScanColumns : public testing::Test {};
using Scanned = SomeThenOthers<
    testing::Types<Elements<std::int8_t, Sum<std::int8_t>>, Elements<float, Max<float>>,
                   Elements<Pure, PureSum>, Elements<Row, Append>, Elements<Bytes<13>, JoinBytes<13>>,
                   Elements<Affine<unsigned long long>, ComposeAffine<unsigned long long>>>,
    testing::Types<Elements<std::int16_t, Min<std::int16_t>>, Elements<int, Sum<int>>,
                   Elements<double, Sum<double>>, Elements<Brackets, Bicyclic>,
                   Elements<Affine<unsigned>, ComposeAffine<unsigned>>, Elements<Bytes<3>, JoinBytes<3>>>>;
TYPED_TEST_SUITE(ScanColumns, Scanned, );

TYPED_TEST(ScanColumns, SmallTiles) {
    using T = typename TypeParam::Type;
    using Cut = Strips<Small, T>;
    constexpr long long ROWS = Cut::ROWS, TILE = 2 * ROWS;  // of a thread, of a tile 32 columns wide
    const Workspace workspace(1 << 20, nullptr);
    unsigned k = first_seed() / 1000;
    for (const long long rows :
         {0LL, 1LL, ROWS, ROWS + 1, TILE - 1, TILE, TILE + 1, 31LL, 32LL, 33LL, 5 * TILE + 1, 35 * TILE - 1})
        for (const long long columns : {0LL, 1LL, 2LL, 7LL, 31LL, 32LL, 33LL, 64LL, 65LL, 130LL}) {
            expect_scan<T, typename TypeParam::Operator, Small>(workspace, {rows, columns}, way_of(k++),
                                                                k % 3);
            if (this->HasFatalFailure()) return;
        }
    ASSERT_EQ(workspace.status(), cudaSuccess);
}

/// The tiles of a GPU, in no more memory than a call says it needs.
TYPED_TEST(ScanColumns, TheTilesOfAGpu) {
    using T = typename TypeParam::Type;
    constexpr long long TILE = 8 * Strips<StripsPass, T>::ROWS;
    unsigned k = first_seed() / 1000;
    for (const Shape& shape : {Shape{TILE, 33}, Shape{TILE + 1, 32}, Shape{3 * TILE - 1, 70}, Shape{3001, 3},
                               Shape{40, 300}, Shape{2, 2001}, Shape{9001, 1}, Shape{1, 1}}) {
        const Workspace workspace(scan_columns_bytes<T>(shape.first, shape.second), nullptr);
        expect_scan<T, typename TypeParam::Operator, void>(workspace, shape, way_of(k++), k % 2);
        if (this->HasFatalFailure()) return;
    }
}

// --- Tiles that wait for one another

/// Groups of 32 tiles, and of 32 groups: their last tiles and the next ones; many calls on one workspace.
TEST(ScanColumnsInGroups, OfThirtyTwo) {
    constexpr long long TILE = 32 * Strips<Small, Row>::ROWS;  // of two columns
    const Workspace workspace(1 << 22, nullptr);
    unsigned k = 0;
    for (const long long tiles : {31, 32, 33, 64, 65, 1024, 1025, 2081})
        expect_scan<Row, Append, Small>(workspace, {tiles * TILE - k % 2, 2}, way_of(3 * k), k % 3), ++k;
    expect_scan<Row, Append, Small>(workspace, {2 * Strips<Small, Row>::ROWS * 70, 40}, way_of(2), 1);
    EXPECT_EQ(workspace.status(), cudaSuccess);
}

template <class T, class Op>
void expect_any_order(int orders) {
    const Workspace workspace(1 << 20, nullptr);
    for (int order = 0; order < orders && !testing::Test::HasFailure(); ++order)
        expect_scan<T, Op, Small>(workspace, {order % 2 == 0 ? 75 : 301, order % 3 == 0 ? 5 : 40},
                                  way_of(unsigned(order)), std::uint64_t(order));
}
TEST(ScanColumnsInGroups, InAnyOrder) {
    expect_any_order<Pure, PureSum>(30);
    expect_any_order<float, Max<float>>(10);
    expect_any_order<Affine<unsigned long long>, ComposeAffine<unsigned long long>>(10);  // several words
}

TEST(ScanColumnsInGroups, OnPlainBytes) {
    for (const Shape& shape : {Shape{500, 33}, Shape{5, 500}, Shape{999, 4}}) {
        const std::size_t bytes = strips_bytes<Small, Row>(shape.first, shape.second);
        DeviceVector<char> plain(bytes);
        plain.poison();
        expect_scan<Row, Append, Small>(Memory(plain.data(), bytes), shape, {Form::exclusive, 1, true}, 1);
    }
}

/// bytes_needed() does for every shape.
TEST(ScanColumnsInGroups, InTheMemoryOfAnyCall) {
    for (const long long n : {0LL, 1LL, 5000LL, 1'000'000LL, 123'456'789LL})
        for (const long long columns : {1LL, 2LL, 5LL, 31LL, 32LL, 33LL, 100LL, 1000LL, 100'000LL})
            for (const long long rows : {n / columns, n / columns - n / columns % 256 + 1}) {
                if (rows * columns > n) continue;
                EXPECT_LE(scan_columns_bytes<char>(rows, columns), bytes_needed<char>(n)) << rows;
                EXPECT_LE(scan_columns_bytes<int>(rows, columns), bytes_needed<int>(n)) << rows;
                EXPECT_LE(scan_columns_bytes<double>(rows, columns), bytes_needed<double>(n)) << rows;
                EXPECT_LE(scan_columns_bytes<double2>(rows, columns), bytes_needed<double2>(n)) << rows;
            }
}

TEST(ScanColumnsInGroups, FloatBitsAreTheSameInAnyOrder) {
    constexpr long long ROWS = 700, COLUMNS = 37;
    DeviceVector<float> in(random_vector<float>(ROWS * COLUMNS, 3)), out(ROWS * COLUMNS);
    const float* const from = in.data();
    std::vector<float> first;
    for (const int order : {0, 1, 2, 3}) {
        const Workspace workspace(bytes_needed<float>(ROWS * COLUMNS) << order, nullptr);
        out.poison();
        machine::in_order(order, [&] {
            using Scan = scan_columns_detail::Scan<Form::inclusive, Small>;
            ASSERT_EQ(Scan{}(workspace, from, out.data(), ROWS, COLUMNS, Sum<float>{}, nullptr), cudaSuccess);
            ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
        });
        const auto found = out.read();
        if (first.empty()) first = found;
        ASSERT_EQ(std::memcmp(found.data(), first.data(), found.size() * sizeof(float)), 0) << order;
    }
}

// --- Arguments as users write them

TEST(ScanColumnsCall, WorkedExample) {
    const std::vector<int> values = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    DeviceVector<int> in(values), out(9);
    const int* const from = in.data();
    const Workspace workspace(scan_columns_bytes<int>(3, 3), nullptr);
    ASSERT_EQ(inclusive_scan_columns(workspace, from, out.data(), 3, 3, Sum<int>{}, nullptr), cudaSuccess);
    EXPECT_EQ(out.read(), (std::vector<int>{1, 2, 3, 5, 7, 9, 12, 15, 18}));
    ASSERT_EQ(exclusive_scan_columns(workspace, from, out.data(), 3, 3, Sum<int>{}, nullptr), cudaSuccess);
    EXPECT_EQ(out.read(), (std::vector<int>{0, 0, 0, 1, 2, 3, 5, 7, 9}));
    ASSERT_EQ(exclusive_scan_columns(workspace, from, out.data(), 3, 3, Sum<int>{}, 10, nullptr),
              cudaSuccess);
    EXPECT_EQ(out.read(), (std::vector<int>{10, 10, 10, 11, 12, 13, 15, 17, 19}));
}

struct CountingSum {
    int calls = 0;
    __device__ float operator()(float left, float right) {
        ++calls;
        return left + right;
    }
};

/// A literal 0 is a number, not a null pointer; operators may be not const; halves are added as floats;
/// elements may be those of an iterator, and results of another type.
TEST(ScanColumnsCall, TakesWhatTheOtherCallsTake) {
    constexpr long long ROWS = 3000, COLUMNS = 2, N = ROWS * COLUMNS;
    const Workspace workspace(bytes_needed<double2>(N), nullptr);
    DeviceVector<float> ones(std::vector<float>(N, 1)), out(N);
    const float* const in = ones.data();
    const auto last = [&] { return out.read()[N - 1]; };
    ASSERT_EQ(exclusive_scan_columns(workspace, in, out.data(), ROWS, COLUMNS, CountingSum{}, 0, nullptr),
              cudaSuccess);
    EXPECT_EQ(last(), ROWS - 1);
    ASSERT_EQ(inclusive_scan_columns(workspace, in, out.data(), ROWS, COLUMNS, Sum<float>{}, 0.5, nullptr),
              cudaSuccess);
    EXPECT_EQ(last(), ROWS + 0.5f);
    DeviceVector<__half> halves(std::vector<__half>(N, __half(1.f)));
    const __half* const of_halves = halves.data();
    ASSERT_EQ(inclusive_scan_columns(workspace, of_halves, out.data(), ROWS, COLUMNS, Sum<__half>{}, nullptr),
              cudaSuccess);
    EXPECT_EQ(last(), ROWS);  // in halves 2,048
    DeviceVector<long long> sums(N);
    ASSERT_EQ(inclusive_scan_columns(workspace, EqualSegments{5}, sums.data(), ROWS, COLUMNS,
                                     Sum<long long>{}, nullptr),
              cudaSuccess);  // element i is 5 i
    EXPECT_EQ(sums.read()[N - 1], 5 * (ROWS * (ROWS - 1) + ROWS));
}

/// A number that a call was given, or that was made of such.
struct Given {
    int sum, mark;
};
constexpr int MARK = 0x600d;
struct SumOfGiven {
    int* spoilt;
    __device__ Given operator()(const Given& left, const Given& right) const {
        if (left.mark != MARK || right.mark != MARK) *spoilt = 1;
        return {left.sum + right.sum, MARK};
    }
};

/// Of tiles that have few rows or columns, too.
TEST(ScanColumnsCall, AppliesTheOperatorToElementsOnly) {
    DeviceVector<int> spoilt(std::vector<int>{0});
    for (const Shape& shape :
         {Shape{300, 40}, Shape{17, 40}, Shape{1000, 3}, Shape{3, 1000}, Shape{130, 33}}) {
        const long long rows = shape.first, columns = shape.second;
        DeviceVector<Given> data(std::vector<Given>(rows * columns, Given{1, MARK}));
        const Workspace workspace(scan_columns_bytes<Given>(rows, columns), nullptr);
        machine::unchecked([&] {  // all that is wrong stores the same
            ASSERT_EQ(exclusive_scan_columns(workspace, data.data(), data.data(), rows, columns,
                                             SumOfGiven{spoilt.data()}, Given{5, MARK}, nullptr),
                      cudaSuccess);
        });
        EXPECT_EQ(data.read().back().sum, rows + 4);
        EXPECT_EQ(spoilt.read()[0], 0) << rows << " x " << columns;
    }
}

TEST(ScanColumnsCall, InAGraph) {
    constexpr long long ROWS = 600, COLUMNS = 40, N = ROWS * COLUMNS;
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t replay = nullptr;
    ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
    DeviceVector<int> data(std::vector<int>(N, 1));
    {
        const Workspace workspace(scan_columns_bytes<int>(ROWS, COLUMNS), stream);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        EXPECT_EQ(
            inclusive_scan_columns(workspace, data.data(), data.data(), ROWS, COLUMNS, Max<int>{}, stream),
            cudaSuccess);
        EXPECT_EQ(
            inclusive_scan_columns(workspace, data.data(), data.data(), ROWS, COLUMNS, Sum<int>{}, stream),
            cudaSuccess);
        ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
        for (int time = 0; time < 2; ++time) ASSERT_EQ(cudaGraphLaunch(replay, stream), cudaSuccess);
        ASSERT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
        EXPECT_EQ(data.read()[N - 1], ROWS * (ROWS + 1) / 2);
    }
    (void)cudaGraphExecDestroy(replay);
    (void)cudaGraphDestroy(graph);
    (void)cudaStreamDestroy(stream);
}

/// No bank conflicts, each sector of whole tiles once, and little more than 2 n operations.
TEST(ScanColumnsCall, CountsWhatItSays) {
    if (machine::is_gpu()) GTEST_SKIP() << "counts are of the SIMT machine";
    for (const long long columns : {1LL, 4LL, 16LL, 32LL, 64LL, 256LL}) {
        const long long rows = 3 * 32 * 256 / std::min(columns, 32LL), n = rows * columns;  // 3 tiles
        DeviceVector<float> in(std::vector<float>(n, 1)), out(n);
        const float* const from = in.data();
        const Workspace workspace(scan_columns_bytes<float>(rows, columns), nullptr);
        const auto counted = machine::count([&] {
            ASSERT_EQ(
                inclusive_scan_columns(workspace, from, out.data(), rows, columns, Sum<float>{}, nullptr),
                cudaSuccess);
        });
        EXPECT_EQ(counted.shared_load_wavefronts, counted.shared_load_requests) << columns;
        EXPECT_EQ(counted.shared_store_wavefronts, counted.shared_store_requests) << columns;
        EXPECT_LT(counted.global_load_sectors, 1.02 * n / 8) << columns;
        EXPECT_LT(counted.global_store_sectors, 1.02 * n / 8) << columns;
        if (architecture() > 90) continue;  // nvcc gives applications of the operator other lines
        EXPECT_GT(counted.ops, 2 * n - 2 * columns) << columns;
        EXPECT_LT(counted.ops, 2.3 * n) << columns;
    }
}

// --- What cannot be

/// An output of any length, which is never written.
struct Nowhere {
    long long* to;
    __device__ long long& operator[](long long) const { return *to; }
};

/// One status for all, and nothing is written; then the workspace serves the next call.
TEST(ScanColumnsCall, RefusesWhatCannotBe) {
    constexpr long long ROWS = 300, COLUMNS = 40, N = ROWS * COLUMNS, HUGE_ = 1LL << 40;
    DeviceVector<int> in(std::vector<int>(N + 1, 1)), out(std::vector<int>(N, 77));
    DeviceVector<Prefix<int>> seed(std::vector<Prefix<int>>{{3, true}});
    const int* const from = in.data();
    int* const to = out.data();
    const std::size_t needed = scan_columns_bytes<int>(ROWS, COLUMNS);
    const Workspace workspace(needed, nullptr), small(needed - 8, nullptr), none(0, nullptr);
    const auto status = [&](const Memory& memory, const int* a, int* b, long long rows, long long columns) {
        const Prefix<int>* const at = seed.data();
        return exclusive_scan_columns(memory, a, b, rows, columns, Sum<int>{}, at, nullptr);
    };
    const auto odd = reinterpret_cast<int*>(reinterpret_cast<char*>(to) + 1);
    EXPECT_EQ(status(workspace, from, to, -1, COLUMNS), cudaErrorInvalidValue);
    EXPECT_EQ(status(workspace, from, to, ROWS, -1), cudaErrorInvalidValue);
    EXPECT_EQ(status(workspace, from, to, -ROWS, -COLUMNS), cudaErrorInvalidValue);
    EXPECT_EQ(status(workspace, from, to, 0, -1), cudaErrorInvalidValue);
    EXPECT_EQ(status(workspace, from, to, HUGE_, HUGE_), cudaErrorInvalidValue);  // no 64 bits hold them
    EXPECT_EQ(status(workspace, from, to, HUGE_, 1 << 10), cudaErrorInvalidValue);
    EXPECT_EQ(status(workspace, from, to, 1, HUGE_), cudaErrorInvalidValue);
    EXPECT_EQ(
        inclusive_scan_columns(workspace, EqualSegments{1}, Nowhere{}, 1, HUGE_, Sum<long long>{}, nullptr),
        cudaErrorInvalidValue);  // more blocks than a grid has
    EXPECT_EQ(status(workspace, nullptr, to, ROWS, COLUMNS), cudaErrorInvalidValue);
    EXPECT_EQ(status(workspace, from, nullptr, ROWS, COLUMNS), cudaErrorInvalidValue);
    EXPECT_EQ(status(workspace, from, odd, ROWS, COLUMNS), cudaErrorInvalidValue);
    EXPECT_EQ(status(workspace, from, in.data() + 1, ROWS, COLUMNS), cudaErrorInvalidValue);
    EXPECT_EQ(status(workspace, from, reinterpret_cast<int*>(seed.data()), ROWS, COLUMNS),
              cudaErrorInvalidValue);
    EXPECT_EQ(status(Memory(to, N * sizeof(int)), from, to, ROWS, COLUMNS), cudaErrorInvalidValue);
    EXPECT_EQ(status(small, from, to, ROWS, COLUMNS), cudaErrorInvalidValue);
    EXPECT_EQ(status(none, from, to, ROWS, COLUMNS), cudaErrorInvalidValue);
    EXPECT_EQ(status(none, nullptr, nullptr, 0, COLUMNS), cudaSuccess);
    EXPECT_EQ(status(none, nullptr, nullptr, ROWS, 0), cudaSuccess);
    EXPECT_EQ(out.read(), std::vector<int>(N, 77));
    EXPECT_EQ(status(workspace, from, to, ROWS, COLUMNS), cudaSuccess);
    EXPECT_EQ(out.read()[N - 1], 3 + ROWS - 1);
    EXPECT_EQ(workspace.status(), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

}  // namespace
