// Vector types: a copy by float4 takes a quarter of the requests of a copy by float.
// Prints: right
// Counts: launches 2, requests 10, sectors 64
#include <cstdio>

template <class T>
__global__ void copy(const T* in, T* out) {
    out[threadIdx.x] = in[threadIdx.x];
}

int main() {
    float host[128], *in, *out;
    const uchar4 bytes = make_uchar4(1, 2, 3, 4);
    const double2 pair = make_double2(0.5, 1.5);
    const int3 triple = {1, 2, 3};
    for (int i = 0; i < 128; ++i) host[i] = i * pair.x * bytes.y / triple.x;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    copy<<<1, 32>>>((const float4*)in, (float4*)out);
    copy<<<1, 128>>>(in, out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; ++i)
        if (host[i] != float(i)) return std::puts("wrong"), 1;
    std::puts(sizeof(float3) == 12 && alignof(float2) == 8 ? "right" : "wrong");
}
