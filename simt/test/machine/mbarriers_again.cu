// An mbarrier that is initialised where another was, beside data that look like one. To sm_90
// mbarrier.init is an instruction of its own, from sm_100 on a store: the machine must not take data for
// an mbarrier, nor keep the old one.
#include <cstdio>

__device__ unsigned address_of(void* shared) { return unsigned(__cvta_generic_to_shared(shared)); }
__device__ void arrive(unsigned barrier) {
    asm volatile("{.reg .b64 state; mbarrier.arrive.shared.b64 state, [%0];}" ::"r"(barrier) : "memory");
}
__device__ unsigned has_completed(unsigned barrier, unsigned parity) {
    unsigned is;
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.b32 %0, 1, 0, p;}"
                 : "=r"(is)
                 : "r"(barrier), "r"(parity)
                 : "memory");
    return is;
}

/// By one thread. is_ended: the first mbarrier is, as PTX has it; programs leave that out. out: is the
/// phase complete? after one arrival of two, after both; then again, of one.
__global__ void again(unsigned* out, uint2* data, bool is_ended) {
    __shared__ unsigned long long words[32];  // of each thread one: where they lie is not the same for a warp
    __shared__ uint2 beside;
    beside = data[0];  // as mbarrier.init would write it for two arrivals
    const unsigned barrier = address_of(&words[threadIdx.x]);
    asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(barrier) : "memory");
    for (int k = 0; k < 2; ++k) {
        arrive(barrier);
        out[k] = has_completed(barrier, 0);
    }
    if (is_ended) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(barrier) : "memory");
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(barrier) : "memory");
    out[2] = has_completed(barrier, 0);
    arrive(barrier);
    out[3] = has_completed(barrier, 0);
    volatile uint2* read = &beside;
    data[1].x = read->x;
    data[1].y = read->y;
}

int main() {
    unsigned* out;
    uint2* data;
    cudaMallocManaged(&out, 4 * sizeof *out);
    cudaMallocManaged(&data, 2 * sizeof *data);
    constexpr unsigned MISSING = 0x100000 - 2;
    data[0] = {MISSING << 1, MISSING << 11};
    bool is_right = true;
    for (const bool is_ended : {true, false}) {
        again<<<1, 1>>>(out, data, is_ended);
        is_right = is_right && cudaDeviceSynchronize() == cudaSuccess;
        is_right = is_right && !out[0] && out[1] && !out[2] && out[3];
        is_right = is_right && data[1].x == data[0].x && data[1].y == data[0].y;
    }
    std::printf("%s\n", is_right ? "right" : "wrong");
    return is_right ? 0 : 1;
}
