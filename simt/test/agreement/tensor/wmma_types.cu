// Products of matrices on tensor cores, through wmma, of what came with sm_80: bfloat16, tf32, double.
#include <cuda_bf16.h>
#include <mma.h>

#include "simt/test/agreement/check.h"

using namespace nvcuda;

constexpr int SIZE = 32;

__host__ __device__ inline int small_integer(unsigned i) { return int(random_word(i) % 9) - 4; }

/// A warp computes M x N of the product, from global memory.
template <class T, class Element, class Sum, int M, int N, int K>
__global__ void product(const Element* a, const Element* b, Sum* c) {
    const int row = blockIdx.y * M, column = blockIdx.x * N;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> sum;
    wmma::load_matrix_sync(sum, c + row * SIZE + column, SIZE, wmma::mem_row_major);
    for (int k = 0; k < SIZE; k += K) {
        wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> left;
        wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::row_major> right;
        wmma::load_matrix_sync(left, a + row * SIZE + k, SIZE);
        wmma::load_matrix_sync(right, b + k * SIZE + column, SIZE);
        wmma::mma_sync(sum, left, right, sum);
    }
    wmma::store_matrix_sync(c + row * SIZE + column, sum, SIZE, wmma::mem_row_major);
}

template <class T, class Element, class Sum, int M, int N, int K>
void check(const char* name) {
    constexpr int ALL = SIZE * SIZE;
    Array<Element> a(ALL, [](int i) { return Element(float(small_integer(i))); });
    Array<Element> b(ALL, [](int i) { return Element(float(small_integer(i + ALL))); });
    Array<Sum> c(ALL, [](int i) { return Sum(i); });
    product<T, Element, Sum, M, N, K><<<dim3(SIZE / N, SIZE / M), 32>>>(a, b, c);
    c.expect(name, [&](int i) {
        float sum = float(i);
        for (int k = 0; k < SIZE; ++k) sum += float(a[i / SIZE * SIZE + k]) * float(b[k * SIZE + i % SIZE]);
        return Sum(sum);
    });
}

int main() {
    check<__nv_bfloat16, __nv_bfloat16, float, 16, 16, 16>("bfloat16");
    check<__nv_bfloat16, __nv_bfloat16, float, 32, 8, 16>("bfloat16, 32 x 8");
    check<wmma::precision::tf32, float, float, 16, 16, 8>("tf32");
    check<double, double, double, 8, 8, 4>("double");
    return verdict();
}
