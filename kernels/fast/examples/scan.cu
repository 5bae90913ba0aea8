// Running sums of a vector, and the same of a sequence that is never stored.
#include <cstdio>
#include <vector>

#include "kernels/fast/scan.cuh"
#include "kernels/operators.cuh"

/// 1, 3, 5, ..: a struct with operator[] is an iterator.
struct OddNumbers {
    __host__ __device__ long long operator[](long long i) const { return 2 * i + 1; }
};

int main() {
    constexpr long long N = 100'000;
    long long* numbers = nullptr;
    const trial::Workspace workspace(trial::scan_bytes<long long>(N), nullptr);
    cudaError_t status = workspace.status();
    if (status == cudaSuccess) status = cudaMalloc(&numbers, N * sizeof(*numbers));
    if (status == cudaSuccess)  // squares: 1, 4, 9, ..
        status = trial::inclusive_scan(workspace, OddNumbers{}, numbers, N, trial::Sum<long long>{}, nullptr);
    if (status == cudaSuccess)  // in place: 0, 1, 5, 14, ..
        status = trial::exclusive_scan(workspace, numbers, numbers, N, trial::Sum<long long>{}, nullptr);
    std::vector<long long> found(N);
    if (status == cudaSuccess)
        status = cudaMemcpy(found.data(), numbers, N * sizeof(*numbers), cudaMemcpyDeviceToHost);
    (void)cudaFree(numbers);
    std::printf("%s: the sum of the first %lld squares is %lld\n", cudaGetErrorString(status), N - 1,
                found.back());
    return status == cudaSuccess && found.back() == (N - 1) * N * (2 * N - 1) / 6 ? 0 : 1;
}
