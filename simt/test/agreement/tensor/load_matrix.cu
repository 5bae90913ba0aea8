// ldmatrix, from rows in shared memory that are so far apart that banks conflict, and movmatrix.
#include "simt/test/agreement/check.h"
#include "simt/test/agreement/tensor/layouts.h"

/// Rows of 16 bytes, STRIDE bytes from one to the next, of which the warp loads COUNT matrices of eight.
template <int COUNT, int STRIDE, bool TRANSPOSED>
__global__ void load(unsigned* out) {
    __shared__ alignas(16) unsigned short rows[32 * STRIDE / 2 + 8];
    for (int k = threadIdx.x; k < 32 * 8; k += 32) rows[k / 8 * STRIDE / 2 + k % 8] = (unsigned short)k;
    __syncwarp();
    const auto at = unsigned(__cvta_generic_to_shared(rows)) + threadIdx.x * STRIDE;
    unsigned d[4] = {};
#define LOAD(FORM, REGISTERS, ...)                                                     \
    if (TRANSPOSED)                                                                    \
        asm volatile("ldmatrix.sync.aligned.m8n8." FORM ".trans.shared.b16 " REGISTERS \
                     : __VA_ARGS__                                                     \
                     : "r"(at));                                                       \
    else                                                                               \
        asm volatile("ldmatrix.sync.aligned.m8n8." FORM ".shared.b16 " REGISTERS : __VA_ARGS__ : "r"(at))
    if (COUNT == 1) {
        LOAD("x1", "{%0}, [%1];", "=r"(d[0]));
    } else if (COUNT == 2) {
        LOAD("x2", "{%0, %1}, [%2];", "=r"(d[0]), "=r"(d[1]));
    } else {
        LOAD("x4", "{%0, %1, %2, %3}, [%4];", "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]));
    }
    for (int k = 0; k < COUNT; ++k) out[k * 32 + threadIdx.x] = d[k];
}

/// The words of matrices whose element in row r and column c is 8 r + c.
unsigned wanted(int i, bool transposed) {
    const int row = i % 32 / 4 + i / 32 * 8, column = i % 4 * 2;
    if (!transposed) return unsigned(8 * row + column) | unsigned(8 * row + column + 1) << 16;
    const int first = i / 32 * 64 + column * 8 + i % 32 / 4;
    return unsigned(first) | unsigned(first + 8) << 16;
}

template <int COUNT, int STRIDE, bool TRANSPOSED>
void check() {
    Array<unsigned> out(COUNT * 32);
    load<COUNT, STRIDE, TRANSPOSED><<<1, 32>>>(out);
    out.expect("load", [](int i) { return wanted(i, TRANSPOSED); });
}

/// Of the row that a lane names in the k-th load, in bytes: one row for all; every second one; the rows of
/// all matrices where one conflicts with the other.
__host__ __device__ unsigned offset_of(int k, unsigned lane) {
    const unsigned at[] = {0,
                           lane / 2 * 16,
                           lane / 8 * 128,
                           lane % 8 * 128 + lane / 8 * 16,
                           lane % 4 * 16,
                           (lane * 7 & 31) * 16,
                           lane % 2 * 128 + lane / 2 * 16,
                           lane * 16 + lane / 4 * 64};
    return at[k];
}
__global__ void load_some(unsigned* out) {
    __shared__ alignas(16) unsigned words[1024];
    for (int k = threadIdx.x; k < 1024; k += 32) words[k] = k;
    __syncwarp();
    const auto base = unsigned(__cvta_generic_to_shared(words));
    const unsigned lane = threadIdx.x;
    for (int k = 0; k < 8; ++k) {
        unsigned d[4];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3])
                     : "r"(base + offset_of(k, lane)));
        for (int m = 0; m < 4; ++m) out[(k * 4 + m) * 32 + lane] = d[m];
    }
}
__global__ void move(unsigned* out) {
    unsigned x = threadIdx.x * 2 | (threadIdx.x * 2 + 1) << 16;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %0;" : "+r"(x));
    out[threadIdx.x] = x;
}

int main() {
#define CHECK(COUNT, STRIDE, TRANSPOSED) check<COUNT, STRIDE, TRANSPOSED>()
    EVERY_LAYOUT(CHECK);
#undef CHECK
    Array<unsigned> some(8 * 4 * 32), moved(32);
    load_some<<<1, 32>>>(some);
    some.expect("some", [](int i) {
        return offset_of(i / 128, unsigned(i / 32 % 4 * 8 + i % 32 / 4)) / 4 + unsigned(i % 4);
    });
    move<<<1, 32>>>(moved);
    moved.expect("move", [](int i) { return wanted(i, true); });
    return verdict();
}
