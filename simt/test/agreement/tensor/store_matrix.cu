// stmatrix, to rows in shared memory that are so far apart that banks conflict.
#include "simt/test/agreement/check.h"
#include "simt/test/agreement/tensor/layouts.h"

/// COUNT matrices of eight rows of 16 bytes, STRIDE bytes from one to the next.
template <int COUNT, int STRIDE, bool TRANSPOSED>
__global__ void store(unsigned short* out) {
    __shared__ alignas(16) unsigned short rows[COUNT * 8 * STRIDE / 2 + 8];
    const auto at = unsigned(__cvta_generic_to_shared(rows)) + threadIdx.x % (8 * COUNT) * STRIDE;
    const unsigned d = threadIdx.x * 2 | (threadIdx.x * 2 + 1) << 16;
#define STORE(FORM, REGISTERS, ...)                                                                     \
    if (TRANSPOSED)                                                                                     \
        asm volatile("stmatrix.sync.aligned.m8n8." FORM ".trans.shared.b16 [%0], " REGISTERS ::"r"(at), \
                     __VA_ARGS__                                                                        \
                     : "memory");                                                                       \
    else                                                                                                \
        asm volatile("stmatrix.sync.aligned.m8n8." FORM ".shared.b16 [%0], " REGISTERS ::"r"(at),       \
                     __VA_ARGS__                                                                        \
                     : "memory")
    if (COUNT == 1) {
        STORE("x1", "{%1};", "r"(d));
    } else if (COUNT == 2) {
        STORE("x2", "{%1, %2};", "r"(d), "r"(d + 0x400040));
    } else {
        STORE("x4", "{%1, %2, %3, %4};", "r"(d), "r"(d + 0x400040), "r"(d + 0x800080), "r"(d + 0xc000c0));
    }
    __syncwarp();
    for (int k = threadIdx.x; k < COUNT * 64; k += 32) out[k] = rows[k / 8 * STRIDE / 2 + k % 8];
}

template <int COUNT, int STRIDE, bool TRANSPOSED>
void check() {
    Array<unsigned short> out(COUNT * 64);
    store<COUNT, STRIDE, TRANSPOSED><<<1, 32>>>(out);
    out.expect("store",
               [](int i) { return (unsigned short)(TRANSPOSED ? i / 64 * 64 + i % 8 * 8 + i / 8 % 8 : i); });
}

int main() {
#define CHECK(COUNT, STRIDE, TRANSPOSED) check<COUNT, STRIDE, TRANSPOSED>()
    EVERY_LAYOUT(CHECK);
#undef CHECK
    return verdict();
}
