// Kernels of lecture notes, rewritten in this repository's style, that fail for lengths that do not fill
// their blocks. Each runs as printed and with one line corrected: sources <case>. Prints the result, or the
// error of the launch.
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

template <class T>
struct Device {
    explicit Device(const std::vector<T>& values) : n(values.size()) {
        cudaMalloc(&data, n * sizeof(T));
        cudaMemcpy(data, values.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    void print() const {
        std::vector<T> values(n);
        cudaMemcpy(values.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
        for (const T value : values) std::printf("%g ", double(value));
    }
    std::size_t n;
    T* data = nullptr;
};

// --- "Padrão Scan em CUDA": the scan of the blocks, which passes its sums to the host.

enum class Fixed { nothing, initialisation, both };

template <Fixed FIXED>
__global__ void scan_block_and_sum(double* a, double* s, int width) {
    const int t = threadIdx.x, b = blockIdx.x * blockDim.x;
    double x = 0;
    __shared__ double p[1024];
    if (b + t < width)
        p[t] = a[b + t];
    else if (FIXED != Fixed::nothing)
        p[t] = 0;
    __syncthreads();
    for (int i = 1; i < int(blockDim.x); i *= 2) {
        if (t >= i) x = p[t] + p[t - i];
        __syncthreads();
        if (t >= i) p[t] = x;
        __syncthreads();
    }
    if (b + t < width) a[b + t] = p[t];
    if (t == int(blockDim.x) - 1) s[blockIdx.x + 1] = FIXED == Fixed::both ? p[t] : a[b + t];
}

template <Fixed FIXED>
void scan_blocks(int width) {
    const Device<double> a(std::vector<double>(width, 1.0)), s(std::vector<double>(4, 0.0));
    scan_block_and_sum<FIXED><<<3, 8>>>(a.data, s.data, width);
    if (cudaDeviceSynchronize() == cudaSuccess) s.print();
}

// --- "Algorithmes fondamentaux": compaction by one block.

template <bool FIXED>
__global__ void compact_block(int* out, const int* in, int n) {
    extern __shared__ int mask[];
    const int t = threadIdx.x;
    const int mine = FIXED && t >= n ? 0 : in[t];
    int keep = 0;
    if (t < n) {
        keep = mine > 0 ? 1 : 0;
        mask[t] = keep;
    }
    int offset = 1;
    for (int d = n >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            if (b < n) mask[b] += mask[a];
        }
        offset *= 2;
    }
    __syncthreads();
    if (t == 0) mask[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            const int old = mask[b];
            mask[b] += mask[a];
            mask[a] = old;
        }
    }
    __syncthreads();
    if (keep == 1) out[mask[t]] = mine;
}

/// Compact the first n elements of the source's example.
template <bool FIXED>
void compact(int n, int threads) {
    std::vector<int> values = {1, -8, 0, 3, 5, 2, -1, -9};
    values.resize(n);
    const Device<int> in(values), out(std::vector<int>(n, -1));
    compact_block<FIXED><<<1, threads, n * sizeof(int)>>>(out.data, in.data, n);
    if (cudaDeviceSynchronize() == cudaSuccess) out.print();
}

// --- "Algorithmes fondamentaux": a thread whose number exceeds 2^i adds the element 2^i to its left.

template <bool FIXED>
__global__ void scan_by_thread_number(int* a) {
    __shared__ int p[8];
    const int t = threadIdx.x;
    p[t] = a[t];
    __syncthreads();
    for (int i = 1; i < 8; i *= 2) {
        const bool adds = FIXED ? t >= i : t > i;
        const int left = adds ? p[t - i] : 0;
        __syncthreads();
        p[t] += left;
        __syncthreads();
    }
    a[t] = p[t];
}

template <bool FIXED>
void scan_eight() {
    const Device<int> a({1, 2, 3, 4, 5, 6, 7, 8});
    scan_by_thread_number<FIXED><<<1, 8>>>(a.data);
    if (cudaDeviceSynchronize() == cudaSuccess) a.print();
}

}  // namespace

int main(int, char** arguments) {
    const std::map<std::string, std::function<void()>> cases = {
        {"blocks_full", [] { scan_blocks<Fixed::nothing>(24); }},
        {"blocks", [] { scan_blocks<Fixed::nothing>(20); }},
        {"blocks_initialised", [] { scan_blocks<Fixed::initialisation>(20); }},
        {"blocks_fixed", [] { scan_blocks<Fixed::both>(20); }},
        {"compaction", [] { compact<false>(8, 8); }},
        {"compaction_of_3", [] { compact<false>(3, 3); }},
        {"compaction_of_6", [] { compact<false>(6, 6); }},
        {"compaction_of_7", [] { compact<false>(7, 7); }},
        {"compaction_with_threads_to_spare", [] { compact<false>(8, 16); }},
        {"compaction_fixed", [] { compact<true>(8, 16); }},
        {"eight", [] { scan_eight<false>(); }},
        {"eight_fixed", [] { scan_eight<true>(); }},
    };
    cases.at(arguments[1])();
    std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
