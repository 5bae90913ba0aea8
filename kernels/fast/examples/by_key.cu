// Sales by day: the running total of each day, and the total of each.
#include <cstdio>
#include <vector>

#include "kernels/fast/all.cuh"

int main() {
    const std::vector<int> days = {1, 1, 1, 2, 5, 5}, sales = {3, 4, 5, 6, 7, 8};
    const long long n = 6;
    int* device = nullptr;  // days, sales, running, which, totals: 6 each
    long long* number_of_days = nullptr;
    const trial::Workspace workspace(trial::bytes_needed<int>(n), nullptr);
    cudaError_t status = workspace.status();
    if (status == cudaSuccess) status = cudaMalloc(&device, 5 * n * sizeof(int));
    if (status == cudaSuccess) status = cudaMalloc(&number_of_days, sizeof(*number_of_days));
    if (status == cudaSuccess)
        status = cudaMemcpy(device, days.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    if (status == cudaSuccess)
        status = cudaMemcpy(device + n, sales.data(), n * sizeof(int), cudaMemcpyHostToDevice);

    const int *const by = device, *const of = device + n;
    int *const running = device + 2 * n, *const which = device + 3 * n, *const totals = device + 4 * n;
    const trial::Sum<int> plus;
    if (status == cudaSuccess)
        status = trial::inclusive_scan_by_key(workspace, by, of, running, n, plus, nullptr);
    if (status == cudaSuccess)
        status = trial::reduce_by_key(workspace, by, of, which, totals, number_of_days, n, plus, nullptr);

    std::vector<int> found(5 * n);
    long long count = 0;
    if (status == cudaSuccess)
        status = cudaMemcpy(&count, number_of_days, sizeof(count), cudaMemcpyDeviceToHost);
    if (status == cudaSuccess)  // which and totals hold `count` elements
        status = cudaMemcpy(found.data(), device, 3 * n * sizeof(int), cudaMemcpyDeviceToHost);
    if (status == cudaSuccess)
        status = cudaMemcpy(&found[3 * n], which, count * sizeof(int), cudaMemcpyDeviceToHost);
    if (status == cudaSuccess)
        status = cudaMemcpy(&found[4 * n], totals, count * sizeof(int), cudaMemcpyDeviceToHost);
    (void)cudaFree(device);
    (void)cudaFree(number_of_days);
    std::printf("%s\n", cudaGetErrorString(status));
    for (long long d = 0; d < count; ++d) std::printf("day %d: %d\n", found[3 * n + d], found[4 * n + d]);
    const std::vector<int> expected = {3, 7, 12, 6, 7, 15};
    const bool right = std::vector<int>(found.begin() + 2 * n, found.begin() + 3 * n) == expected &&
                       count == 3 && found[4 * n] == 12 && found[4 * n + 1] == 6 && found[4 * n + 2] == 15;
    return status == cudaSuccess && right ? 0 : 1;
}
