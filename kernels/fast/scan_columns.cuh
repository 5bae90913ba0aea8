// Scan along the columns of a row-major matrix: out[r][c] is in[0][c] op .. op in[r][c].
//
//     trial::Workspace workspace(trial::scan_columns_bytes<float>(rows, columns), stream);
//     cudaError_t status = trial::inclusive_scan_columns(workspace, in, out, rows, columns,
//                                                        trial::Sum<float>{}, stream);
//
//     in           1  2  3     inclusive_scan_columns    1  2  3     exclusive_scan_columns    0  0  0
//                  4  5  6                               5  7  9                               1  2  3
//                  7  8  9                              12 15 18                               5  7  9
//
// Each row follows the one before: in[r][c] is in[r * columns + c]. Rows are scanned by fast/segmented, as
// EqualSegments{columns}; a matrix of one column is a vector, which fast/scan scans faster.
//
// Elements, operators and seeds: as fast/scan. `out` may be `in`, but must not overlap it otherwise. Each
// call is one pass, fast/detail/scan_strips: launches 1, on plain bytes a memset precedes it. Bytes: n
// elements read, n results written, and for each column of each tile but the last a published value. Float
// results are bitwise reproducible for the same shape.
#pragma once
#include <cuda_runtime.h>

#include <limits>

#include "kernels/fast/detail/arguments.cuh"
#include "kernels/fast/detail/operation.cuh"
#include "kernels/fast/detail/ranges.cuh"
#include "kernels/fast/detail/scan_strips.cuh"
#include "kernels/fast/scan.cuh"

namespace trial {

/// Bytes that a scan along the columns of rows x columns elements that are combined to T needs, rows >= 0,
/// columns >= 0, on any device.
template <class T>
std::size_t scan_columns_bytes(long long rows, long long columns) {
    return rows == 0 || columns == 0 ? 0 : strips_bytes<StripsPass, T>(rows, columns);
}

namespace scan_columns_detail {

/// The function objects inclusive_scan_columns and exclusive_scan_columns.
template <Form FORM, class Policy = void>
struct Scan {
    template <class In, class Out, class Op>
    cudaError_t operator()(const Memory& memory, In in, Out out, long long rows, long long columns, Op op,
                           cudaStream_t stream) const {
        using V = accumulator_of<In, Op>;
        static_assert(FORM == Form::inclusive || HAS_IDENTITY<Op, V>,
                      "an exclusive scan needs a seed, or an operator with a static identity()");
        return any<V>(memory, in, out, rows, columns, operator_of<In, Op>(op), {{}, false}, nullptr, stream);
    }
    template <class In, class Out, class Op>
    cudaError_t operator()(const Memory& memory, In in, Out out, long long rows, long long columns, Op op,
                           typename Seed<accumulator_of<In, Op>>::Itself seed, cudaStream_t stream) const {
        using V = accumulator_of<In, Op>;
        return any<V>(memory, in, out, rows, columns, operator_of<In, Op>(op), seed.value, seed.at, stream);
    }

   private:
    template <class V, class In, class Out, class Op>
    static cudaError_t any(const Memory& memory, const In& in, const Out& out, long long rows,
                           long long columns, Op op, Prefix<V> seed, const Prefix<V>* seed_at,
                           cudaStream_t stream) {
        static_assert(std::is_trivially_copyable_v<V> && sizeof(V) <= 16, "values are copied as <= 16 bytes");
        constexpr long long MOST = std::numeric_limits<long long>::max() / 16;  // whose bytes can be counted
        if (rows < 0 || columns < 0) return cudaErrorInvalidValue;
        if (rows == 0 || columns == 0) return cudaSuccess;
        if (rows > MOST / columns || !may_hold(in) || !may_hold(out)) return cudaErrorInvalidValue;
        const long long n = rows * columns;
        if (!are_apart(ranges::SCAN, memory, {{in, n}, {seed_at, 1}, {out, n}})) return cudaErrorInvalidValue;
        using Task = StripsTask<policy_or<Policy, StripsPass>, FORM, In, Out, V, Op>;
        return run_strips(memory, Task{in, out, rows, columns, op, seed, seed_at}, stream);
    }
};

}  // namespace scan_columns_detail

/// On the device, for 0 <= r < rows, 0 <= c < columns, where in[r][c] is in[r * columns + c]:
///     inclusive_scan_columns(memory, in, out, rows, columns, op, stream)
///         out[r][c] = in[0][c] op .. op in[r][c]
///     inclusive_scan_columns(memory, in, out, rows, columns, op, seed, stream)
///         out[r][c] = seed op in[0][c] op .. op in[r][c]
/// in, out: any random-access iterators on the device, of rows * columns elements. The seed is that of every
/// column: a value, or a Prefix in device memory. Of no rows or no columns nothing is queued.
/// cudaErrorInvalidValue: rows or columns are negative, a pointer is null or not aligned, ranges overlap that
/// must not, the memory is too small, or there are more than 2^23 tiles, which hold 2^33 elements of 16 bytes
/// at least, and 2^35 of 4: then nothing is queued.
inline constexpr scan_columns_detail::Scan<Form::inclusive> inclusive_scan_columns;

/// The same up to in[r - 1][c]: out[0][c] is the seed, or the neutral element.
inline constexpr scan_columns_detail::Scan<Form::exclusive> exclusive_scan_columns;

}  // namespace trial
