// Recursion to a depth that differs from lane to lane: Ackermann's function, and a sum over a tree.
#include "simt/test/agreement/check.h"

__host__ __device__ int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

__host__ __device__ unsigned tree(unsigned node, unsigned leaves) {
    if (node >= leaves) return node;
    const unsigned left = tree(2 * node, leaves);
    return left * 3 + tree(2 * node + 1 + (left & 1), leaves);
}

__global__ void recur(int* out) {
    out[global_thread()] = ackermann(threadIdx.x % 3, threadIdx.x / 3 % 4 + blockIdx.x);
}
__global__ void recur_twice(unsigned* out) { out[global_thread()] = tree(global_thread() % 9 + 1, 40); }

int main() {
    Array<int> out(96);
    recur<<<2, 48>>>(out);
    out.expect("ackermann", [](int i) { return ackermann(i % 48 % 3, i % 48 / 3 % 4 + i / 48); });
    Array<unsigned> sums(64);
    recur_twice<<<2, 32>>>(sums);
    sums.expect("tree", [](int i) { return tree(i % 9 + 1, 40); });
    return verdict();
}
