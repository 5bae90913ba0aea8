// How many passes over the banks does a shared-memory load take? One warp executes one load, for many
// patterns of active lanes and addresses, and the GPU's hardware counter gives the answer. It is recorded in
// results/nvidia-h200/wavefronts.csv; simt/requests.cpp implements the rule.
//
//     nvcc -arch=native -o wavefronts simt/count/wavefronts.cu
//     ncu --clock-control none --csv \
//         --metrics smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum ./wavefronts
//
// Prints a line per launch, in order: bytes per lane, mask of active lanes, then the element that each lane
// reads.
#include <cstdio>
#include <random>

constexpr int PATTERNS = 80;

template <class T>
__global__ void load(const int* element, unsigned mask, T* out) {
    __shared__ T tile[1024];
    for (int i = threadIdx.x; i < 1024; i += 32) tile[i] = T{};
    __syncthreads();
    if (mask >> threadIdx.x & 1) out[threadIdx.x] = tile[element[threadIdx.x]];
}

template <class T>
void probe(int pattern) {
    std::mt19937 random(pattern * 7 + sizeof(T));
    const int stride = 1 << (random() % 6);
    int element[32];
    for (int lane = 0; lane < 32; ++lane) {
        switch (pattern % 6) {
            case 0: element[lane] = random() % 1024; break;
            case 1: element[lane] = lane * stride; break;
            case 2: element[lane] = lane * stride + lane / 16 * (random() % 3); break;
            case 3: element[lane] = random() % 8 * 16 + random() % 4; break;
            case 4: element[lane] = random() % 64; break;
            default: element[lane] = lane % 16 * stride + lane / 16;
        }
        element[lane] %= 1024;
    }
    unsigned mask = 0xffffffffu;
    if (pattern % 5 == 1) mask = random();
    if (pattern % 5 == 2) mask = random() & random();
    if (pattern % 5 == 3) mask = 0x00010001u << (random() % 16);
    if (pattern % 5 == 4 && pattern % 2 == 1) mask = 0xffffu << (random() % 2 * 16);
    if (mask == 0) mask = 1;

    int* elements;
    T* out;
    cudaMalloc(&elements, sizeof(element));
    cudaMalloc(&out, 32 * sizeof(T));
    cudaMemcpy(elements, element, sizeof(element), cudaMemcpyHostToDevice);
    load<T><<<1, 32>>>(elements, mask, out);
    if (cudaDeviceSynchronize() != cudaSuccess) {
        std::fprintf(stderr, "wavefronts: %s; is there a GPU?\n", cudaGetErrorString(cudaGetLastError()));
        std::exit(1);
    }
    std::printf("%d,%u", int(sizeof(T)), mask);
    for (const int e : element) std::printf(",%d", e);
    std::printf("\n");
    cudaFree(elements);
    cudaFree(out);
}

int main() {
    for (int pattern = 0; pattern < PATTERNS; ++pattern) {
        probe<float>(pattern);
        probe<double>(pattern);
        probe<float4>(pattern);
    }
}
