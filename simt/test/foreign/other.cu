// Every public header beside all of CUB and Thrust, and names of one's own that the headers use as well.
#include <thrust/device_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/scan.h>
#include <cub/cub.cuh>

#include "kernels/fast/all.cuh"

struct Sum {};
struct Workspace {};
struct Ring {};
int combine(int a, int b) { return a + b; }

namespace {

struct Square {
    __host__ __device__ long long operator()(long long i) const { return i * i; }
};
struct Tenth {
    __host__ __device__ long long operator()(long long i) const { return i / 10; }
};
struct Plus {  // no neutral element
    __host__ __device__ long long operator()(long long a, long long b) const { return a + b; }
};

}  // namespace

/// The number of results that are wrong, by iterators of Thrust; -1: a call failed.
long long wrong_by_iterators(cudaStream_t stream) {
    constexpr long long N = 5000;
    const trial::Workspace memory(trial::bytes_needed<long long>(N), stream);
    long long *out = nullptr, *number = nullptr;
    int* places = nullptr;
    if (cudaMalloc(&out, N * sizeof(*out)) != cudaSuccess) return -1;
    if (cudaMalloc(&number, sizeof(*number)) != cudaSuccess) return -1;
    if (cudaMalloc(&places, N * sizeof(*places)) != cudaSuccess) return -1;
    const thrust::counting_iterator<long long> indices(0);
    const auto squares = thrust::make_transform_iterator(indices, Square{});
    const auto tens = thrust::make_transform_iterator(indices, Tenth{});
    long long host[N], wrong = 0, count = 0;
    const auto read = [&] {
        return cudaMemcpyAsync(host, out, sizeof(host), cudaMemcpyDeviceToHost, stream) == cudaSuccess &&
               cudaMemcpyAsync(&count, number, sizeof(count), cudaMemcpyDeviceToHost, stream) ==
                   cudaSuccess &&
               cudaStreamSynchronize(stream) == cudaSuccess;
    };

    if (trial::inclusive_scan(memory, squares, out, N, Plus{}, stream) != cudaSuccess || !read()) return -1;
    for (long long i = 0, sum = 0; i < N; ++i) wrong += host[i] != (sum += i * i);
    if (trial::exclusive_scan_by_key(memory, tens, thrust::constant_iterator<long long>(2), out, N, Plus{},
                                     7LL, stream) != cudaSuccess ||
        !read())
        return -1;
    for (long long i = 0; i < N; ++i) wrong += host[i] != 7 + i % 10 * 2;
    if (trial::reduce_by_key(memory, tens, squares, thrust::make_discard_iterator(), out, number, N, Plus{},
                             stream) != cudaSuccess ||
        !read())
        return -1;
    wrong += count != N / 10;
    for (long long r = 0; r < N / 10; ++r) {
        long long sum = 0;
        for (long long i = 10 * r; i < 10 * r + 10; ++i) sum += i * i;
        wrong += host[r] != sum;
    }
    if (trial::inclusive_scan(memory, thrust::constant_iterator<int>(1), places, N, trial::Max<int>{},
                              stream) != cudaSuccess)
        return -1;
    const auto second = thrust::make_permutation_iterator(squares, places);  // always the element at 1
    if (trial::reduce(memory, second, out, N, trial::Sum<long long>{}, stream) != cudaSuccess || !read())
        return -1;
    wrong += host[0] != N;
    (void)cudaFree(places);
    (void)cudaFree(number);
    (void)cudaFree(out);
    return wrong;
}
