// Values that the host computes, too. Each line names what is wrong; "right" if nothing is.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <type_traits>

__device__ unsigned wrong = 0;
__device__ void expect(bool is_right, const char* what) {
    if (is_right || atomicAdd(&wrong, 1u) > 20) return;
    printf("%s: thread %d\n", what, threadIdx.x);
}

/// Signs of halves, changed on the way into a conversion: modifiers of its source.
template <class H>
__device__ void signs(const H* in, const float* exact) {
    const H x = in[threadIdx.x];
    const float f = exact[threadIdx.x];
    double wide;
    unsigned short word;
    memcpy(&word, &x, 2);
    if constexpr (std::is_same_v<H, __half>) {
        asm("{.reg .b16 t; neg.f16 t, %1; cvt.f64.f16 %0, t;}" : "=d"(wide) : "h"(word));
        expect(__half2int_rz(__hneg(x)) == int(truncf(-f)), "int of -half");
        expect(__half2int_rn(__habs(x)) == int(rintf(fabsf(f))), "int of |half|");
        expect(__half2float(hfloor(__hneg(x))) == floorf(-f), "floor of -half");
        expect(__half2ll_rd(__hneg(x)) == static_cast<long long>(floorf(-f)), "long of -half");
    } else {
        asm("{.reg .b16 t; neg.bf16 t, %1; cvt.f64.bf16 %0, t;}" : "=d"(wide) : "h"(word));
        expect(__bfloat162int_rn(__habs(x)) == int(rintf(fabsf(f))), "int of |bf16|");
        expect(__bfloat162float(hceil(__hneg(x))) == ceilf(-f), "ceil of -bf16");
    }
    expect(wide == -double(f), "double of a negated half");
    // Of a number in the instruction, which is printed alone, not as the two of a pair.
    expect(__half2float(hceil(__ushort_as_half(0x5105))) == 41, "ceil of a half in the instruction");
    expect(__bfloat162float(hfloor(__ushort_as_bfloat16(0x4105))) == 8, "floor of a bf16 in the instruction");
}
__global__ void half_signs(const __half* in, const float* exact) { signs(in, exact); }
__global__ void bfloat_signs(const __nv_bfloat16* in, const float* exact) { signs(in, exact); }

/// The upper word of what is shifted is a number: LEA.HI R5, R6, R7, 0xa6a3, 0x4.
__global__ void shift_number(const unsigned* words, unsigned* shifted) {
    shifted[1] = words[1] + __funnelshift_l(words[0], 0xa6a3, 4);
}
void compare_shifted(unsigned* there) {
    const unsigned words[] = {0x87654321, 5};
    unsigned shifted[2];
    cudaMemcpy(there, words, sizeof(words), cudaMemcpyHostToDevice);
    shift_number<<<1, 1>>>(there, there);
    cudaMemcpy(shifted, there, sizeof(shifted), cudaMemcpyDeviceToHost);
    if (shifted[1] != 0xa6a38 + 5) printf("upper word of a shift is a number: %x\n", shifted[1]);
}

/// A number of 64 bits in a conversion is the upper word: I2F.U64 R4, 0x80100000. And where 0 is subtracted
/// from a product, nothing is borrowed: IMAD.WIDE.U32 RZ, P0, R2, R2, -R10.
__global__ void long_numbers(const unsigned short* in, unsigned long long* out) {
    const unsigned t = threadIdx.x;
    unsigned long long borrowed;
    asm("{ .reg .u64 t; sub.cc.u64 t, %1, %2; subc.u64 %0, 0, 0; }"
        : "=l"(borrowed)
        : "l"((unsigned long long)t * t), "l"((unsigned long long)in[t]));
    out[t] = borrowed;
    out[64 + t] = __float_as_uint(__ull2float_rn(0x8010000000000000ull));
}
void compare_long_numbers(const unsigned short* in, unsigned short* in_there, unsigned long long* there) {
    unsigned long long got[128];
    long_numbers<<<1, 64>>>(in_there, there);
    cudaMemcpy(got, there, sizeof(got), cudaMemcpyDeviceToHost);
    for (unsigned t = 0; t < 64; ++t) {
        const unsigned long long right = t * t < in[t] ? ~0ull : 0;
        if (got[t] != right) printf("borrowed: %llx, not %llx\n", got[t], right);
        if (got[64 + t] != 0x5f001000) printf("number of 64 bits as a float: %llx\n", got[64 + t]);
    }
}

