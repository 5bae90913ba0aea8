// Words of shared and global memory that all lanes, halves or pairs of a warp read together, of 4, 8 and 16
// bytes.
#include "simt/test/agreement/check.h"

template <class T>
__global__ void broadcast(const T* in, T* out) {
    __shared__ T row[128];
    const int t = threadIdx.x, i = global_thread();
    row[t] = in[i];
    __syncthreads();
    T all[4] = {row[blockIdx.x], row[t / 16], row[t / 2], row[(t % 32 < 16 ? 3 : 35) + t / 32]};
    for (int k = 0; k < 4; ++k) out[(i * 4 + k)] = all[k];
    out[gridDim.x * 512 + i] = in[t / 8 + blockIdx.x];
}

template <class T>
void check(const char* name) {
    const int words = sizeof(T) / 4, blocks = 2, n = blocks * 128;
    Array<int> in(n * words, [](int i) { return int(random_word(i)); }), out(n * 5 * words);
    broadcast<<<blocks, 128>>>(reinterpret_cast<const T*>(in.device()), reinterpret_cast<T*>(out.device()));
    out.expect(name, [&](int at) {
        const int element = at / words, word = at % words;
        if (element >= n * 4)
            return in[((element - n * 4) % 128 / 8 + (element - n * 4) / 128) * words + word];
        const int i = element / 4, k = element % 4, block = i / 128, t = i % 128;
        const int from[4] = {block, t / 16, t / 2, (t % 32 < 16 ? 3 : 35) + t / 32};
        return in[(block * 128 + from[k]) * words + word];
    });
}

int main() {
    check<int>("words");
    check<int2>("pairs");
    check<int4>("quadruples");
    return verdict();
}
