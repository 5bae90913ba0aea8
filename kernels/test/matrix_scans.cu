// Scans of the rows and of the columns of a matrix, of any shape, element type, operator and alignment, in
// place or not.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <utility>

#include "kernels/test/device_vector.h"
#include "kernels/test/elements.h"
#include "kernels/test/machine.h"
#include "kernels/textbook/device/scan_columns_by_threads.cuh"
#include "kernels/textbook/device/scan_columns_in_chunks.cuh"
#include "kernels/textbook/device/scan_columns_look_back.cuh"
#include "kernels/textbook/device/scan_lines_by_blocks.cuh"
#include "kernels/textbook/device/scan_rows_by_warps.cuh"
#include "kernels/textbook/device/scan_rows_look_back.cuh"
#include "kernels/textbook/device/transpose.cuh"

using namespace trial;

namespace {

using Shape = std::pair<long long, long long>;  // rows and columns
enum class Along { rows, columns };

/// Of the small tiles below: a warp's rows, 4; a block's, 64 elements of a line; 8 rows of a chunk or a tile;
/// 96 elements with look-back. Long and thin both ways, and many tiles in one line.
const Shape SHAPES[] = {{0, 0},    {0, 5},    {5, 0},    {1, 1},    {1, 31},  {31, 1},  {1, 32},  {32, 1},
                        {1, 33},   {33, 1},   {7, 31},   {8, 32},   {9, 33},  {31, 65}, {32, 63}, {33, 64},
                        {3, 95},   {2, 96},   {4, 97},   {64, 32},  {63, 5},  {65, 31}, {73, 40}, {1, 4001},
                        {4001, 1}, {3, 1000}, {1000, 3}, {257, 33}, {33, 257}};

template <class T, class Op>
std::vector<T> expected_of(Along along, const std::vector<T>& values, long long columns) {
    if (along == Along::rows) return pure_oracle(values, static_cast<std::size_t>(columns), true, Op{});
    std::vector<T> result = values;
    for (auto i = static_cast<std::size_t>(columns); i < values.size(); ++i)
        result[i] = Op{}(result[i - columns], values[i]);
    return result;
}

/// scan(in, out, rows, columns) queues a scan.
template <class T>
using Scan = std::function<void(const T* in, T* out, long long rows, long long columns)>;

template <class T, class Op>
void expect_scan(Along along, Shape shape, const Scan<T>& scan, bool in_place) {
    const auto [rows, columns] = shape;
    const auto n = static_cast<std::size_t>(rows * columns);
    const auto values = exact_elements<T>(n, unsigned(n + rows));
    DeviceVector<T> in(values, n % 3), out(n, n % 5);
    if (n > 0) out.poison();
    DeviceVector<T>& target = in_place ? in : out;
    scan(in.data(), target.data(), rows, columns);
    ASSERT_EQ(cudaGetLastError(), cudaSuccess);
    const auto found = target.read(), expected = expected_of<T, Op>(along, values, columns);
    for (std::size_t i = 0; i < n; ++i)
        ASSERT_TRUE(same(found[i], expected[i])) << rows << " x " << columns << ", element " << i;
    if (!in_place && n > 0) ASSERT_EQ(std::memcmp(in.read().data(), values.data(), n * sizeof(T)), 0);
}

template <class T, class Op>
void expect_scans(Along along, const Scan<T>& scan) {
    for (const Shape& shape : SHAPES)
        expect_scan<T, Op>(along, shape, scan, (shape.first + shape.second) % 2);
}

/// The same by an object with room for each shape.
template <class Object, class T, class Op>
Scan<T> of_object() {
    return [](const T* in, T* out, long long rows, long long columns) {
        Object scan(rows, columns);
        ASSERT_EQ(scan.status(), cudaSuccess);
        scan(in, out, rows, columns, Op{}, nullptr);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    };
}

template <class T, class Op>
Scan<T> by_warps() {
    return [](const T* in, T* out, long long rows, long long columns) {
        EXPECT_EQ((scan_rows_by_warps<4, 64>(in, out, rows, columns, Op{}, nullptr)), cudaSuccess);
    };
}
template <class T, class Op>
Scan<T> by_blocks(Along along) {
    return [along](const T* in, T* out, long long rows, long long columns) {
        const Lines lines = along == Along::rows ? Lines::rows(rows, columns) : Lines::columns(rows, columns);
        EXPECT_EQ((scan_lines_by_blocks<2, 32>(in, out, lines, Op{}, nullptr)), cudaSuccess);
    };
}
template <class T, class Op>
Scan<T> by_threads() {
    return [](const T* in, T* out, long long rows, long long columns) {
        EXPECT_EQ((scan_columns_by_threads<3, 32>(in, out, rows, columns, Op{}, nullptr)), cudaSuccess);
    };
}
template <class T, class Op>
Scan<T> transposed() {
    return [](const T* in, T* out, long long rows, long long columns) {
        const DeviceArray<T> room(rows * columns);
        ASSERT_EQ(room.status(), cudaSuccess);
        const auto scan_rows = [](T* m, long long r, long long c) {
            EXPECT_EQ(scan_rows_by_warps(m, m, r, c, Op{}, nullptr), cudaSuccess);
        };
        scan_columns_transposed(in, out, room.data(), rows, columns, scan_rows, nullptr);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    };
}

template <class E>
class MatrixScan : public testing::Test {};
TYPED_TEST_SUITE(MatrixScan, EveryElement);

TYPED_TEST(MatrixScan, RowsByWarps) {
    using T = typename TypeParam::Type;
    using Op = typename TypeParam::Operator;
    expect_scans<T, Op>(Along::rows, by_warps<T, Op>());
}
TYPED_TEST(MatrixScan, LinesByBlocks) {
    using T = typename TypeParam::Type;
    using Op = typename TypeParam::Operator;
    expect_scans<T, Op>(Along::rows, by_blocks<T, Op>(Along::rows));
    expect_scans<T, Op>(Along::columns, by_blocks<T, Op>(Along::columns));
}
TYPED_TEST(MatrixScan, RowsLookBack) {
    using T = typename TypeParam::Type;
    using Op = typename TypeParam::Operator;
    expect_scans<T, Op>(Along::rows, of_object<RowsLookBack<T, Op, 3, 32>, T, Op>());
}
TYPED_TEST(MatrixScan, ColumnsByThreads) {
    using T = typename TypeParam::Type;
    using Op = typename TypeParam::Operator;
    expect_scans<T, Op>(Along::columns, by_threads<T, Op>());
}
TYPED_TEST(MatrixScan, ColumnsInChunks) {
    using T = typename TypeParam::Type;
    using Op = typename TypeParam::Operator;
    expect_scans<T, Op>(Along::columns, of_object<ColumnsInChunks<T, Op, 8, 4, 32>, T, Op>());
}
TYPED_TEST(MatrixScan, ColumnsLookBack) {
    using T = typename TypeParam::Type;
    using Op = typename TypeParam::Operator;
    expect_scans<T, Op>(Along::columns, of_object<ColumnsLookBack<T, Op, 4, 2>, T, Op>());
}
TYPED_TEST(MatrixScan, ColumnsTransposed) {
    using T = typename TypeParam::Type;
    using Op = typename TypeParam::Operator;
    expect_scans<T, Op>(Along::columns, transposed<T, Op>());
}

TEST(MatrixScans, DefaultTiles) {
    using Op = ComposeAffine<unsigned>;
    using T = Affine<unsigned>;
    for (const Shape& shape : {Shape{3, 9001}, Shape{9001, 3}, Shape{300, 70}}) {
        expect_scan<T, Op>(Along::rows, shape, of_object<RowsLookBack<T, Op>, T, Op>(), false);
        expect_scan<T, Op>(Along::columns, shape, of_object<ColumnsInChunks<T, Op>, T, Op>(), false);
        expect_scan<T, Op>(Along::columns, shape, of_object<ColumnsLookBack<T, Op>, T, Op>(), true);
        expect_scan<T, Op>(
            Along::rows, shape,
            [](const T* in, T* out, long long rows, long long columns) {
                scan_lines_by_blocks(in, out, Lines::rows(rows, columns), Op{}, nullptr);
            },
            true);
        expect_scan<T, Op>(
            Along::columns, shape,
            [](const T* in, T* out, long long rows, long long columns) {
                scan_columns_by_threads(in, out, rows, columns, Op{}, nullptr);
            },
            true);
    }
}

/// Chains of blocks that wait for one another; the longer ones are more tiles than a window looks back at.
template <class T, class Op>
void expect_any_order(int orders) {
    machine::in_orders(orders, [] {
        expect_scan<T, Op>(Along::rows, {3, 96 * 10 + 5}, of_object<RowsLookBack<T, Op, 3, 32>, T, Op>(),
                           false);
        expect_scan<T, Op>(Along::columns, {8 * 12 + 5, 33}, of_object<ColumnsLookBack<T, Op, 4, 2>, T, Op>(),
                           false);
    });
}

TEST(MatrixLookBack, InAnyOrder) {
    expect_any_order<Pure, PureSum>(100);
    expect_any_order<float, Max<float>>(30);
    expect_any_order<Affine<unsigned long long>, ComposeAffine<unsigned long long>>(30);  // several words
}

TEST(MatrixScans, WorkedExample) {
    const std::vector<int> values = {3, 1, 7, 0, 4, 1};  // 2 x 3
    DeviceVector<int> in(values), out(6);
    scan_rows_by_warps(in.data(), out.data(), 2, 3, Sum<int>{}, nullptr);
    EXPECT_EQ(out.read(), (std::vector<int>{3, 4, 11, 0, 4, 5}));
    scan_columns_by_threads(in.data(), out.data(), 2, 3, Sum<int>{}, nullptr);
    EXPECT_EQ(out.read(), (std::vector<int>{3, 1, 7, 3, 5, 8}));
    transpose(static_cast<const int*>(in.data()), out.data(), 2, 3, nullptr);
    EXPECT_EQ(out.read(), (std::vector<int>{3, 0, 1, 4, 7, 1}));
}

TEST(Transpose, HasNoBankConflicts) {
    if (machine::is_gpu()) GTEST_SKIP() << "counts are of the SIMT machine";
    DeviceVector<float> in(exact_elements<float>(64 * 96, 1)), out(64 * 96);
    const auto counted =
        machine::count([&] { transpose(static_cast<const float*>(in.data()), out.data(), 64, 96, nullptr); });
    EXPECT_EQ(counted.shared_load_wavefronts, counted.shared_load_requests);
    EXPECT_EQ(counted.shared_store_wavefronts, counted.shared_store_requests);
}

}  // namespace