/// A product by a power of two, which is one instruction; a comparison as a float; the largest of three.
constexpr int RESULTS = 8;
__global__ void floats(const float* in, float* out) {
    const float a = in[threadIdx.x], b = in[63 - threadIdx.x], c = in[threadIdx.x ^ 5];
    const __half x = __float2half(a), y = __float2half(b), z = __float2half(c);
    const __nv_bfloat16 u = __float2bfloat16(a), v = __float2bfloat16(b), w = __float2bfloat16(c);
    float less;
    asm("set.lt.ftz.f32.f32 %0, %1, %2;" : "=f"(less) : "f"(a), "f"(b));
    const float results[RESULTS] = {a * b * 4,
                                    b * c * 8,
                                    a * c * 0.5f,
                                    a * a * 0.125f,
                                    less,
                                    __half2float(__hmax(__hmax(x, y), z)),
                                    __half2float(__hmin_nan(__hmin_nan(x, y), z)),
                                    __bfloat162float(__hmax(__hmax(u, v), w))};
    for (int k = 0; k < RESULTS; ++k) out[k * 64 + threadIdx.x] = results[k];
}
void compare_floats(const float* in, const float* there) {
    float got[RESULTS * 64];
    floats<<<1, 64>>>(there, const_cast<float*>(there) + 64);
    cudaMemcpy(got, there + 64, sizeof(got), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 64; ++t) {
        const float a = in[t], b = in[63 - t], c = in[t ^ 5];
        const float most = std::fmax(std::fmax(a, b), c), least = std::fmin(std::fmin(a, b), c);
        const float right[RESULTS] = {a * b * 4,         b * c * 8, a * c / 2, a * a / 8,
                                      a < b ? 1.f : 0.f, most,      least,     most};
        for (int k = 0; k < RESULTS; ++k)
            if (got[k * 64 + t] != right[k]) printf("float %d: %g, not %g\n", k, got[k * 64 + t], right[k]);
    }
}

/// Atomics at addresses of which every other one is in shared memory.
template <class T>
__global__ void generic(T* out, T zero) {
    __shared__ T own[64];
    T* const p = threadIdx.x % 2 ? own + threadIdx.x : out + threadIdx.x;
    const T one = zero + T(1), two = one + one;
    *p = one;
    expect(atomicAdd(p, one) == one && *p == two, "add");
    expect(atomicExch(p, one) == two && *p == one, "exchange");
    if constexpr (std::is_integral_v<T>) {
        expect(atomicCAS(p, one, two) == one && *p == two, "compare-and-swap");
        expect(atomicCAS(p, one, one) == two && *p == two, "compare-and-swap in vain");
        expect(atomicMax(p, two + one) == two && *p == two + one, "maximum");
        expect(atomicAnd(p, two) == two + one && *p == two, "and");
    }
}

/// A collective operation that the compiler has copied into both arms of a branch.
__global__ void collective(const unsigned* in) {
    const unsigned lane = threadIdx.x, w = in[lane];
    unsigned v = 0, most = 0;
    for (int i = 0; i < 18; ++i) most = max(most, in[i]);
    if (lane < 18) {
        const unsigned c = __ballot_sync(0x3ffff, lane != 9);
        if (lane != 9)
            v = __shfl_sync(c, w, 3);
        else
            v = __all_sync(0x200, lane < 19);
        v += __reduce_max_sync(0x3ffff, w);
        expect(v == most + (lane == 9 ? 1 : in[3]), "collective");
    }
}

template <class T>
T* up(const T* from, int n) {
    T* to;
    cudaMalloc(&to, n * sizeof(T));
    cudaMemcpy(to, from, n * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

int main() {
    float exact[64];
    __half halves[64];
    __nv_bfloat16 bfloats[64];
    unsigned words[64];
    unsigned short shorts[64];
    unsigned long long longs[128] = {};
    for (int i = 0; i < 64; ++i) {
        exact[i] = (i - 30) * 0.75f;
        halves[i] = __float2half(exact[i]);
        bfloats[i] = __float2bfloat16(exact[i]);
        words[i] = i * 2654435761u >> 8;
        shorts[i] = static_cast<unsigned short>(i % 3 == 0 ? 0 : i * i + i % 3 - 1);
    }
    float* floats_there;
    cudaMalloc(&floats_there, (1 + RESULTS) * sizeof(exact));
    cudaMemcpy(floats_there, exact, sizeof(exact), cudaMemcpyHostToDevice);
    half_signs<<<1, 64>>>(up(halves, 64), floats_there);
    bfloat_signs<<<1, 64>>>(up(bfloats, 64), floats_there);
    compare_floats(exact, floats_there);
    compare_shifted(reinterpret_cast<unsigned*>(floats_there));
    compare_long_numbers(shorts, up(shorts, 64), up(longs, 128));
    generic<unsigned><<<1, 64>>>(up(words, 64), 0);
    generic<unsigned long long><<<1, 64>>>(up(longs, 64), 0);
    generic<float><<<1, 64>>>(up(exact, 64), 0);
    collective<<<1, 32>>>(up(words, 64));
    const cudaError_t error = cudaDeviceSynchronize();
    unsigned count;
    cudaMemcpyFromSymbol(&count, wrong, sizeof(count));
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorName(error));
    if (error == cudaSuccess && count == 0) printf("right\n");
    return 0;
}
