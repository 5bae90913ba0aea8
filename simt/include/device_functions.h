// Device functions beyond those that cuda_runtime.h declares: votes and matches, barriers that count, atomics
// with scopes, and intrinsics of integers and floats. The fast-math intrinsics are exact functions here.
#pragma once
#include <cuda_runtime.h>

#include <chrono>
#include <ctime>

extern "C" {
unsigned simt_block_count(bool predicate);
unsigned simt_active_mask();
}
#define SIMT_INLINE __attribute__((always_inline)) inline

// --- Barriers, votes, matches.
SIMT_INLINE int __syncthreads_count(int predicate) { return int(simt_block_count(predicate != 0)); }
SIMT_INLINE int __syncthreads_or(int predicate) { return simt_block_count(predicate != 0) != 0; }
SIMT_INLINE int __syncthreads_and(int predicate) { return simt_block_count(predicate == 0) == 0; }
SIMT_INLINE unsigned __activemask() { return simt_active_mask(); }

namespace simt::detail {
template <class T>
SIMT_INLINE std::uint64_t bits_of(T value) {
    static_assert(sizeof(T) <= 8);
    std::uint64_t bits = 0;
    __builtin_memcpy(&bits, &value, sizeof(T));
    return bits;
}
}  // namespace simt::detail

template <class T>
SIMT_INLINE unsigned __match_any_sync(unsigned mask, T value) {
    return unsigned(simt_warp(SimtWarpOp::match_any, mask, simt::detail::bits_of(value), 0, 32));
}
template <class T>
SIMT_INLINE unsigned __match_all_sync(unsigned mask, T value, int* all) {
    const auto equal = unsigned(simt_warp(SimtWarpOp::match_all, mask, simt::detail::bits_of(value), 0, 32));
    *all = equal != 0;
    return equal;
}

// --- Atomics: a scope changes neither result nor counts.
#define SIMT_SCOPED(name)                              \
    template <class T, class V>                        \
    SIMT_INLINE T name##_block(T* address, V value) {  \
        return name(address, value);                   \
    }                                                  \
    template <class T, class V>                        \
    SIMT_INLINE T name##_system(T* address, V value) { \
        return name(address, value);                   \
    }
SIMT_SCOPED(atomicAdd)
SIMT_SCOPED(atomicSub)
SIMT_SCOPED(atomicExch)
SIMT_SCOPED(atomicMin)
SIMT_SCOPED(atomicMax)
SIMT_SCOPED(atomicAnd)
SIMT_SCOPED(atomicOr)
SIMT_SCOPED(atomicXor)
SIMT_SCOPED(atomicInc)
SIMT_SCOPED(atomicDec)
#undef SIMT_SCOPED
template <class T, class V, class W>
SIMT_INLINE T atomicCAS_block(T* address, V compare, W value) {
    return atomicCAS(address, compare, value);
}
template <class T, class V, class W>
SIMT_INLINE T atomicCAS_system(T* address, V compare, W value) {
    return atomicCAS(address, compare, value);
}

// --- Loads and stores with cache hints.
#define SIMT_CACHED(suffix)                     \
    template <class T>                          \
    SIMT_INLINE T __ld##suffix(const T* from) { \
        return *from;                           \
    }
SIMT_CACHED(cg)
SIMT_CACHED(ca)
SIMT_CACHED(cs)
SIMT_CACHED(lu)
SIMT_CACHED(cv)
#undef SIMT_CACHED
#define SIMT_CACHED(suffix)                         \
    template <class T>                              \
    SIMT_INLINE void __st##suffix(T* to, T value) { \
        *to = value;                                \
    }
SIMT_CACHED(cg)
SIMT_CACHED(cs)
SIMT_CACHED(wt)
#undef SIMT_CACHED

// --- Clocks: of the host.
SIMT_INLINE long long clock64() { return std::chrono::steady_clock::now().time_since_epoch().count(); }
SIMT_INLINE void __trap() { __builtin_trap(); }
SIMT_INLINE void __brkpt() { __builtin_trap(); }

