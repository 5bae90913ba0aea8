// Uniform registers, of which a warp has one, in code that only some of its lanes execute.
//
//     uniform_words CASE     ends with status 1 if a result is wrong
#include <cstdio>
#include <cstdlib>

constexpr int ROUNDS = 5;

/// The compiler counts the rounds in a uniform register, which each lane that leaves the addition's loop
/// steps; or, BY_LANE, each lane counts its own.
template <class T, bool BY_LANE = false>
__global__ void sum(int rounds, int lanes, unsigned* out) {
    __shared__ T words[32];
    words[threadIdx.x] = 0;
    __syncwarp();
    const int first = BY_LANE ? int(threadIdx.x) : 0;
#pragma unroll 1
    for (int r = first; r < first + rounds; ++r) atomicAdd(&words[threadIdx.x / lanes], T(1));
    __syncwarp();
    out[threadIdx.x] = unsigned(words[threadIdx.x / lanes]) * 32 / lanes;
}
/// Lanes part, and each side sets uniform registers for itself.
__global__ void parted(int rounds, int, unsigned* out) {
    __shared__ unsigned words[64];
    words[threadIdx.x] = 0, words[threadIdx.x + 32] = 0;
    __syncwarp();
    if (threadIdx.x % 3 == 0) {
#pragma unroll 1
        for (int r = 0; r < rounds; ++r) atomicAdd(&words[r], blockDim.x);
    } else {
#pragma unroll 1
        for (int r = 0; r < 2 * rounds; ++r) atomicExch(&words[32 + r], gridDim.x + rounds);
    }
    __syncwarp();
    unsigned all = 0;
    for (int r = 0; r < 64; ++r) all += words[r];
    const unsigned first = 11 * 32 * rounds, second = 2 * rounds * (1 + rounds);
    out[threadIdx.x] = all == first + second ? 32 * rounds : 0;
}

int main(int, char** arguments) {
    unsigned *out, *host = static_cast<unsigned*>(std::malloc(32 * sizeof(unsigned)));
    cudaMalloc(&out, 32 * sizeof(unsigned));
    switch (std::atoi(arguments[1])) {
        case 0: sum<float><<<1, 32>>>(ROUNDS, 32, out); break;
        case 1: sum<double><<<1, 32>>>(ROUNDS, 4, out); break;
        case 2: sum<float><<<1, 32>>>(ROUNDS, 1, out); break;  // no lane has to try again
        case 3: sum<float, true><<<1, 32>>>(ROUNDS, 32, out); break;
        case 4: parted<<<1, 32>>>(ROUNDS, 32, out); break;
        default: return 2;
    }
    cudaMemcpy(host, out, 32 * sizeof(unsigned), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 32; ++t)
        if (host[t] != 32 * ROUNDS)
            return std::printf("thread %d has %u, not %d\n", t, host[t], 32 * ROUNDS), 1;
}
