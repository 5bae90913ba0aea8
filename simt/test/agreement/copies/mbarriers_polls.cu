// Barriers in shared memory at which all threads arrive, some twice, and wait for phases: as in a pipeline of
// warps.
#include "kernels/fast/detail/bulk_copy.cuh"
#include "simt/test/agreement/check.h"

using namespace trial;

__global__ void exchange(const int* in, int* out, int rounds) {
    __shared__ int row[96];
    __shared__ Mbarrier full, empty;
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    if (t == 0) {
        full.init(32);
        empty.init(64);
    }
    __syncthreads();
    int sum = 0;
    for (int round = 0; round < rounds; ++round) {
        if (warp == 0) {
            if (round > 0) empty.wait((round - 1) % 2);
            for (int k = lane; k < 96; k += 32) row[k] = in[(blockIdx.x * rounds + round) * 96 + k];
            full.arrive();
        } else {
            full.wait(round % 2);
            sum = sum * 3 + row[t] + row[(t + 32 * round) % 96];
            empty.arrive();
        }
    }
    out[global_thread()] = sum;
}

int main() {
    const int blocks = 2, rounds = 4;
    Array<int> in(blocks * rounds * 96, [](int i) { return int(random_word(i) % 1000); }), out(blocks * 96);
    exchange<<<blocks, 96>>>(in, out, rounds);
    out.expect("exchange", [&](int i) {
        const int t = i % 96;
        int sum = 0;
        for (int round = 0; round < rounds && t >= 32; ++round) {
            const int first = (i / 96 * rounds + round) * 96;
            sum = sum * 3 + in[first + t] + in[first + (t + 32 * round) % 96];
        }
        return sum;
    });
    return verdict();
}