// --- Integers.
SIMT_INLINE int __mul24(int a, int b) { return (a << 8 >> 8) * (b << 8 >> 8); }
SIMT_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
SIMT_INLINE int __mulhi(int a, int b) { return int(std::int64_t(a) * b >> 32); }
SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b) { return unsigned(std::uint64_t(a) * b >> 32); }
SIMT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return static_cast<unsigned long long>(static_cast<unsigned __int128>(a) * b >> 64);
}
SIMT_INLINE long long __mul64hi(long long a, long long b) {
    return static_cast<long long>(static_cast<__int128>(a) * b >> 64);
}
SIMT_INLINE int __clzll(long long x) {
    return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
SIMT_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }
SIMT_INLINE unsigned __brev(unsigned x) {
    unsigned reversed = 0;
    for (int bit = 0; bit < 32; ++bit) reversed |= (x >> bit & 1u) << (31 - bit);
    return reversed;
}
SIMT_INLINE unsigned long long __brevll(unsigned long long x) {
    return static_cast<unsigned long long>(__brev(unsigned(x))) << 32 | __brev(unsigned(x >> 32));
}
SIMT_INLINE unsigned __byte_perm(unsigned low, unsigned high, unsigned selector) {
    const std::uint64_t bytes = std::uint64_t(high) << 32 | low;
    unsigned picked = 0;
    for (int i = 0; i < 4; ++i) {
        const unsigned choice = selector >> (4 * i) & 15;
        unsigned byte = unsigned(bytes >> (8 * (choice & 7))) & 255;
        if (choice & 8) byte = byte & 128 ? 255 : 0;
        picked |= byte << (8 * i);
    }
    return picked;
}
SIMT_INLINE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned bits) {
    return unsigned((std::uint64_t(high) << 32 | low) << (bits & 31) >> 32);
}
SIMT_INLINE unsigned __sad(int a, int b, unsigned sum) { return sum + unsigned(a < b ? b - a : a - b); }
SIMT_INLINE unsigned __usad(unsigned a, unsigned b, unsigned sum) { return sum + (a < b ? b - a : a - b); }
SIMT_INLINE int __hadd(int a, int b) { return int((std::int64_t(a) + b) >> 1); }
SIMT_INLINE int __rhadd(int a, int b) { return int((std::int64_t(a) + b + 1) >> 1); }
/// The position of the n-th set bit from `base`; all ones if there is none.
SIMT_INLINE unsigned __fns(unsigned mask, unsigned base, int n) {
    if (n == 0) return mask >> base & 1 ? base : ~0u;
    const int step = n > 0 ? 1 : -1;
    for (int at = int(base); at >= 0 && at < 32; at += step)
        if (mask >> at & 1 && (n -= step) == 0) return unsigned(at);
    return ~0u;
}

// --- Bits and conversions.
#define SIMT_AS(name, to, from)                        \
    SIMT_INLINE to name(from value) {                  \
        to result;                                     \
        __builtin_memcpy(&result, &value, sizeof(to)); \
        return result;                                 \
    }
SIMT_AS(__float_as_int, int, float)
SIMT_AS(__float_as_uint, unsigned, float)
SIMT_AS(__int_as_float, float, int)
SIMT_AS(__uint_as_float, float, unsigned)
SIMT_AS(__double_as_longlong, long long, double)
SIMT_AS(__longlong_as_double, double, long long)
#undef SIMT_AS
SIMT_INLINE int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
SIMT_INLINE int __double2loint(double x) { return int(__double_as_longlong(x)); }
SIMT_INLINE double __hiloint2double(int high, int low) {
    return __longlong_as_double(static_cast<long long>(high) << 32 | unsigned(low));
}
#define SIMT_CONVERT(from, type)                                                            \
    SIMT_INLINE int __##from##2int_rn(type x) { return int(std::nearbyint(x)); }            \
    SIMT_INLINE int __##from##2int_rz(type x) { return int(x); }                            \
    SIMT_INLINE int __##from##2int_rd(type x) { return int(std::floor(x)); }                \
    SIMT_INLINE int __##from##2int_ru(type x) { return int(std::ceil(x)); }                 \
    SIMT_INLINE unsigned __##from##2uint_rn(type x) { return unsigned(std::nearbyint(x)); } \
    SIMT_INLINE unsigned __##from##2uint_rz(type x) { return unsigned(x); }                 \
    SIMT_INLINE long long __##from##2ll_rn(type x) { return std::llrint(x); }               \
    SIMT_INLINE long long __##from##2ll_rz(type x) { return static_cast<long long>(x); }
