// Asynchronous copies to shared memory, of 4, 8 and 16 bytes, by all threads and by some, in a pipeline of
// two stages.
#include <cuda_pipeline.h>

#include "simt/test/agreement/check.h"

template <class T>
__global__ void staged(const T* in, int* out, int stages) {
    __shared__ T row[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    const auto load = [&](int stage) {
        if (stage < stages && t % 3 != 2)
            __pipeline_memcpy_async(&row[stage % 2][t], in + (blockIdx.x * stages + stage) * 64 + t,
                                    sizeof(T));
        __pipeline_commit();
    };
    if (t % 3 == 2) row[0][t] = row[1][t] = T{};
    load(0);
    for (int stage = 0; stage < stages; ++stage) {
        load(stage + 1);
        __pipeline_wait_prior(1);
        __syncthreads();
        sum = sum * 3 + *reinterpret_cast<const int*>(&row[stage % 2][t ^ 5]);
        __syncthreads();
    }
    out[global_thread()] = sum;
}

template <class T>
void check(const char* name) {
    const int blocks = 2, stages = 4, words = sizeof(T) / 4;
    Array<int> in(blocks * stages * 64 * words, [](int i) { return int(random_word(i) % 1000); }),
        out(blocks * 64);
    staged<<<blocks, 64>>>(reinterpret_cast<const T*>(in.device()), out.device(), stages);
    out.expect(name, [&](int i) {
        int sum = 0;
        for (int stage = 0; stage < stages; ++stage) {
            const int from = i % 64 ^ 5;
            sum = sum * 3 + (from % 3 == 2 ? 0 : in[((i / 64 * stages + stage) * 64 + from) * words]);
        }
        return sum;
    });
}

int main() {
    check<int>("4 bytes");
    check<int2>("8 bytes");
    check<int4>("16 bytes");
    return verdict();
}
