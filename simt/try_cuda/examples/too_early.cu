// The host reads what a kernel writes, and does not wait for the kernel.
#include <cstdio>

__global__ void square(int* x) { *x *= *x; }

int main() {
    int* x;
    cudaMallocManaged(&x, sizeof(int));
    *x = 7;
    square<<<1, 1>>>(x);
    const bool is_right = *x == 49;
    std::puts(is_right ? "right" : "wrong");
    return is_right ? 0 : 1;
}
