// Binary searches in global and in shared memory, and a merge path: dependent loads at addresses that part.
#include <algorithm>

#include "simt/test/agreement/check.h"

__device__ int lower_bound(const int* row, int n, int value) {
    int first = 0;
    while (n > 0) {
        const int half = n / 2;
        if (row[first + half] < value) {
            first += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return first;
}

__global__ void search(const int* sorted, int n, const int* values, int* out) {
    __shared__ int row[200];
    for (int k = threadIdx.x; k < 200; k += blockDim.x) row[k] = sorted[k];
    __syncthreads();
    const int value = values[global_thread()];
    out[global_thread()] = lower_bound(sorted, n, value) * 1000 + lower_bound(row, 200, value);
}

__global__ void merge(const int* a, const int* b, int n, int* out) {
    const int diagonal = global_thread() * 4;
    int low = max(0, diagonal - n), high = min(diagonal, n);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, k = diagonal - low;
    for (int step = 0; step < 4; ++step)
        out[diagonal + step] = k >= n || (i < n && a[i] <= b[k]) ? a[i++] : b[k++];
}

int main() {
    const int n = 500;
    std::vector<int> sorted(n);
    for (int i = 0; i < n; ++i) sorted[i] = random_word(i) % 4000;
    std::sort(sorted.begin(), sorted.end());
    Array<int> row(n, [&](int i) { return sorted[i]; }),
        values(128, [](int i) { return int(random_word(i + 600) % 4100); }), out(128);
    search<<<2, 64>>>(row, n, values, out);
    const auto bound = [&](int count, int value) {
        return int(std::lower_bound(sorted.begin(), sorted.begin() + count, value) - sorted.begin());
    };
    out.expect("search", [&](int i) { return bound(n, values[i]) * 1000 + bound(200, values[i]); });

    const int half = 128;
    Array<int> a(half, [&](int i) { return sorted[3 * i]; }),
        b(half, [&](int i) { return sorted[2 * i + 7]; }), all(2 * half);
    merge<<<1, 64>>>(a, b, half, all);
    std::vector<int> want;
    for (int i = 0; i < half; ++i) want.push_back(a[i]), want.push_back(b[i]);
    std::sort(want.begin(), want.end());
    all.expect("merge", [&](int i) { return want[i]; });
    return verdict();
}
