// Calls of kernels/fast at lengths of each path, in memory that nothing has written: what a call reads before
// it is set, in its own memory or in a thread's variables, is a finding. Results are tested in kernels/test.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "kernels/fast/all.cuh"

namespace {

void check(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorString(status));
    std::exit(1);
}

template <class T>
T* array(const std::vector<T>& elements) {
    T* data;
    check(cudaMalloc(&data, elements.size() * sizeof(T)), "memory");
    check(cudaMemcpy(data, elements.data(), elements.size() * sizeof(T), cudaMemcpyHostToDevice), "copy");
    return data;
}
template <class T>
T* array(long long n) {
    T* data;
    check(cudaMalloc(&data, n * sizeof(T)), "memory");
    return data;
}

/// Not IS_TOTAL: it is given elements alone.
struct Add {
    __device__ int operator()(int a, int b) const { return a + b; }
};
struct IsEven {
    __device__ bool operator()(int x) const { return x % 2 == 0; }
};

void all_calls(long long n) {
    std::vector<int> elements(n), keys(n), offsets;
    std::vector<char> flags(n);
    for (long long i = 0; i < n; ++i) {
        elements[i] = static_cast<int>(i % 7), keys[i] = static_cast<int>(i / 5), flags[i] = i % 3 == 0;
        if (i % 11 == 0) offsets.push_back(static_cast<int>(i));
    }
    const long long segments = static_cast<long long>(offsets.size());
    offsets.push_back(static_cast<int>(n));
    const int *const in = array(elements), *const key = array(keys), *const offset = array(offsets);
    const char* const flag = array(flags);
    int *const out = array<int>(n), *const key_out = array<int>(n), *const lengths = array<int>(n);
    long long* const count = array<long long>(1);
    auto* const index = array<trial::Indexed<int>>(1);
    auto* const extremes = array<trial::Extremes<int>>(1);
    const trial::Workspace memory(trial::bytes_needed<int>(n), nullptr);
    check(memory.status(), "workspace");
    const trial::Sum<int> sum;
    const Add add;
    const IsEven even;
    const cudaStream_t stream = nullptr;

    check(trial::inclusive_scan(memory, in, out, n, sum, stream), "scan");
    check(trial::exclusive_scan(memory, in, out, n, add, 1, stream), "scan, add");
    check(trial::inclusive_scan_columns(memory, in, out, n / 3, 3, add, stream), "columns");
    check(trial::inclusive_scan_by_key(memory, key, in, out, n, add, stream), "scan by key");
    check(trial::reduce_by_key(memory, key, in, key_out, out, count, n, add, stream), "reduce by key");
    check(trial::run_length_encode(memory, key, key_out, lengths, count, n, stream), "runs");
    check(trial::unique_by_key(memory, key, in, key_out, out, count, n, stream), "unique by key");
    check(trial::segmented_inclusive_scan(memory, in, out, n, offset, segments, add, stream), "segments");
    check(trial::segmented_reduce(memory, in, out, n, offset, segments, add, 0, stream), "segmented reduce");
    check(trial::reduce(memory, in, out, n, add, stream), "reduce");
    check(trial::arg_max(memory, in, index, n, stream), "arg_max");
    check(trial::min_max(memory, in, extremes, n, stream), "min_max");
    check(trial::select_if(memory, in, out, count, n, even, stream), "select");
    check(trial::partition_if(memory, in, out, count, n, even, stream), "partition");
    check(trial::select_flagged(memory, in, flag, out, count, n, stream), "flagged");
    check(trial::partition_flagged(memory, in, flag, out, count, n, stream), "partition flagged");
    check(trial::unique(memory, in, out, count, n, stream), "unique");
    check(cudaDeviceSynchronize(), "kernels");
}

}  // namespace

int main() {
    for (const long long n : {33, 500, 9'000}) all_calls(n);
}
