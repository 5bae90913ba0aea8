// Parameters of more than 4 KiB: the one behind them is where it should be.
// Prints: 15996000
// Counts: launches 1
#include <cstdio>

struct Words {
    int word[4000];
};

__global__ void sum(__grid_constant__ const Words words, int* out) {
    int total = 0;
    const int* from = words.word;
    for (int i = 0; i < 4000; ++i) total += from[i ^ int(words.word[i] < 0)];
    *out = 2 * total;
}

int main() {
    Words words;
    for (int i = 0; i < 4000; ++i) words.word[i] = i;
    int* out;
    cudaMallocManaged(&out, sizeof(int));
    sum<<<1, 1>>>(words, out);
    cudaDeviceSynchronize();
    std::printf("%d\n", *out);
}
