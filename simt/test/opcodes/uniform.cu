// What a warp computes once for all of its lanes: arithmetic on a kernel's parameters, which the compiler
// gives to the uniform datapath.
#include "simt/test/opcodes/operation.h"

// clang-format off: lists, several a line.

namespace {

constexpr int TRIPLES = 64;  // of one launch

struct Triples {
    u32 a[TRIPLES], b[TRIPLES], c[TRIPLES];
};

template <class F>
__global__ void apply_uniform(const __grid_constant__ Triples triples, typename F::Out* out) {
    // The rank, 0, keeps the last step from being uniform: it takes what the uniform ones leave.
    for (int i = 0; i < TRIPLES; ++i) out[i] = F::of(triples.a[i], triples.b[i], triples.c[i]) ^ threadIdx.x;
}

inline opcodes::Launch launches(const void* kernel, int bytes) {
    return [=](const void*, void* out) {
        for (int first = 0; first < opcodes::CASES; first += TRIPLES) {
            const std::uint32_t* words = opcodes::words_on_host().data() + first;
            Triples triples;
            std::memcpy(triples.a, words, sizeof triples.a);
            std::memcpy(triples.b, words + opcodes::CASES, sizeof triples.b);
            std::memcpy(triples.c, words + 2 * opcodes::CASES, sizeof triples.c);
            void* to = static_cast<char*>(out) + first * bytes;
            void* arguments[] = {&triples, &to};
            cudaLaunchKernel(kernel, 1, 1, arguments, 0, nullptr);
        }
    };
}

template <class F>
bool add_uniform(const char* name) {
    const auto kernel = reinterpret_cast<const void*>(apply_uniform<F>);
    const int bytes = sizeof(typename F::Out);
    return opcodes::enter(name, opcodes::Set::words, bytes, 75, launches(kernel, bytes));
}

}  // namespace

#define UNIFORM(OUT, NAME, ...) UNIFORM_AT(__COUNTER__, OUT, NAME, __VA_ARGS__)
#define UNIFORM_AT(ID, ...) UNIFORM_NUMBERED(ID, __VA_ARGS__)
#define UNIFORM_NUMBERED(ID, OUT, NAME, ...)            \
    struct Operation##ID {                              \
        using Out = OUT;                                \
        static __device__ Out of(u32 a, u32 b, u32 c) { \
            Out d;                                      \
            __VA_ARGS__;                                \
            return d;                                   \
        }                                               \
    };                                                  \
    static const bool added##ID = add_uniform<Operation##ID>(NAME)

// Sums, products, shifted sums.
UNIFORM(u32, "a+b+c", d = a + b + c);
UNIFORM(u32, "a-b-c", d = a - b - c);
UNIFORM(u32, "a+0x7fff", d = a + 0x7fff);
UNIFORM(u32, "b-a+7", d = b - a + 7);
UNIFORM(u32, "a*b", d = a * b);
UNIFORM(u32, "a*b+c", d = a * b + c);
UNIFORM(u32, "a*12+b", d = a * 12 + b);
UNIFORM(u32, "a*8+b", d = a * 8 + b);
UNIFORM(u32, "(a>>3)+b", d = (a >> 3) + b);
UNIFORM(u32, "(int(a)>>29)+b", d = (int(a) >> 29) + b);
UNIFORM(u32, "a+b*c, by halves", d = (a & 0xffff) * (b >> 16) + c);
UNIFORM(u64, "u64(a)*b", d = u64(a) * b);
UNIFORM(u64, "u64(a)*b+c", d = u64(a) * b + c);
UNIFORM(u64, "u64(a)*b+(u64(c)<<32)", d = u64(a) * b + (u64(c) << 32 | a));
UNIFORM(u64, "s64(a)*b", d = (long long)(int(a)) * int(b));
UNIFORM(u64, "s64(a)*b+c", d = (long long)(int(a)) * int(b) + int(c));
UNIFORM(u64, "ab+ca", d = (u64(a) << 32 | b) + (u64(c) << 32 | a));
UNIFORM(u64, "ab-ca", d = (u64(a) << 32 | b) - (u64(c) << 32 | a));
UNIFORM(u64, "ab*ca", d = (u64(a) << 32 | b) * (u64(c) << 32 | a));
UNIFORM(u64, "ab*8+ca", d = (u64(a) << 32 | b) * 8 + (u64(c) << 32 | a));
UNIFORM(u64, "ab+s64(c)*16", d = (u64(a) << 32 | b) + (long long)(int(c)) * 16);
UNIFORM(u64, "ab+u64(c)*4", d = (u64(a) << 32 | b) + u64(c) * 4);
UNIFORM(u64, "high of ab*ca", d = __umul64hi(u64(a) << 32 | b, u64(c) << 32 | a));
UNIFORM(u64, "s64(a)", d = (long long)(int(a)) - 3);
UNIFORM(u32, "a/b", d = a / (b | 1));
UNIFORM(u32, "int(a)/1000", d = int(a) / 1000);
UNIFORM(u32, "int(a)%64", d = int(a) % 64);
UNIFORM(u64, "ab/c", d = (u64(a) << 32 | b) / (c | 1));

