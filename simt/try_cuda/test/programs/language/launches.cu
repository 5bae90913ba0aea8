// Launches of every form: template arguments given and deduced, default arguments, an overload, a pointer, a
// null pointer, an expression over several lines, a member of a namespace.
// Prints: 7 8 9 10 11 12
// Counts: launches 6, requests 6
#include <cstdio>

template <int VALUE, class T>
__global__ void set(T* out) {
    *out = VALUE;
}
template <class T>
__global__ void set_to(T* out, T value, T addend = 0) {
    *out = value + addend;
}
__global__ void with_default(int* out, const int* from, int value = 9) { *out = from ? *from : value; }
__global__ void overload(int* out, int value) { *out = value; }
__global__ void overload(int* out, float value) { *out = int(value) + 1; }
namespace inner {
static __global__ void set(int* out, int value) { *out = value; }
}  // namespace inner

int main() {
    int* out;
    cudaMalloc((void**)&out, 6 * sizeof(int));
    set<7, int><<<1, 1>>>(out);
    set_to<<<dim3(1), dim3(1, 1)>>>(out + 1, 8);
    with_default<<<1, 1, 0>>>(out + 2, NULL);
    overload<<<1, 1, 0, 0>>>(out + 3, 9.5f);
    void (*pointer)(int*, int) = overload;
    pointer<<<1, 1>>>(out + 4, 11);
    for (int i = 5; i < 6; i++) inner::set<<<1, 1>>>(out + i, 12);
    int host[6];
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    for (int each : host) std::printf(each == 7 ? "%d" : " %d", each);
    std::puts("");
}
