// Kernels that simt/bench/run.py times on machines of all kinds, by CPU time. Usage: kernels KERNEL N
//
// Prints the seconds of a launch, its elements, the bytes of the program's data, on the host and on the
// device, and the most memory that the process had. An element of the product of two N x N matrices is one
// multiplication and addition: N^3.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

constexpr int TILE = 1024, SIDE = 32, EDGE = 16;

__global__ void matrix_product(const float* a, const float* b, float* c, int n) {
    __shared__ float x[EDGE][EDGE], y[EDGE][EDGE];
    const int i = blockIdx.y * EDGE + threadIdx.y, j = blockIdx.x * EDGE + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += EDGE) {
        x[threadIdx.y][threadIdx.x] = a[i * n + k + threadIdx.x];
        y[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + j];
        __syncthreads();
        for (int t = 0; t < EDGE; ++t) sum += x[threadIdx.y][t] * y[t][threadIdx.x];
        __syncthreads();
    }
    c[i * n + j] = sum;
}

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

__global__ void saxpy(float a, const float* x, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = a * x[i] + y[i];
}

/// The seconds of a launch: of the first, if it takes long; else of later ones, as the first starts the
/// machine.
template <class Launch>
double seconds_of(Launch launch) {
    const auto seconds = [](std::clock_t since) { return double(std::clock() - since) / CLOCKS_PER_SEC; };
    std::clock_t start = std::clock();
    launch();
    const double first = seconds(start);
    if (first > 2) return first;
    int launches = 0;
    start = std::clock();
    for (; seconds(start) < 0.2; ++launches) launch();  // CPU time is told in ticks
    return seconds(start) / launches;
}

/// In bytes, of this process. (getrusage also tells that of the process that started it.)
size_t peak_of_memory() {
    size_t kibibytes = 0;
    char line[256];
    FILE* const status = std::fopen("/proc/self/status", "r");
    while (status != nullptr && std::fgets(line, sizeof line, status) != nullptr)
        if (std::sscanf(line, "VmHWM: %zu", &kibibytes) == 1) break;
    if (status != nullptr) std::fclose(status);
    return kibibytes * 1024;
}

float* on_device(const std::vector<float>& values) {
    float* device;
    cudaMalloc(&device, values.size() * sizeof(float));
    cudaMemcpy(device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice);
    return device;
}

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const char* const name = arguments[1];
    const int n = std::atoi(arguments[2]);
    const auto is = [=](const char* other) { return std::strcmp(name, other) == 0; };
    const bool of_matrices = is("matrix_product");
    const std::vector<float> ones(of_matrices ? size_t(n) * n : n, 1);
    float *x = on_device(ones), *y = on_device(ones), *z = of_matrices ? on_device(ones) : nullptr;
    double seconds = 0;
    if (of_matrices)
        seconds =
            seconds_of([=] { matrix_product<<<dim3(n / EDGE, n / EDGE), dim3(EDGE, EDGE)>>>(x, y, z, n); });
    if (is("hillis_steele")) seconds = seconds_of([=] { hillis_steele<<<n / TILE, TILE>>>(x, y); });
    if (is("copy")) seconds = seconds_of([=] { copy<<<n / 256, 256>>>(x, y); });
    if (is("transpose"))
        seconds = seconds_of([=] { transpose<<<n / (SIDE * SIDE), dim3(SIDE, SIDE)>>>(x, y); });
    if (is("saxpy")) seconds = seconds_of([=] { saxpy<<<n / 256, 256>>>(2, x, y); });
    const double elements = of_matrices ? double(n) * n * n : n;
    const size_t data = ones.size() * sizeof(float) * (of_matrices ? 4 : 3);
    std::printf("%.9f %.0f %zu %zu\n", seconds, elements, data, peak_of_memory());
    return cudaGetLastError() != cudaSuccess;
}
