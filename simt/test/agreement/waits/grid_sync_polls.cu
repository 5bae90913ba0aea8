// A cooperative launch: all blocks of the grid wait for one another between rounds.
#include <cooperative_groups.h>

#include "simt/test/agreement/check.h"

__global__ void rounds(int* data, int n, int count) {
    const auto grid = cooperative_groups::this_grid();
    for (int round = 0; round < count; ++round) {
        int value = 0;
        const int i = global_thread();
        if (i < n) value = data[(i + 1) % n] * 3 + data[(i + n - 1) % n];
        grid.sync();
        if (i < n) data[i] = value % 10007;
        grid.sync();
    }
}

int main() {
    int n = 250, count = 3;
    Array<int> data(n, [](int i) { return int(random_word(i) % 1000); });
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = data[i];
    int* device = data.device();
    void* parameters[] = {&device, &n, &count};
    ensure(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(rounds), dim3(4), dim3(64), parameters, 0,
                                       nullptr),
           "launch");
    for (int round = 0; round < count; ++round) {
        const std::vector<int> old = want;
        for (int i = 0; i < n; ++i) want[i] = (old[(i + 1) % n] * 3 + old[(i + n - 1) % n]) % 10007;
    }
    data.expect("rounds", [&](int i) { return want[i]; });
    return verdict();
}
