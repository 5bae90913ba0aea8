// The scans of a matrix on trial, called alike: an object with room for rows x columns floats.
#pragma once
#include "experiments/closed_forms/matrix_scans.h"
#include "kernels/device_array.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/device/scan_columns_by_threads.cuh"
#include "kernels/textbook/device/scan_columns_in_chunks.cuh"
#include "kernels/textbook/device/scan_columns_look_back.cuh"
#include "kernels/textbook/device/scan_lines_by_blocks.cuh"
#include "kernels/textbook/device/scan_rows_by_warps.cuh"
#include "kernels/textbook/device/scan_rows_look_back.cuh"
#include "kernels/textbook/device/transpose.cuh"

namespace harness::matrix {

using namespace trial;
using Op = Sum<float>;
using closed_form::DeviceScanCost;
inline constexpr int ROWS_A_CHUNK = 64, ROWS_A_WARP = 16, WARPS = 16;

/// Of scans that need no room.
struct NoRoom {
    NoRoom(long long, long long) {}
    cudaError_t status() const { return cudaSuccess; }
};

struct ByWarps : NoRoom {
    using NoRoom::NoRoom;
    void operator()(const float* in, float* out, long long rows, long long columns, Op op,
                    cudaStream_t stream) const {
        scan_rows_by_warps(in, out, rows, columns, op, stream);
    }
    static DeviceScanCost cost(long long rows, long long columns) {
        return closed_form::scan_rows_by_warps(rows, columns);
    }
};

struct RowsByBlocks : NoRoom {
    using NoRoom::NoRoom;
    void operator()(const float* in, float* out, long long rows, long long columns, Op op,
                    cudaStream_t stream) const {
        scan_lines_by_blocks(in, out, Lines::rows(rows, columns), op, stream);
    }
    static DeviceScanCost cost(long long rows, long long columns) {
        return closed_form::scan_lines_by_blocks(rows, columns, true);
    }
};

struct RowsInOnePass : RowsLookBack<float, Op> {
    using RowsLookBack::RowsLookBack;
    static DeviceScanCost cost(long long rows, long long columns) {
        return closed_form::scan_rows_look_back(rows, columns, look_back_items<float>(), 256);
    }
};

struct ByThreads : NoRoom {
    using NoRoom::NoRoom;
    void operator()(const float* in, float* out, long long rows, long long columns, Op op,
                    cudaStream_t stream) const {
        scan_columns_by_threads(in, out, rows, columns, op, stream);
    }
    static DeviceScanCost cost(long long rows, long long columns) {
        return closed_form::scan_columns_by_threads(rows, columns);
    }
};

struct ColumnsByBlocks : NoRoom {
    using NoRoom::NoRoom;
    void operator()(const float* in, float* out, long long rows, long long columns, Op op,
                    cudaStream_t stream) const {
        scan_lines_by_blocks(in, out, Lines::columns(rows, columns), op, stream);
    }
    static DeviceScanCost cost(long long rows, long long columns) {
        return closed_form::scan_lines_by_blocks(columns, rows, false);
    }
};

struct InChunks : ColumnsInChunks<float, Op, ROWS_A_CHUNK> {
    using ColumnsInChunks::ColumnsInChunks;
    static DeviceScanCost cost(long long rows, long long columns) {
        return closed_form::scan_columns_in_chunks(rows, columns, ROWS_A_CHUNK);
    }
};

struct ColumnsInOnePass : ColumnsLookBack<float, Op, ROWS_A_WARP, WARPS> {
    using ColumnsLookBack::ColumnsLookBack;
    static DeviceScanCost cost(long long rows, long long columns) {
        return closed_form::scan_columns_look_back(rows, columns, ROWS_A_WARP, WARPS);
    }
};

/// Between the transposes a scan along rows of `rows` elements.
template <class Rows>
class Transposed {
   public:
    Transposed(long long rows, long long columns) : scan_rows_(columns, rows), room_(rows * columns) {}
    cudaError_t status() const { return trial::first_error({scan_rows_.status(), room_.status()}); }

    void operator()(const float* in, float* out, long long rows, long long columns, Op op,
                    cudaStream_t stream) {
        const auto scan_rows = [&](float* m, long long r, long long c) {
            scan_rows_(m, m, r, c, op, stream);
        };
        scan_columns_transposed(in, out, room_.data(), rows, columns, scan_rows, stream);
    }
    static DeviceScanCost cost(long long rows, long long columns) {
        return closed_form::scan_columns_transposed(rows, columns, Rows::cost(columns, rows));
    }

   private:
    Rows scan_rows_;
    DeviceArray<float> room_;
};

}  // namespace harness::matrix
