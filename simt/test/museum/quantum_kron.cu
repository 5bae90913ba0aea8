// CUDA-Q, kron (github.com/NVIDIA/cuda-quantum/pull/2475): a kernel adds products to a vector that nobody
// has cleared.
#include "simt/test/museum/exhibit.h"

namespace {
using namespace hazards;

constexpr int N = 8;

__global__ void kron(const int* a, const int* b, int* out) {
    out[threadIdx.x] += a[threadIdx.x / N] * b[threadIdx.x % N];  // fault
}

template <bool CURED>
std::string run() {
    Device<int> a(ones(N)), b(ones(N)), out(N * N);
    if (CURED) check(cudaMemset(out.data(), 0, N * N * sizeof(int)));
    hazards::run(kron, 1, N * N, static_cast<const int*>(a.data()), static_cast<const int*>(b.data()),
                 out.data());
    return difference(out.read(), ones(N * N));
}

const Bench exhibit("initialisation",
                    {{"quantum_kron", Expected::uninitialised_read, "sums start from anything", run<false>},
                     {"quantum_kron_cured", Expected::clean, "they start from 0", run<true>}});

}  // namespace
