// Sums of floats and doubles in shared memory, by one warp: its lanes on one word, on a few, each on its own
// at another bank, and each on its own at the same one. An addition is a loop around a compare-and-swap that
// may fail, as it does where another lane has just added 0, too.
#include "simt/test/agreement/check.h"

constexpr int ROUNDS = 5;

/// `lanes` neighbours add to one word; words are `apart` from one another.
template <class T>
__global__ void sums(const unsigned* in, T* out, int lanes, int apart) {
    __shared__ T words[1024];
    for (int k = threadIdx.x; k < 1024; k += blockDim.x) words[k] = 0;
    __syncwarp();
    T* const word = words + threadIdx.x / lanes * apart;
    for (int r = threadIdx.x; r < 32 * ROUNDS; r += 32) atomicAdd(word, T(in[r] % 1024));
    __syncwarp();
    out[threadIdx.x] = *word;
}

template <class T>
void check(Array<unsigned>& in) {
    const int cases[][2] = {{32, 1}, {8, 1}, {2, 1}, {1, 1}, {1, 32}, {1, 16}, {4, 8}, {2, 4}, {3, 7}};
    for (const auto& each : cases) {
        const int lanes = each[0], apart = each[1];
        Array<T> out(32);
        sums<<<1, 32>>>(in.device(), out.device(), lanes, apart);
        out.expect("sum", [&](int t) {
            T sum = 0;
            for (int r = 0; r < 32 * ROUNDS; ++r)
                if (r % 32 / lanes == t / lanes) sum += T(in[r] % 1024);
            return sum;
        });
    }
}

int main() {
    Array<unsigned> in(32 * ROUNDS, [](int i) { return random_word(i); }), zeros(32 * ROUNDS);
    for (Array<unsigned>* each : {&in, &zeros}) check<float>(*each), check<double>(*each);
    return verdict();
}
