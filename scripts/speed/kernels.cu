// Three kernels on `n` elements, timed by CPU time: what scripts/try_speed.py compares. Usage: kernels n
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

constexpr int TILE = 1024, SIDE = 32;

__global__ void hillis_steele(const float* in, float* out) {
    __shared__ float tile[TILE];
    const int t = threadIdx.x, i = blockIdx.x * TILE + t;
    tile[t] = in[i];
    __syncthreads();
    for (int stride = 1; stride < TILE; stride *= 2) {
        const float left = t >= stride ? tile[t - stride] : 0;
        __syncthreads();
        tile[t] += left;
        __syncthreads();
    }
    out[i] = tile[t];
}

__global__ void copy(const float* in, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

__global__ void transpose(const float* in, float* out) {
    __shared__ float tile[SIDE][SIDE];
    const int i = (blockIdx.x * SIDE + threadIdx.y) * SIDE + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x][threadIdx.y];
}

template <class Launch>
void time(const char* name, Launch launch) {
    launch();  // the first call starts the machine
    double seconds = 0;
    int launches = 0;
    for (const std::clock_t start = std::clock(); seconds < 0.2; ++launches) {  // CPU time is told in ticks
        launch();
        seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    }
    std::printf("%s %.9f\n", name, seconds / launches);
}

int main(int count, char** arguments) {
    const int n = count > 1 ? std::atoi(arguments[1]) : 1 << 16;
    std::vector<float> ones(n, 1);
    float *in, *out;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, n * sizeof(float));
    cudaMemcpy(in, ones.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    time("hillis_steele", [=] { hillis_steele<<<n / TILE, TILE>>>(in, out); });
    time("copy", [=] { copy<<<n / 256, 256>>>(in, out); });
    time("transpose", [=] { transpose<<<n / (SIDE * SIDE), dim3(SIDE, SIDE)>>>(in, out); });
}
