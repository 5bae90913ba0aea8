// What the checks see of matrices: races of ldmatrix and stmatrix with what other warps do, and what of a
// product is undefined if a part of its factors is. The argument says which.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__device__ unsigned address_of(const void* shared) { return unsigned(__cvta_generic_to_shared(shared)); }

__device__ unsigned load(unsigned at) {
    unsigned word;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(word) : "r"(at) : "memory");
    return word;
}

/// One warp writes the rows that the other one loads. BARRIER: in between.
template <bool BARRIER>
__global__ void load_what_others_write(unsigned* out) {
    __shared__ alignas(16) unsigned rows[32];
    const unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) rows[lane] = 0;
    __syncthreads();
    if (threadIdx.x < 32) rows[lane] = lane;
    if (BARRIER) __syncthreads();
    if (threadIdx.x >= 32) out[lane] = load(address_of(rows) + lane % 8 * 16);
}
/// One warp stores the rows that the other one reads.
template <bool BARRIER>
__global__ void store_what_others_read(unsigned* out) {
    __shared__ alignas(16) unsigned rows[32];
    const unsigned lane = threadIdx.x % 32;
    if (threadIdx.x < 32) rows[lane] = 0;
    __syncthreads();
    if (threadIdx.x < 32)
        asm volatile(
            "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(address_of(rows) + lane % 8 * 16),
            "r"(lane)
            : "memory");
    if (BARRIER) __syncthreads();
    if (threadIdx.x >= 32) out[lane] = rows[lane];
}
/// The lanes from eight on name no row: theirs would be another warp's.
__global__ void rows_of_eight_lanes(unsigned* out) {
    __shared__ alignas(16) unsigned rows[2][128];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    rows[warp][lane] = lane;
    __syncwarp();
    out[threadIdx.x] = load(address_of(rows[warp]) + (lane < 8 ? lane * 16 : 512 - warp * 512));
}

/// A, of which nobody has written row 3, times B. Which elements of the product are used?
enum class Used { all, without_row, none_of_product };
template <Used USED>
__global__ void row_that_nobody_wrote(float* out) {
    __shared__ alignas(16) unsigned rows[16 * 4];
    const unsigned lane = threadIdx.x;
    for (unsigned k = lane; k < 64; k += 32)
        if (k / 4 != 3) rows[k] = 0x3c003c00;
    __syncwarp();
    unsigned a[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(a[0]), "=r"(a[1])
                 : "r"(address_of(rows) + lane % 16 * 16));
    float c[4] = {};
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(0x3c003c00));
    if (USED == Used::none_of_product) c[0] = c[1] = c[2] = c[3] = 0;
    if (USED == Used::all || lane / 4 != 3) out[lane * 4] = c[0], out[lane * 4 + 1] = c[1];
    out[lane * 4 + 2] = c[2], out[lane * 4 + 3] = c[3];
}
/// The same word in another lane, by stmatrix or movmatrix and back.
template <bool THROUGH_MEMORY, bool USED>
__global__ void moved(unsigned* out) {
    __shared__ alignas(16) unsigned rows[2][32];
    const unsigned lane = threadIdx.x;
    if (lane != 9) rows[0][lane] = lane;
    __syncwarp();
    unsigned word = load(address_of(rows[0]) + lane % 8 * 16);
    if (THROUGH_MEMORY) {
        asm volatile("stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 [%0], {%1};" ::"r"(address_of(rows[1]) +
                                                                                        lane % 8 * 16),
                     "r"(word)
                     : "memory");
        __syncwarp();
        word = rows[1][lane];
    } else {
        asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(word) : "r"(word));
    }
    // Row 2, columns 2 and 3, are now columns 2 of rows 2 and 3: lanes 9 and 13.
    if (USED || (lane != 9 && lane != 13)) out[lane] = word + 1;
}
/// A product by half a warp, which PTX leaves undefined.
__global__ void by_half_a_warp(float* out) {
    float c[4] = {};
    if (threadIdx.x < 16)
        asm volatile(
            "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%4}, "
            "{%0, %1, %2, %3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(threadIdx.x));
    out[threadIdx.x] = c[0];
}

int main(int argc, char** argv) {
    const int which = argc > 1 ? std::atoi(argv[1]) : 0;
    unsigned* out;
    cudaMalloc(&out, 1024);
    const auto floats = reinterpret_cast<float*>(out);
    switch (which) {
        case 0: load_what_others_write<true><<<1, 64>>>(out); break;
        case 1: load_what_others_write<false><<<1, 64>>>(out); break;
        case 2: store_what_others_read<true><<<1, 64>>>(out); break;
        case 3: store_what_others_read<false><<<1, 64>>>(out); break;
        case 4: rows_of_eight_lanes<<<1, 64>>>(out); break;
        case 5: row_that_nobody_wrote<Used::all><<<1, 32>>>(floats); break;
        case 6: row_that_nobody_wrote<Used::without_row><<<1, 32>>>(floats); break;
        case 7: row_that_nobody_wrote<Used::none_of_product><<<1, 32>>>(floats); break;
        case 8: moved<true, true><<<1, 32>>>(out); break;
        case 9: moved<true, false><<<1, 32>>>(out); break;
        case 10: moved<false, true><<<1, 32>>>(out); break;
        case 11: moved<false, false><<<1, 32>>>(out); break;
        default: by_half_a_warp<<<1, 32>>>(floats);
    }
    std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
