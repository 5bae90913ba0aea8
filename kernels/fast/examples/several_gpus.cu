// One vector in parts, one part on each GPU of the host, scanned as a whole.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "kernels/multi_gpu/device_scan.cuh"
#include "kernels/multi_gpu/flag_exchange.cuh"
#include "kernels/multi_gpu/host_exchange.cuh"
#include "kernels/operators.cuh"

using Scan = trial::FastPartScan<int, trial::Sum<int>>;

int main() {
    constexpr long long PART = 30'000;
    int gpus = 0;
    if (cudaGetDeviceCount(&gpus) != cudaSuccess) return 1;
    gpus = std::min(gpus, 4);
    std::vector<std::unique_ptr<Scan>> scans;
    std::vector<trial::Part<Scan, int>> parts;  // in the order of the vector
    std::vector<int> devices;
    const std::vector<int> ones(PART, 1);
    cudaError_t status = cudaSuccess;
    for (int gpu = 0; gpu < gpus && status == cudaSuccess; ++gpu) {
        int* numbers = nullptr;
        status = cudaSetDevice(gpu);
        if (status == cudaSuccess) status = cudaMalloc(&numbers, PART * sizeof(int));
        if (status == cudaSuccess)
            status = cudaMemcpy(numbers, ones.data(), PART * sizeof(int), cudaMemcpyHostToDevice);
        scans.push_back(std::make_unique<Scan>(PART));
        if (status == cudaSuccess) status = scans.back()->status();
        parts.push_back({gpu, nullptr, scans.back().get(), numbers, numbers, PART});
        devices.push_back(gpu);
    }
    trial::FlagExchange<int> exchange(devices);
    const bool by_flags = exchange.status() == cudaSuccess;  // GPUs that reach one another's memory
    if (status == cudaSuccess)
        status = by_flags ? trial::scan_parts(parts, trial::Sum<int>{}, exchange)
                          : trial::scan_parts(parts, trial::Sum<int>{});  // through the host
    const std::string problem = by_flags && status == cudaSuccess ? exchange.wait(parts) : "";

    bool right = status == cudaSuccess && problem.empty();
    for (int gpu = 0; gpu < gpus && right; ++gpu) {
        std::vector<int> found(PART);
        (void)cudaSetDevice(gpu);
        right = cudaDeviceSynchronize() == cudaSuccess &&
                cudaMemcpy(found.data(), parts[gpu].out, PART * sizeof(int), cudaMemcpyDeviceToHost) ==
                    cudaSuccess;
        for (long long i = 0; i < PART; ++i) right = right && found[i] == gpu * PART + i + 1;
        (void)cudaFree(parts[gpu].out);
    }
    std::printf("%s %s: %d GPUs\n", cudaGetErrorString(status), problem.c_str(), gpus);
    return right ? 0 : 1;
}
