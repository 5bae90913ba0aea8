// Blocks and grids of two and three dimensions, whose warps run through x, then y, then z.
#include "simt/test/agreement/check.h"

__global__ void plane(const int* in, int* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const int left = x > 0 ? in[y * width + x - 1] : 0, above = y > 0 ? in[(y - 1) * width + x] : 0;
    out[y * width + x] = in[y * width + x] * 3 - left - above;
}

__global__ void space(int* out) {
    __shared__ int row[96];
    const int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    row[t] = threadIdx.x * 100 + threadIdx.y * 10 + threadIdx.z;
    __syncthreads();
    const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    out[block * 96 + t] = row[(t * 7 + block) % 96] + (threadIdx.z > 0 && threadIdx.y == 1 ? 1000 : 0);
}

int main() {
    const int width = 37, height = 21;
    Array<int> in(width * height, [](int i) { return int(random_word(i) % 100); }), out(width * height);
    plane<<<dim3(5, 6), dim3(8, 4)>>>(in, out, width, height);
    out.expect("plane", [&](int i) {
        const int x = i % width, y = i / width;
        return in[i] * 3 - (x > 0 ? in[i - 1] : 0) - (y > 0 ? in[i - width] : 0);
    });
    Array<int> cells(12 * 96);
    space<<<dim3(3, 2, 2), dim3(6, 4, 4)>>>(cells);
    cells.expect("space", [](int i) {
        const int t = i % 96, from = (t * 7 + i / 96) % 96;
        const bool extra = t / 24 > 0 && t / 6 % 4 == 1;
        return from % 6 * 100 + from / 6 % 4 * 10 + from / 24 + (extra ? 1000 : 0);
    });
    return verdict();
}
