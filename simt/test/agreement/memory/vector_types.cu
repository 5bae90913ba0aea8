// Loads and stores of char4, short2, int2, float2, int3, float4, double2 and longlong2, in global and shared
// memory.
#include "simt/test/agreement/check.h"

template <class T>
__global__ void reverse(const T* in, T* out) {
    __shared__ T row[128];
    row[threadIdx.x] = in[global_thread()];
    __syncthreads();
    out[global_thread()] = row[127 - threadIdx.x];
}

template <class T>
__global__ void odd_ones(const T* in, T* out) {
    if (threadIdx.x % 2 == 1) out[global_thread()] = in[global_thread() * 2];
}

template <class T>
void check(const char* name) {
    const int n = 256, bytes = sizeof(T);
    struct Bytes {
        unsigned char byte[sizeof(T)];
    };
    Array<unsigned char> in(2 * n * bytes, [](int i) { return static_cast<unsigned char>(random_word(i)); });
    Array<unsigned char> out(n * bytes, static_cast<unsigned char>(9));
    const T* from = reinterpret_cast<const T*>(in.device());
    T* to = reinterpret_cast<T*>(out.device());
    reverse<<<2, 128>>>(from, to);
    const auto reversed = [&](int i) {
        return in[(i / bytes / 128 * 128 + 127 - i / bytes % 128) * bytes + i % bytes];
    };
    out.expect(name, reversed);
    odd_ones<<<2, 128>>>(from, to);
    out.expect(name, [&](int i) {
        return i / bytes % 2 == 1 ? in[i / bytes * 2 * bytes + i % bytes] : reversed(i);
    });
}

int main() {
    check<char4>("char4");
    check<short2>("short2");
    check<int2>("int2");
    check<float2>("float2");
    check<int3>("int3");
    check<float4>("float4");
    check<double2>("double2");
    check<longlong2>("longlong2");
    return verdict();
}
