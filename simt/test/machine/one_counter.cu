// Every warp of a grid of many waves adds to one word: L2 serves the additions one after the other.
#include "simt/test/agreement/check.h"

constexpr int BLOCKS = 1 << 14, THREADS = 256, ROUNDS = 8;

__global__ void count(unsigned* counter) {
    for (int r = 0; r < ROUNDS; ++r)
        if (threadIdx.x % 32 == 0) atomicAdd(counter, 1u);
}

int main() {
    Array<unsigned> counter(1);
    count<<<BLOCKS, THREADS>>>(counter);
    counter.expect("counter", [](int) { return BLOCKS * (THREADS / 32) * ROUNDS; });
    return verdict();
}
