// The work-efficient scan of one block, after Harris, Sengupta and Owens, "Parallel prefix sum (scan) with
// CUDA", GPU Gems 3, chapter 39: an up-sweep, a cleared root, a down-sweep.
//
//     -D CONFLICT_FREE   inserts a word of padding after every 32
//     -D NO_BARRIER      leaves the down-sweep's barrier out
#include <cstdio>

#ifdef CONFLICT_FREE
#define CONFLICT_FREE_OFFSET(n) ((n) >> 5)
#else
#define CONFLICT_FREE_OFFSET(n) 0
#endif

__device__ int place(int i) { return i + CONFLICT_FREE_OFFSET(i); }

__global__ void prescan(float* out, const float* in, int n) {
    extern __shared__ float temp[];
    const int t = threadIdx.x, low = t, high = t + n / 2;
    temp[place(low)] = in[low];
    temp[place(high)] = in[high];

    int offset = 1;
    for (int active = n / 2; active > 0; active /= 2, offset *= 2) {
        __syncthreads();
        if (t < active) {
            const int left = place(offset * (2 * t + 1) - 1), right = place(offset * (2 * t + 2) - 1);
            temp[right] += temp[left];
        }
    }
    if (t == 0) temp[place(n - 1)] = 0;

    for (int active = 1; active < n; active *= 2) {
        offset /= 2;
#ifndef NO_BARRIER
        __syncthreads();
#endif
        if (t < active) {
            const int left = place(offset * (2 * t + 1) - 1), right = place(offset * (2 * t + 2) - 1);
            const float old = temp[left];
            temp[left] = temp[right];
            temp[right] += old;
        }
    }
    __syncthreads();
    out[low] = temp[place(low)];
    out[high] = temp[place(high)];
}

int main() {
    const int n = 1024;
    float host[n], *in, *out;
    for (int i = 0; i < n; ++i) host[i] = 1;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, sizeof(host));
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    prescan<<<1, n / 2, (n + n / 32) * sizeof(float)>>>(out, in, n);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        if (host[i] != i) return std::printf("element %d is %g\n", i, host[i]), 1;
    std::printf("right\n");
    cudaFree(in);
    cudaFree(out);
}
