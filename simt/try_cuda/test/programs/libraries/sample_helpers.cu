// The headers that NVIDIA's samples include, in a form of this project's own.
// Arguments: --n=96 -verbose
// Prints: 96 1 right
// Counts: launches 1, requests 3
#include <helper_cuda.h>
#include <helper_functions.h>

__global__ void iota(float* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; }

int main(int argc, char** argv) {
    const int n = getCmdLineArgumentInt(argc, (const char**)argv, "n");
    const bool verbose = checkCmdLineFlag(argc, (const char**)argv, "verbose");
    findCudaDevice(argc, (const char**)argv);
    StopWatchInterface* timer = NULL;
    sdkCreateTimer(&timer);
    sdkStartTimer(&timer);
    std::vector<float> reference(n), result(n);
    for (int i = 0; i < n; ++i) reference[i] = i;
    float* out;
    checkCudaErrors(cudaMalloc((void**)&out, n * sizeof(float)));
    iota<<<1, n>>>(out);
    getLastCudaError("iota");
    checkCudaErrors(cudaMemcpy(result.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));
    sdkStopTimer(&timer);
    const bool same =
        sdkCompareL2fe(reference.data(), result.data(), n, 1e-6f) && sdkGetTimerValue(&timer) >= 0;
    sdkDeleteTimer(&timer);
    printf("%d %d %s\n", n, verbose, same ? "right" : "wrong");
}
