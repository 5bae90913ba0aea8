// Votes, matches and the active mask.
// Prints: 55555555 1 0 8 aaaaaaaa 1
// Counts: launches 1, shuffles 4
#include <cstdio>

__global__ void votes(unsigned* out) {
    const unsigned lane = threadIdx.x, all = 0xffffffffu;
    const unsigned even = __ballot_sync(all, lane % 2 == 0);
    const int any = __any_sync(all, lane == 7), every = __all_sync(all, lane == 7);
    const unsigned like_me = __match_any_sync(all, lane % 4);
    int same = 0;
    __match_all_sync(all, 5.0f, &same);
    unsigned odd = 0;
    if (lane % 2 == 1) odd = __activemask();
    if (lane == 1) {
        out[0] = even, out[1] = any, out[2] = every, out[3] = __popc(like_me), out[4] = odd, out[5] = same;
    }
}

int main() {
    unsigned *out, host[6];
    cudaMalloc(&out, sizeof(host));
    votes<<<1, 32>>>(out);
    cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost);
    std::printf("%x %u %u %u %x %u\n", host[0], host[1], host[2], host[3], host[4], host[5]);
}
