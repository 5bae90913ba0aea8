// cuda::barrier of a block. On sm_75 it is a word that the lanes of a warp add to through one of them, on
// sm_80 to 89 a word with an instruction for arrivals, from sm_90 on an mbarrier. The argument names a
// kernel: what it left is right or wrong, or it is racy.
#include <cstdio>
#include <cstring>
#include <utility>

#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int THREADS = 128;

__device__ bool start(Barrier* barrier) {
    if (threadIdx.x == 0) init(barrier, THREADS);
    __syncthreads();
    return true;
}

/// Each thread shows a word to another, waits for a copy, and lets half of the block drop out.
__global__ void exchange(int* out, const int* in) {
    __shared__ alignas(Barrier) char room[sizeof(Barrier)];
    __shared__ int values[THREADS];
    auto& barrier = *reinterpret_cast<Barrier*>(room);
    start(&barrier);
    const int t = threadIdx.x, other = THREADS - 1 - t;
    values[t] = t;
    barrier.wait(barrier.arrive());
    int sum = values[other];
    barrier.arrive_and_wait();
    cuda::memcpy_async(values + t, in + t, sizeof(int), barrier);
    barrier.arrive_and_wait();
    sum += values[other];
    if (t >= THREADS / 2) {
        barrier.arrive_and_drop();
    } else {
        barrier.arrive_and_wait();
        values[t] = sum;
        barrier.arrive_and_wait();
        sum = values[THREADS / 2 - 1 - t];
    }
    out[t] = sum;
}

/// As exchange, but reads before it has waited.
__global__ void early(int* out, const int*) {
    __shared__ alignas(Barrier) char room[sizeof(Barrier)];
    __shared__ int values[THREADS];
    auto& barrier = *reinterpret_cast<Barrier*>(room);
    values[threadIdx.x] = 0;
    start(&barrier);
    values[threadIdx.x] = threadIdx.x;
    auto token = barrier.arrive();
    out[threadIdx.x] = values[THREADS - 1 - threadIdx.x];
    barrier.wait(std::move(token));
}

/// As exchange, but a thread reads what another copies, which has not arrived for its copy.
__global__ void uncounted(int* out, const int* in) {
    __shared__ alignas(Barrier) char room[sizeof(Barrier)];
    __shared__ int values[THREADS];
    auto& barrier = *reinterpret_cast<Barrier*>(room);
    start(&barrier);
    const int t = threadIdx.x;
    values[t] = in[t];
    if (t % 32 != 31)
        barrier.arrive_and_wait();
    else {
        auto token = barrier.arrive();
        values[t] = t;
        barrier.wait(std::move(token));
    }
    out[t] = values[THREADS - 1 - t];
}

/// Every lane adds to one word, and releases, or does not: the compiler lets one lane add for all.
template <bool RELEASES>
__global__ void gathered(int* out, const int*) {
    __shared__ unsigned long long arrived;
    __shared__ int values[THREADS];
    if (threadIdx.x == 0) arrived = 0;
    __syncthreads();
    values[threadIdx.x] = threadIdx.x;
    unsigned long long seen;
    if (RELEASES)
        asm volatile("atom.add.acq_rel.cta.u64 %0, [%1], 1;" : "=l"(seen) : "l"(&arrived) : "memory");
    else
        asm volatile("atom.add.relaxed.cta.u64 %0, [%1], 1;" : "=l"(seen) : "l"(&arrived) : "memory");
    do asm volatile("ld.acquire.cta.b64 %0, [%1];" : "=l"(seen) : "l"(&arrived) : "memory");
    while (seen < THREADS);
    out[threadIdx.x] = values[THREADS - 1 - threadIdx.x];
}

/// What `exchange` leaves; all others each the number of the other thread.
int exchanged(int t) { return 1001 * (THREADS - 1 - (t < THREADS / 2 ? THREADS / 2 - 1 - t : t)); }

int main(int argc, char** argv) {
    const struct {
        const char* name;
        void (*kernel)(int*, const int*);
    } KERNELS[] = {{"exchange", exchange},
                   {"early", early},
                   {"uncounted", uncounted},
                   {"gathered", gathered<true>},
                   {"relaxed", gathered<false>}};
    int *out, *in, found[THREADS], values[THREADS], wrong = 0;
    for (int t = 0; t < THREADS; ++t) values[t] = 1000 * t;
    cudaMalloc(&out, sizeof found);
    cudaMalloc(&in, sizeof values);
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    for (const auto& [name, kernel] : KERNELS) {
        if (argc != 2 || std::strcmp(argv[1], name) != 0) continue;
        kernel<<<1, THREADS>>>(out, in);
        cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
        for (int t = 0; t < THREADS; ++t)
            wrong += found[t] != (kernel == exchange ? exchanged(t) : THREADS - 1 - t);
        const bool is_racy = kernel != exchange && kernel != gathered<true>;
        std::printf("%s\n", is_racy ? "racy" : wrong == 0 ? "right" : "wrong");
    }
    return cudaGetLastError() != cudaSuccess;
}
