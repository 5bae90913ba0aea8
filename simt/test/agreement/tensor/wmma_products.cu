// Products of matrices on tensor cores, through wmma: halves and bytes, from shared memory with and without
// padding, of all layouts.
#include <cuda_fp16.h>
#include <mma.h>

#include "simt/test/agreement/check.h"

using namespace nvcuda;

constexpr int N = 64;

template <class T>
__host__ __device__ T small(unsigned i) {
    return T(float(int(random_word(i) % 9) - 4));
}

/// A warp computes 16 x 16 of the product. Rows in shared memory are WIDTH elements apart.
template <class T, class Sum, class A_LAYOUT, class B_LAYOUT, int WIDTH>
__global__ void product(const T* a, const T* b, Sum* c) {
    __shared__ alignas(32) T a_tile[N * WIDTH], b_tile[N * WIDTH];
    for (int k = threadIdx.x; k < N * N; k += blockDim.x) {
        a_tile[k / N * WIDTH + k % N] = a[k];
        b_tile[k / N * WIDTH + k % N] = b[k];
    }
    __syncthreads();
    const int row = threadIdx.x / 32 * 16, column = blockIdx.x * 16;
    constexpr bool IS_A_ROW = std::is_same<A_LAYOUT, wmma::row_major>::value;
    constexpr bool IS_B_ROW = std::is_same<B_LAYOUT, wmma::row_major>::value;
    wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> sum;
    wmma::fill_fragment(sum, Sum(0));
    for (int k = 0; k < N; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, T, A_LAYOUT> left;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, T, B_LAYOUT> right;
        wmma::load_matrix_sync(left, a_tile + (IS_A_ROW ? row * WIDTH + k : k * WIDTH + row), WIDTH);
        wmma::load_matrix_sync(right, b_tile + (IS_B_ROW ? k * WIDTH + column : column * WIDTH + k), WIDTH);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * N + column, sum, N, wmma::mem_row_major);
}

template <class T, class Sum, class A_LAYOUT, class B_LAYOUT, int WIDTH>
void check(const char* name) {
    Array<T> a(N * N, [](int i) { return small<T>(i); }), b(N * N, [](int i) { return small<T>(i + N * N); });
    Array<Sum> c(N * N);
    product<T, Sum, A_LAYOUT, B_LAYOUT, WIDTH><<<N / 16, N / 16 * 32>>>(a, b, c);
    c.expect(name, [&](int i) {
        float sum = 0;  // of integers: exact
        for (int k = 0; k < N; ++k) {
            const bool by_row = std::is_same<A_LAYOUT, wmma::row_major>::value;
            const int at_a = by_row ? i / N * N + k : k * N + i / N;
            const int at_b = std::is_same<B_LAYOUT, wmma::row_major>::value ? k * N + i % N : i % N * N + k;
            sum += float(a[at_a]) * float(b[at_b]);
        }
        return Sum(sum);
    });
}

int main() {
    using R = wmma::row_major;
    using C = wmma::col_major;
    check<half, float, R, C, N>("halves");
    check<half, float, R, R, N + 8>("halves, padded");
    check<half, float, C, C, N + 8>("halves, a by columns");
    check<half, half, C, R, N>("sums of halves");
    check<signed char, int, R, C, N>("bytes");
    check<signed char, int, R, C, N + 16>("bytes, padded");
    return verdict();
}
