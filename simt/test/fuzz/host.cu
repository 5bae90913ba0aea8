// Runs those kernels of a batch whose numbers of threads are given, and prints: kernel, word, value.
// The kernels here are empty: build.py puts others of the same names into their place.
#include "run.h"

#define EMPTY(k) \
    extern "C" __global__ void kernel_##k(const Word*, Word*) {}
#define FOUR(a, b, c, d) EMPTY(a) EMPTY(b) EMPTY(c) EMPTY(d)
FOUR(0, 1, 2, 3);
FOUR(4, 5, 6, 7);
FOUR(8, 9, 10, 11);
FOUR(12, 13, 14, 15);

using Kernel = void (*)(const Word*, Word*);
const Kernel kernels[] = {kernel_0,  kernel_1,  kernel_2,  kernel_3, kernel_4,  kernel_5,
                          kernel_6,  kernel_7,  kernel_8,  kernel_9, kernel_10, kernel_11,
                          kernel_12, kernel_13, kernel_14, kernel_15};

int main(int argc, char** argv) {
    check(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 14));
    for (int k = 0; k + 1 < argc; k++) {
        const int threads = std::atoi(argv[k + 1]);
        if (threads == 0) continue;
        const std::vector<Word> words = run(kernels[k], threads);
        for (size_t j = 0; j < words.size(); j++) std::printf("%d %zu %llx\n", k, j, words[j]);
        std::fflush(stdout);
    }
}