SIMT_CONVERT(float, float)
SIMT_CONVERT(double, double)
#undef SIMT_CONVERT
SIMT_INLINE float __int2float_rn(int x) { return float(x); }
SIMT_INLINE float __int2float_rz(int x) { return float(x); }
SIMT_INLINE float __uint2float_rn(unsigned x) { return float(x); }
SIMT_INLINE double __int2double_rn(int x) { return x; }
SIMT_INLINE double __uint2double_rn(unsigned x) { return x; }
SIMT_INLINE float __double2float_rn(double x) { return float(x); }

// --- Floats.
SIMT_INLINE float rsqrtf(float x) { return 1 / std::sqrt(x); }
SIMT_INLINE double rsqrt(double x) { return 1 / std::sqrt(x); }
SIMT_INLINE float __frsqrt_rn(float x) { return 1 / std::sqrt(x); }
SIMT_INLINE float __fsqrt_rn(float x) { return std::sqrt(x); }
SIMT_INLINE float __frcp_rn(float x) { return 1 / x; }
SIMT_INLINE float __fadd_rn(float a, float b) { return a + b; }
SIMT_INLINE float __fsub_rn(float a, float b) { return a - b; }
SIMT_INLINE float __fmul_rn(float a, float b) { return a * b; }
SIMT_INLINE float __fdiv_rn(float a, float b) { return a / b; }
SIMT_INLINE float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
SIMT_INLINE double __dadd_rn(double a, double b) { return a + b; }
SIMT_INLINE double __dmul_rn(double a, double b) { return a * b; }
SIMT_INLINE double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
SIMT_INLINE float __fdividef(float a, float b) { return a / b; }
SIMT_INLINE float fdividef(float a, float b) { return a / b; }
SIMT_INLINE float __saturatef(float x) { return x < 0 ? 0 : x > 1 ? 1 : x == x ? x : 0; }
SIMT_INLINE float __expf(float x) { return std::exp(x); }
SIMT_INLINE float __exp10f(float x) { return std::pow(10.0f, x); }
SIMT_INLINE float __logf(float x) { return std::log(x); }
SIMT_INLINE float __log2f(float x) { return std::log2(x); }
SIMT_INLINE float __log10f(float x) { return std::log10(x); }
SIMT_INLINE float __powf(float x, float y) { return std::pow(x, y); }
SIMT_INLINE float __sinf(float x) { return std::sin(x); }
SIMT_INLINE float __cosf(float x) { return std::cos(x); }
SIMT_INLINE float __tanf(float x) { return std::tan(x); }
SIMT_INLINE void __sincosf(float x, float* sine, float* cosine) {
    *sine = std::sin(x);
    *cosine = std::cos(x);
}
SIMT_INLINE float sinpif(float x) { return float(std::sin(x * 3.14159265358979323846)); }
SIMT_INLINE float cospif(float x) { return float(std::cos(x * 3.14159265358979323846)); }

/// CUDA's min and max take two types, too.
template <
    class A, class B,
    class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B> && !std::is_same_v<A, B>>>
SIMT_INLINE std::common_type_t<A, B> min(A a, B b) {
    const std::common_type_t<A, B> left = a, right = b;
    return right < left ? right : left;
}
template <
    class A, class B,
    class = std::enable_if_t<std::is_arithmetic_v<A> && std::is_arithmetic_v<B> && !std::is_same_v<A, B>>>
SIMT_INLINE std::common_type_t<A, B> max(A a, B b) {
    const std::common_type_t<A, B> left = a, right = b;
    return left < right ? right : left;
}
// Templates, so that a program may define functions of these names.
#define SIMT_MINMAX(prefix, type)                  \
    template <class = void>                        \
    SIMT_INLINE type prefix##min(type a, type b) { \
        return std::min(a, b);                     \
    }                                              \
    template <class = void>                        \
    SIMT_INLINE type prefix##max(type a, type b) { \
        return std::max(a, b);                     \
    }
SIMT_MINMAX(u, unsigned)
SIMT_MINMAX(ll, long long)
SIMT_MINMAX(ull, unsigned long long)
#undef SIMT_MINMAX
