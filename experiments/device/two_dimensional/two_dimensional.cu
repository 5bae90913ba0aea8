#include <memory>
#include <set>

#include "experiments/device/two_dimensional/columns_oracle.h"
#include "experiments/device/two_dimensional/scans.h"
#include "experiments/harness/cub.h"
#include "experiments/harness/device_scans.h"

namespace {

const harness::Claim CLAIM = {
    .order = 67,
    .title = "A scan along the other axis is as fast",
    .claim =
        R"(A scan of a matrix along its columns takes as long as one along its rows: it has as many
           elements.)",
    .source =
        R"(Beyond the lecture notes: what users expect of cumsum, and one did not find: idning, torch.cumsum()
           super slow on 2d input, issue 122170 of pytorch/pytorch, 2024. A scan along the columns of 2²⁰ rows
           takes 0.047 ms there with one column, and 83.6 ms with two.)",
    .prediction =
        R"(n floats in rows of c: every scan reads and writes n/8 sectors at least, and along either axis a
           warp that reads neighbours of a row reads no more. Lanes down a column read a sector each, 8 times
           as many. PyTorch's scan has a thread walk down each column: c threads at work, however many rows
           there are. Memory of 3.3 TB/s and 0.6 µs has 2 MB in flight, 2¹⁶ threads with 8 loads each: with
           fewer columns it is slower, in proportion. Cutting the rows too, chunks move 12 n bytes, 1.5 times
           those of a scan along rows, transposing twice 24 n, and look-back 8 n. If bytes decide, the claim
           holds at every shape, but by another algorithm than the walk below 2¹⁶ columns.)",
    .method =
        R"(Inclusive sums of a row-major matrix of 2²⁶ floats, along its rows and along its columns, crossed
           with its shape, from 2²¹ rows of 32 to 32 rows of 2²¹: every shape and its transpose, so that as
           many and as long scans are timed along both axes. Algorithms along rows: a warp a row, a block a
           row, look-back. Along columns: a thread a column, a block a column, chunks of rows, look-back,
           and a scan of the rows between two transposes; each where it can fill a warp or a tile. CUB has no
           scan of elements that lie apart; its scan of as many elements in one dimension and a copy run
           beside them. So does the shape of the source.)",
    .fails_if =
        R"(Count: launches, operations, or bytes that a scan reads or writes differ from their closed forms;
           or a thread a column moves other than as many bytes as a warp a row. Speed: with a shape, the
           fastest scan along the columns takes more than 10% longer than the fastest along the rows.)",
    .headline = true,
};

using namespace harness::matrix;

/// A matrix of rows x columns floats, whose scans are the cases.
struct Matrix {
    harness::Suite& suite;
    long long rows, columns;

    template <class Scan>
    harness::Case& add(const std::string& algorithm, const std::string& along) const {
        const auto prepare = [r = rows, c = columns](harness::Vectors<float> v) -> harness::Work {
            const auto scan = std::make_shared<Scan>(r, c);
            harness::check(scan->status(), "room for a scan");
            return [=] { (*scan)(v.in, v.out, r, c, Op{}, v.stream); };
        };
        auto& c = suite.scan<float>({"scan", algorithm, {{"along", along}, {"columns", columns}}},
                                    rows * columns, {columns}, prepare);
        if (along == "columns") c.find_error = harness::find_error_in_columns<float, Op>;
        return c;
    }

    template <class Scan>
    harness::Case& predicted(const std::string& algorithm, const std::string& along) const {
        const auto cost = Scan::cost(rows, columns);
        return predict_device_scan(add<Scan>(algorithm, along).on_single_core(), cost, cost.ops);
    }

    void add_along_rows() const {
        if (columns <= LONG) predicted<ByWarps>("warps", "rows");
        if (columns >= SHORT) predicted<RowsByBlocks>("blocks", "rows");
        if (columns >= LONG) predicted<RowsInOnePass>("look_back", "rows");
    }

    void add_along_columns() const {
        auto& threads = predicted<ByThreads>("threads", "columns");
        if (columns == 32) threads.repeat(5);  // it takes a tenth of a second
        if (rows >= SHORT) predicted<ColumnsByBlocks>("blocks", "columns");
        if (rows >= SHORT) predicted<InChunks>("chunks", "columns");
        if (rows >= SHORT) predicted<ColumnsInOnePass>("look_back", "columns");
        if (rows < TILE) predicted<Transposed<ByWarps>>("transposed", "columns");
        if (TILE <= rows && rows < LONG) predicted<Transposed<RowsByBlocks>>("transposed", "columns");
        if (rows >= LONG) predicted<Transposed<RowsInOnePass>>("transposed", "columns");
    }

    /// Elements that fill a warp of a block, or a tile of rows; a tile of a block; tiles with look-back.
    static constexpr long long SHORT = 256, TILE = 2048, LONG = 1 << 13;
};

/// The source's shape, two columns, and one column: a vector.
void add_reported(harness::Suite& suite) {
    const Matrix reported = {suite, 1 << 20, 2}, vector = {suite, 1, 1 << 20};
    reported.add<ByThreads>("threads", "columns").repeat(5);
    reported.add<InChunks>("chunks", "columns");
    reported.add<ColumnsInOnePass>("look_back", "columns");
    vector.add<RowsInOnePass>("look_back", "rows");
}

void add_cases(harness::Suite& suite) {
    const int log_n = suite.timed() ? (suite.quick() ? 20 : 26) : suite.quick() ? 16 : 18;
    const long long n = 1LL << log_n;
    for (const int log_columns : std::set{5, 8, 11, log_n - 11, log_n - 8, log_n - 5}) {
        const Matrix matrix = {suite, n >> log_columns, 1LL << log_columns};
        matrix.add_along_rows();
        matrix.add_along_columns();
    }
    if (!suite.timed()) return;
    add_reported(suite);
    suite.scan<float>({"scan", "cub_device"}, n, {n}, harness::cub_device_scan<float>);
    suite.copy<float>({"copy", "device_to_device"}, n);
}

}  // namespace

int main(int argc, char** argv) { return harness::run(argc, argv, CLAIM, add_cases); }
