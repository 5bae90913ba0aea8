// The calls on vectors in one translation unit, the same templates in another.
#include <cstdio>
#include <vector>

#include "kernels/fast/all.cuh"
#include "kernels/predicates.cuh"

long long wrong_by_iterators(cudaStream_t stream);

int main() {
    constexpr long long N = 100'000;
    std::vector<long long> ones(N, 1), found(N);
    long long *in = nullptr, *out = nullptr, *number = nullptr, selected = 0;
    void* bytes = nullptr;
    const std::size_t needed = trial::bytes_needed<long long>(N);
    if (cudaMalloc(&in, N * sizeof(*in)) != cudaSuccess ||
        cudaMalloc(&out, N * sizeof(*out)) != cudaSuccess ||
        cudaMalloc(&number, sizeof(*number)) != cudaSuccess || cudaMalloc(&bytes, needed) != cudaSuccess)
        return 1;
    if (cudaMemcpy(in, ones.data(), N * sizeof(*in), cudaMemcpyHostToDevice) != cudaSuccess) return 1;
    const trial::Memory memory(bytes, needed);
    cudaError_t status = trial::inclusive_scan(memory, in, out, N, trial::Sum<long long>{}, nullptr);
    if (status == cudaSuccess)
        status = cudaMemcpy(found.data(), out, N * sizeof(*out), cudaMemcpyDeviceToHost);
    if (status == cudaSuccess)
        status = trial::select_if(memory, in, out, number, N, trial::Below<long long>{2}, nullptr);
    if (status == cudaSuccess)
        status = cudaMemcpy(&selected, number, sizeof(selected), cudaMemcpyDeviceToHost);
    long long wrong = selected != N;
    for (long long i = 0; i < N; ++i) wrong += found[i] != i + 1;
    const long long by_iterators = status == cudaSuccess ? wrong_by_iterators(nullptr) : 0;
    std::printf("%s, wrong: %lld, by iterators: %lld\n", cudaGetErrorString(status), wrong, by_iterators);
    return status == cudaSuccess && wrong == 0 && by_iterators == 0 ? 0 : 1;
}
