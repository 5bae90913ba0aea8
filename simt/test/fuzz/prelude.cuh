// What random programs call. Bits of a NaN are never seen but as those of one NaN.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>
#include <cstring>

using Word = unsigned long long;

__device__ __forceinline__ unsigned word_of(__half2 x) {
    return __half_as_ushort(__low2half(x)) | unsigned(__half_as_ushort(__high2half(x))) << 16;
}
__device__ __forceinline__ unsigned word_of(__nv_bfloat162 x) {
    return __bfloat16_as_ushort(__low2bfloat16(x)) | unsigned(__bfloat16_as_ushort(__high2bfloat16(x))) << 16;
}
__device__ __forceinline__ __half2 half2_of(unsigned x) {
    return __halves2half2(__ushort_as_half(x & 0xffff), __ushort_as_half(x >> 16));
}
__device__ __forceinline__ __nv_bfloat162 bfloat162_of(unsigned x) {
    return __halves2bfloat162(__ushort_as_bfloat16(x & 0xffff), __ushort_as_bfloat16(x >> 16));
}

__device__ __forceinline__ unsigned bits_of(float x) { return x != x ? 0x7fc00000u : __float_as_uint(x); }
__device__ __forceinline__ Word bits_of(double x) {
    return x != x ? 0x7ff8000000000000ull : (Word)__double_as_longlong(x);
}
__device__ __forceinline__ unsigned short canonical_half(unsigned short x) {
    return (x & 0x7fff) > 0x7c00 ? 0x7e00 : x;
}
__device__ __forceinline__ unsigned short canonical_bfloat16(unsigned short x) {
    return (x & 0x7fff) > 0x7f80 ? 0x7fc0 : x;
}
__device__ __forceinline__ unsigned short bits_of(__half x) { return canonical_half(__half_as_ushort(x)); }
__device__ __forceinline__ unsigned short bits_of(__nv_bfloat16 x) {
    return canonical_bfloat16(__bfloat16_as_ushort(x));
}
__device__ __forceinline__ unsigned bits_of(__half2 x) {
    return canonical_half(word_of(x)) | unsigned(canonical_half(word_of(x) >> 16)) << 16;
}
__device__ __forceinline__ unsigned bits_of(__nv_bfloat162 x) {
    return canonical_bfloat16(word_of(x)) | unsigned(canonical_bfloat16(word_of(x) >> 16)) << 16;
}
template <class T>
__device__ __forceinline__ Word bits_of(T x) {
    return (Word)x;
}

template <class T>
__device__ __forceinline__ T quotient(T a, T b) {
    return b == 0 || b == (T)-1 ? a : a / b;
}
template <class T>
__device__ __forceinline__ T rest(T a, T b) {
    return b == 0 || b == (T)-1 ? a : a % b;
}
template <class T>
__device__ __forceinline__ T smaller(T a, T b) {
    return a < b ? a : b;
}
template <class T>
__device__ __forceinline__ T larger(T a, T b) {
    return a < b ? b : a;
}

/// One of the lanes of a mask, from `first` on.
__device__ __forceinline__ int some_lane(unsigned mask, unsigned first) {
    return (first + __ffs(__funnelshift_r(mask, mask, first)) - 1) & 31;
}
