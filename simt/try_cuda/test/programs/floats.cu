// Fast-math intrinsics, conversions, and bits of floats.
// Prints: 0.5 1 0.25 3f800000 3 2 7 1 8 0.1
// Counts: launches 1, requests 10
#include <cstdio>

__global__ void floats(float* out) {
    out[0] = rsqrtf(4.0f);
    out[1] = __expf(0.0f);
    out[2] = __fdividef(1.0f, 4.0f);
    out[3] = __int_as_float(__float_as_int(1.0f));
    out[4] = __float2int_rn(2.6f);
    out[5] = __float2int_rz(2.6f);
    out[6] = __fmaf_rn(2.0f, 3.0f, 1.0f);
    out[7] = __saturatef(1.5f);
    out[8] = __powf(2.0f, 3.0f);
    out[9] = fminf(0.1f, fabsf(-0.2f));
}

int main() {
    float *out, host[10];
    cudaMalloc(&out, sizeof(host));
    floats<<<1, 1>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    unsigned bits;
    memcpy(&bits, &host[3], 4);
    std::printf("%g %g %g %x %g %g %g %g %g %g\n", host[0], host[1], host[2], bits, host[4], host[5], host[6],
                host[7], host[8], host[9]);
}
