// Atomics by lanes that have parted: in branches, in loops of a lane's length, on words that few or many
// share.
#include <algorithm>

#include "simt/test/agreement/check.h"

__global__ void scatter(const unsigned* in, int* sums, int* places) {
    __shared__ int own[16];
    const int t = threadIdx.x;
    if (t < 16) own[t] = 0;
    __syncthreads();
    const unsigned x = in[global_thread()];
    for (unsigned k = 0; k < x % 5; ++k) atomicAdd(own + (x >> 4 + k & 15), static_cast<int>(k + 1));
    if (x & 0x100) {
        if (x & 0x200)
            atomicAdd(sums + x % 3, 2);
        else
            atomicMax(sums + 3 + x % 2, static_cast<int>(x >> 16));
    } else if ((x & 0xc00) == 0) {
        places[global_thread()] = atomicExch(sums + 32 + global_thread(), t) + 1;
    }
    __syncthreads();
    if (t < 16 && own[t] > 0) atomicAdd(sums + 8 + t, own[t]);
}

int main() {
    const int n = 192;
    Array<unsigned> in(n, [](int i) { return random_word(i); });
    Array<int> sums(32 + n), places(n);
    scatter<<<2, 96>>>(in, sums, places);
    std::vector<int> want(32 + n), want_places(n);
    for (int i = 0; i < n; ++i) {
        const unsigned x = in[i];
        for (unsigned k = 0; k < x % 5; ++k) want[8 + (x >> 4 + k & 15)] += k + 1;
        if ((x & 0x300) == 0x300)
            want[x % 3] += 2;
        else if (x & 0x100)
            want[3 + x % 2] = std::max(want[3 + x % 2], int(x >> 16));
        else if ((x & 0xc00) == 0)
            want[32 + i] = i % 96, want_places[i] = 1;
    }
    sums.expect("sums", [&](int i) { return want[i]; });
    places.expect("places", [&](int i) { return want_places[i]; });
    return verdict();
}