// Logic, shifts, bytes, counts of bits.
UNIFORM(u32, "(a^b)&c", d = ((a ^ b) & c) + a);
UNIFORM(u32, "(a&b|~c)*3", d = (a & b | ~c) * 3);
UNIFORM(u32, "(a|0xff00)&b", d = ((a | 0xff00) & b) + c);
UNIFORM(u32, "a<<5", d = (a << 5) - b);
UNIFORM(u32, "a>>5", d = (a >> 5) * b);
UNIFORM(u32, "int(a)>>5", d = (int(a) >> 5) * b);
UNIFORM(u32, "a<<b", asm("shl.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); d += c);
UNIFORM(u32, "a>>b", asm("shr.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); d += c);
UNIFORM(u32, "int(a)>>b", asm("shr.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); d += c);
UNIFORM(u32, "shf.l.wrap", d = __funnelshift_l(a, b, c));
UNIFORM(u32, "shf.r.wrap", d = __funnelshift_r(a, b, c));
UNIFORM(u32, "shf.l.clamp", d = __funnelshift_lc(a, b, c));
UNIFORM(u32, "shf.r.clamp", d = __funnelshift_rc(a, b, c));
UNIFORM(u64, "ab<<c", asm("shl.b64 %0, %1, %2;" : "=l"(d) : "l"(u64(a) << 32 | b), "r"(c)));
UNIFORM(u64, "ab>>c", asm("shr.u64 %0, %1, %2;" : "=l"(d) : "l"(u64(a) << 32 | b), "r"(c)));
UNIFORM(u64, "s64(ab)>>c", asm("shr.s64 %0, %1, %2;" : "=l"(d) : "l"(u64(a) << 32 | b), "r"(c)));
UNIFORM(u64, "ab<<7", d = (u64(a) << 32 | b) << 7);
UNIFORM(u64, "ab>>7", d = (u64(a) << 32 | b) >> 7);
UNIFORM(u64, "s64(ab)>>40", d = (long long)(u64(a) << 32 | b) >> 40);
UNIFORM(u32, "prmt", d = __byte_perm(a, b, c));
UNIFORM(u32, "prmt 0x5140", d = __byte_perm(a, b, 0x5140) + c);
UNIFORM(u32, "popc", d = __popc(a) * b);
UNIFORM(u32, "clz", d = __clz(a) * b);
UNIFORM(u32, "ffs", d = __ffs(a) + c);
UNIFORM(u32, "brev", d = __brev(a) + b);
UNIFORM(u32, "bfe", d = (a >> 7 & 0x1ff) * b);
UNIFORM(u32, "mask", d = ((1u << (b & 31)) - 1) + a);
UNIFORM(u32, "bmsk", asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b)); d *= 3);

// Comparisons and selection.
#define CHOICE(NAME, ...) UNIFORM(u32, NAME, d = ((__VA_ARGS__) ? a : b) + c)
CHOICE("a<b", a < b); CHOICE("a>b", a > b); CHOICE("a<=b", a <= b); CHOICE("a>=b", a >= b);
CHOICE("a==b", a == b);
CHOICE("a!=b", a != b); CHOICE("int(a)<b", int(a) < int(b)); CHOICE("int(a)>b", int(a) > int(b));
CHOICE("int(a)<=b", int(a) <= int(b)); CHOICE("int(a)>=b", int(a) >= int(b)); CHOICE("a&4", (a & 4) != 0);
CHOICE("a<b&b<c", a < b && b < c); CHOICE("a<b|b<c", a < b || b < c);
CHOICE("int(a)<b|a==c", int(a) < int(b) || a == c);
CHOICE("int(a)>=b&a!=c", int(a) >= int(b) && a != c); CHOICE("xor of two", (a < b) != (int(b) < int(c)));
CHOICE("three", a < b && b != c || int(a) < 5); CHOICE("neither", !(a < b || b < c));
CHOICE("int(a)>7|b==3", int(a) > 7 || b == 3);
#define LONG_CHOICE(NAME, ...)                                                                 \
    UNIFORM(u32, NAME, const u64 x = u64(a & 3) << 32 | b; const u64 y = u64(b & 3) << 32 | c; \
            d = ((__VA_ARGS__) ? a : b) + c)
LONG_CHOICE("ab<bc", x < y); LONG_CHOICE("ab>bc", x > y); LONG_CHOICE("ab<=bc", x <= y);
LONG_CHOICE("ab>=bc", x >= y);
LONG_CHOICE("ab==bc", x == y); LONG_CHOICE("ab!=bc", x != y);
#define SIGNED_CHOICE(NAME, ...)                                                                   \
    UNIFORM(u32, NAME, const long long x = u64(a) << 32 | b; const long long y = u64(b) << 32 | c; \
            d = ((__VA_ARGS__) ? a : b) + c)
SIGNED_CHOICE("s64(ab)<bc", x < y); SIGNED_CHOICE("s64(ab)>bc", x > y);
SIGNED_CHOICE("s64(ab)>=bc|a<b", x >= y || a < b);
CHOICE("int(a)>9&int(b)>c", int(a) > 9 && int(b) > int(c));
CHOICE("a!=b|int(b)>c", a != b || int(b) > int(c));
CHOICE("int(a)>=b|int(b)>=c", int(a) >= int(b) || int(b) >= int(c)); CHOICE("a==b|b!=c", a == b || b != c);
CHOICE("all of three differ", a != b && b != c && a != c && int(a) < int(c));
CHOICE("two or none", (a < 9) + (b < 9) + (c < 9) == 2);
UNIFORM(u32, "byte of a parameter", d = (a & 0xff) * 3 + (b >> 8 & 0xff) * 5 + (c >> 16 & 0xffff));
UNIFORM(u32, "min", d = min(int(a), int(b)) * c);
UNIFORM(u32, "max", d = max(a, b) * c);
UNIFORM(u64, "min of 64", d = min(u64(a) << 32 | b, u64(b) << 32 | c) * 3);
UNIFORM(u64, "clamp of 64", d = min(max((long long)(u64(a) << 32 | b), -5ll), (long long)(c)) * 3);
UNIFORM(u32, "abs", d = abs(int(a)) * b);

// Loops and branches that the whole warp takes, and addresses.
UNIFORM(u32, "loop", u32 x = a; for (u32 i = 0; i < (b & 15); ++i) x = x * 3 + c; d = x);
UNIFORM(u32, "loop to a bound of 64 bits", u32 x = a;
        for (u64 i = b & 7; i < (u64(c & 1) << 32 | 20) && i < 25; i += 2) x = x * 5 + u32(i);
        d = x);
UNIFORM(u32, "loop with two conditions", u32 x = a; u64 left = u64(b & 3) << 30 | (c & 31); u32 k = 0;
        do { const u64 part = left < 0x40000000 ? left : 0x40000000; x = x * 3 + u32(part); left -= part;
            ++k; __syncthreads(); }
        while (left > 0 && k < (a & 7) + 1);
        d = x + u32(left));
UNIFORM(u32, "branches", u32 x = a + b; if (x & 1) x += c; else x ^= b; if (int(x) < 0) x = x >> 3 ^ a;
    d = x * 9);
UNIFORM(u32, "shared address", __shared__ u32 row[1024]; const u32 x = a + b + c;
    const u32 y = (x * c + a) & 511;
        row[y + threadIdx.x] = x; row[y + 1] = y; __syncwarp();
            d = row[y + threadIdx.x] * 3 + row[y + 1 + threadIdx.x]);

int main(int argc, char** argv) { return opcodes::run(argc, argv); }
