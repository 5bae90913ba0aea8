// CUDA's vector types of one to four elements. uint3 and uint4 are in cuda_runtime.h.
#pragma once
#include <cuda_runtime.h>

#define SIMT_VECTORS(name, type, align2, align4)   \
    struct name##1 { type x; };                    \
    struct alignas(align2) name##2 { type x, y; }; \
    SIMT_VECTORS_OF_3_AND_4(name, type, align4)
#define SIMT_VECTORS_OF_3_AND_4(name, type, align4) \
    struct name##3 { type x, y, z; };               \
    struct alignas(align4) name##4 { type x, y, z, w; };
SIMT_VECTORS(char, signed char, 2, 4)
SIMT_VECTORS(uchar, unsigned char, 2, 4)
SIMT_VECTORS(short, short, 4, 8)
SIMT_VECTORS(ushort, unsigned short, 4, 8)
SIMT_VECTORS(int, int, 8, 16)
SIMT_VECTORS(long, long, 16, 16)
SIMT_VECTORS(ulong, unsigned long, 16, 16)
SIMT_VECTORS(longlong, long long, 16, 16)
SIMT_VECTORS(ulonglong, unsigned long long, 16, 16)
SIMT_VECTORS(float, float, 8, 16)
SIMT_VECTORS(double, double, 16, 16)
#undef SIMT_VECTORS_OF_3_AND_4
#define SIMT_VECTORS_OF_3_AND_4(name, type, align4)
SIMT_VECTORS(uint, unsigned, 8, 16)
#undef SIMT_VECTORS
#undef SIMT_VECTORS_OF_3_AND_4

#define SIMT_MAKE(name, type)                                                                       \
    __attribute__((always_inline)) inline name##1 make_##name##1(type x) { return {x}; }            \
    __attribute__((always_inline)) inline name##2 make_##name##2(type x, type y) { return {x, y}; } \
    __attribute__((always_inline)) inline name##3 make_##name##3(type x, type y, type z) {          \
        return {x, y, z};                                                                           \
    }                                                                                               \
    __attribute__((always_inline)) inline name##4 make_##name##4(type x, type y, type z, type w) {  \
        return {x, y, z, w};                                                                        \
    }
SIMT_MAKE(char, signed char)
SIMT_MAKE(uchar, unsigned char)
SIMT_MAKE(short, short)
SIMT_MAKE(ushort, unsigned short)
SIMT_MAKE(int, int)
SIMT_MAKE(uint, unsigned)
SIMT_MAKE(long, long)
SIMT_MAKE(ulong, unsigned long)
SIMT_MAKE(longlong, long long)
SIMT_MAKE(ulonglong, unsigned long long)
SIMT_MAKE(float, float)
SIMT_MAKE(double, double)
#undef SIMT_MAKE
