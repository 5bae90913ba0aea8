// Stream compaction as textbooks print it: a mask, its scan and a scatter, each a pass through memory.
//
//     in         1 -8  0  3  5  2 -1 -9        select x > 0
//     1  mask    1  0  0  1  1  1  0  0
//     2  places  1  1  1  2  3  4  4  4        inclusive scan: textbook/device/scan_three_phase
//     3  out     1  3  5  2                    out[places[i] - 1] = in[i] where mask[i];
//                                              *num_selected = places[n - 1]
//
// Mask and places are as long as the vector and pass through memory several times. Bytes, for n 4-byte
// elements of which k are selected: 4 n read and 4 n written for the mask, 16 n for its scan, 4 n for reading
// the mask again, and up to 12 k for places, elements and output, in whole sectors. launches: 2, plus those
// of the scan.
// Source: Harris, Sengupta and Owens, GPU Gems 3, chapter 39, 2007, "stream compaction".
#pragma once
#include <cuda_runtime.h>

#include "kernels/device_array.cuh"
#include "kernels/launch.cuh"
#include "kernels/operators.cuh"
#include "kernels/textbook/device/scan_three_phase.cuh"
#include "kernels/tile.cuh"

namespace trial {

/// mask[i]: 1 if in[i] is selected, else 0. Grid: ceil_div(n, blockDim.x) blocks.
template <class T, class Predicate>
__global__ void write_mask(const T* in, int* mask, long long n, Predicate predicate) {
    const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (i < n) mask[i] = predicate(in[i]) ? 1 : 0;
}

/// places: the inclusive scan of the mask. Grid: as for write_mask.
template <class T>
__global__ void scatter_by_mask(const T* in, T* out, const int* mask, const int* places,
                                long long* num_selected, long long n) {
    const long long i = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
    if (i < n && mask[i] == 1) out[places[i] - 1] = in[i];
    if (i == n - 1) *num_selected = places[i];
}

template <class T, class Predicate>
class MaskCompaction {
   public:
    /// Make room for mask and places of up to `capacity` elements. Throws nothing; see status().
    explicit MaskCompaction(long long capacity)
        : scan_(Spine::device, capacity), mask_(capacity), places_(capacity) {}

    /// cudaSuccess, or why there is no room.
    cudaError_t status() const { return first_error({scan_.status(), mask_.status(), places_.status()}); }

    /// Copy the elements of in[0 .. n-1] that `predicate` selects to out[0 .. *num_selected-1], in their
    /// order, 0 <= n <= capacity, n < 2^31, all on the device. out has room for them and must not overlap in.
    void operator()(const T* in, T* out, long long* num_selected, long long n, Predicate predicate,
                    cudaStream_t stream) {
        if (n <= 0) {
            (void)cudaMemsetAsync(num_selected, 0, sizeof(long long), stream);
            return;
        }
        constexpr int THREADS = 256;
        const auto blocks = static_cast<unsigned>(ceil_div(n, THREADS));
        launch(write_mask<T, Predicate>, blocks, THREADS, stream, in, mask_.data(), n, predicate);
        scan_(mask_.data(), places_.data(), n, Sum<int>{}, stream);
        launch(scatter_by_mask<T>, blocks, THREADS, stream, in, out, mask_.data(), places_.data(),
               num_selected, n);
    }

   private:
    ThreePhaseScan<int, Sum<int>> scan_;
    DeviceArray<int> mask_, places_;
};

}  // namespace trial
