// All threads swap into one word: until it holds the largest value; once each, which fails for all but one.
#include "simt/test/agreement/check.h"

constexpr int BLOCKS = 264, THREADS = 256;

__global__ void find_most(unsigned* most) {
    const unsigned own = blockIdx.x * THREADS + threadIdx.x;
    for (unsigned there = *most; there < own;) {
        const unsigned before = atomicCAS(most, there, own);
        there = before == there ? own : before;
    }
}
__global__ void try_once(unsigned* word) { atomicCAS(word, 0u, 1u); }

int main() {
    Array<unsigned> most(1), word(1);
    find_most<<<BLOCKS, THREADS>>>(most);
    try_once<<<BLOCKS, THREADS>>>(word);
    most.expect("most", [](int) { return BLOCKS * THREADS - 1; });
    word.expect("word", [](int) { return 1; });
    return verdict();
}
