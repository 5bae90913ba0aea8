// An instance of every fast kernel, and of those of the textbook that depend on the architecture, to be
// compiled for every architecture that the project supports (CMakeLists.txt names them). Not run.
#include "kernels/fast/reduce.cuh"
#include "kernels/fast/scan.cuh"
#include "kernels/fast/scan_columns.cuh"
#include "kernels/fast/select.cuh"
#include "kernels/multi_gpu/device_scan.cuh"
#include "kernels/multi_gpu/flag_exchange.cuh"
#include "kernels/operators.cuh"
#include "kernels/predicates.cuh"
#include "kernels/textbook/device/radix_sort.cuh"
#include "kernels/textbook/device/reduce_atomic.cuh"
#include "kernels/textbook/device/scan_reduce_then_scan.cuh"
#include "kernels/textbook/device/scan_segments.cuh"

using namespace trial;

template <class T>
void instantiate(const T* in, T* out, long long* selected, long long n) {
    const Workspace workspace(scan_bytes<T>(n), nullptr);
    (void)inclusive_scan(workspace, in, out, n, Sum<T>{}, nullptr);
    (void)exclusive_scan(workspace, in, out, n, Sum<T>{}, nullptr);
    (void)inclusive_scan_columns(workspace, in, out, n, 40, Sum<T>{}, nullptr);
    (void)reduce(workspace, in, out, n, Sum<T>{}, nullptr);
    (void)select_if(workspace, in, out, selected, n, Below<T>{}, nullptr);

    FastPartScan<T, Sum<T>> part(n);
    FlagExchange<T> exchange({0});
    (void)scan_parts(std::vector<Part<FastPartScan<T, Sum<T>>, T>>{{0, nullptr, &part, in, out, n}}, Sum<T>{},
                     exchange);

    (void)ReduceThenScan<T, Sum<T>>(n)(in, out, n, Sum<T>{}, nullptr);
}

template void instantiate<int>(const int*, int*, long long*, long long);
template void instantiate<double>(const double*, double*, long long*, long long);

template __global__ void trial::scan_segments<ByProducts<Halves>, 256>(const __half*, float*, long long);
template __global__ void trial::scan_segments<ByProducts<Tf32<2>>, 256>(const float*, float*, long long);
template __global__ void trial::scan_segments<ByProducts<Bfloats>, 256>(const float*, float*, long long);
