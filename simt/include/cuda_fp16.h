// Half precision: __half and __half2, rounded to nearest even after every operation, as on a GPU. Only the
// common part of CUDA's header: arithmetic, comparisons, conversions, shuffles, atomicAdd.
#pragma once
#include <cuda_runtime.h>
#include <device_functions.h>
#include <vector_types.h>

#if defined(__FLT16_MAX__)
namespace simt::detail {
using Half = _Float16;
}
#elif defined(__aarch64__)
namespace simt::detail {
using Half = __fp16;
}
#else
#error "half precision needs a compiler with _Float16: g++ 12 or newer"
#endif

struct __half {
    unsigned short bits;
    __half() = default;
    SIMT_INLINE __half(float value) {
        const auto rounded = simt::detail::Half(value);
        __builtin_memcpy(&bits, &rounded, 2);
    }
    SIMT_INLINE __half(double value) {
        const auto rounded = simt::detail::Half(value);
        __builtin_memcpy(&bits, &rounded, 2);
    }
    SIMT_INLINE __half(int value) : __half(float(value)) {}
    SIMT_INLINE operator float() const {
        simt::detail::Half value;
        __builtin_memcpy(&value, &bits, 2);
        return float(value);
    }
};
struct alignas(4) __half2 {
    __half x, y;
    __half2() = default;
    SIMT_INLINE __half2(__half first, __half second) : x(first), y(second) {}
};
using half = __half;
using half2 = __half2;

// A sum or product of two halves, and their quotient, is rounded to float first: the second rounding changes
// nothing, as a float has more than twice as many bits.
#define SIMT_HALF(op, name, name2)                                                                    \
    SIMT_INLINE __half operator op(__half a, __half b) { return __half(float(a) op float(b)); }       \
    SIMT_INLINE __half2 operator op(__half2 a, __half2 b) { return __half2(a.x op b.x, a.y op b.y); } \
    SIMT_INLINE __half& operator op##=(__half & a, __half b) { return a = a op b; }                   \
    SIMT_INLINE __half2& operator op##=(__half2 & a, __half2 b) { return a = a op b; }                \
    SIMT_INLINE __half name(__half a, __half b) { return a op b; }                                    \
    SIMT_INLINE __half2 name2(__half2 a, __half2 b) { return a op b; }
SIMT_HALF(+, __hadd, __hadd2)
SIMT_HALF(-, __hsub, __hsub2)
SIMT_HALF(*, __hmul, __hmul2)
SIMT_HALF(/, __hdiv, __h2div)
#undef SIMT_HALF

#define SIMT_HALF(op, name)                                                           \
    SIMT_INLINE bool operator op(__half a, __half b) { return float(a) op float(b); } \
    SIMT_INLINE bool name(__half a, __half b) { return a op b; }
SIMT_HALF(==, __heq)
SIMT_HALF(!=, __hne)
SIMT_HALF(<, __hlt)
SIMT_HALF(<=, __hle)
SIMT_HALF(>, __hgt)
SIMT_HALF(>=, __hge)
#undef SIMT_HALF

SIMT_INLINE __half operator-(__half a) { return __half(-float(a)); }
SIMT_INLINE __half __hneg(__half a) { return -a; }
SIMT_INLINE __half __habs(__half a) { return float(a) < 0 ? -a : a; }
SIMT_INLINE __half __hmax(__half a, __half b) { return a < b ? b : a; }
SIMT_INLINE __half __hmin(__half a, __half b) { return b < a ? b : a; }
SIMT_INLINE __half __hfma(__half a, __half b, __half c) {
    return __half(double(float(a)) * double(float(b)) + double(float(c)));
}
SIMT_INLINE __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

SIMT_INLINE __half __float2half(float value) { return __half(value); }
SIMT_INLINE __half __float2half_rn(float value) { return __half(value); }
SIMT_INLINE __half __double2half(double value) { return __half(value); }
SIMT_INLINE __half __int2half_rn(int value) { return __half(value); }
SIMT_INLINE float __half2float(__half value) { return value; }
SIMT_INLINE int __half2int_rn(__half value) { return int(__builtin_nearbyintf(value)); }
SIMT_INLINE unsigned short __half_as_ushort(__half value) { return value.bits; }
SIMT_INLINE __half __ushort_as_half(unsigned short bits) {
    __half value;
    value.bits = bits;
    return value;
}
SIMT_INLINE __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
SIMT_INLINE __half2 make_half2(__half x, __half y) { return __half2(x, y); }
SIMT_INLINE __half2 __half2half2(__half value) { return __half2(value, value); }
SIMT_INLINE __half2 __float2half2_rn(float value) { return __half2(value, value); }
SIMT_INLINE __half2 __floats2half2_rn(float x, float y) { return __half2(x, y); }
SIMT_INLINE __half2 __float22half2_rn(float2 value) { return __half2(value.x, value.y); }
SIMT_INLINE float2 __half22float2(__half2 value) { return {value.x, value.y}; }
SIMT_INLINE __half __low2half(__half2 value) { return value.x; }
SIMT_INLINE __half __high2half(__half2 value) { return value.y; }
SIMT_INLINE float __low2float(__half2 value) { return value.x; }
SIMT_INLINE float __high2float(__half2 value) { return value.y; }

namespace simt::detail {
template <class T, class Number>
SIMT_INLINE T shuffle_as(SimtWarpOp op, unsigned mask, T value, int argument, int width) {
    Number bits;
    __builtin_memcpy(&bits, &value, sizeof(T));
    bits = shuffle(op, mask, bits, argument, width);
    __builtin_memcpy(&value, &bits, sizeof(T));
    return value;
}
}  // namespace simt::detail
#define SIMT_SHUFFLE(name, op, type)                                                              \
    SIMT_INLINE __half name(unsigned mask, __half value, type by, int width = 32) {               \
        return simt::detail::shuffle_as<__half, unsigned short>(op, mask, value, int(by), width); \
    }                                                                                             \
    SIMT_INLINE __half2 name(unsigned mask, __half2 value, type by, int width = 32) {             \
        return simt::detail::shuffle_as<__half2, unsigned>(op, mask, value, int(by), width);      \
    }
SIMT_SHUFFLE(__shfl_sync, SimtWarpOp::shuffle, int)
SIMT_SHUFFLE(__shfl_up_sync, SimtWarpOp::shuffle_up, unsigned)
SIMT_SHUFFLE(__shfl_down_sync, SimtWarpOp::shuffle_down, unsigned)
SIMT_SHUFFLE(__shfl_xor_sync, SimtWarpOp::shuffle_xor, int)
#undef SIMT_SHUFFLE
