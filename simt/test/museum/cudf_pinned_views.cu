// cuDF, create_device_view_from_view (github.com/NVIDIA/cudf/issues/22284): views are staged in pinned
// memory, copied asynchronously, and the function returns. The memory is given away and written again
// before the copy has read it.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int N = 64;

template <bool CURED>
std::string run() {
    int* staging = nullptr;
    cudaStream_t stream;
    check(cudaMallocHost(&staging, N * sizeof(int)));
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    Device<int> first(zeros(N)), second(zeros(N));
    for (int i = 0; i < N; ++i) staging[i] = 1;
    check(cudaMemcpyAsync(first.data(), staging, N * sizeof(int), cudaMemcpyHostToDevice, stream));  // fault
    if (CURED) check(cudaStreamSynchronize(stream));
    for (int i = 0; i < N; ++i) staging[i] = 2;  // fault
    check(cudaMemcpyAsync(second.data(), staging, N * sizeof(int), cudaMemcpyHostToDevice, stream));
    check(cudaDeviceSynchronize());
    check(cudaStreamDestroy(stream));
    check(cudaFreeHost(staging));
    return difference(first.read(), ones(N));
}

const Bench exhibit("host",
                    {{"cudf_pinned_views", Expected::race, "written before the copy has read it", run<false>},
                     {"cudf_pinned_views_cured", Expected::clean, "the host waits", run<true>}});

}  // namespace
