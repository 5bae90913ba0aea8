// Lane 4 stores four words, of which one is its own; then each lane stores its own word. Whether that races
// is another matter for each of the four. With an argument the warp synchronises between.

template <bool IS_SYNCED>
__global__ void store_twice(int* out) {
    __shared__ alignas(16) int words[32];
    const int t = threadIdx.x;
    if (t == 4) *reinterpret_cast<int4*>(words + 4) = make_int4(1, 2, 3, 4);
    if (IS_SYNCED) __syncwarp();
    asm volatile("" ::: "memory");
    words[t] = t;
    __syncthreads();
    out[t] = words[31 - t];
}

int main(int count, char**) {
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    if (count == 1)
        store_twice<false><<<1, 32>>>(out);
    else
        store_twice<true><<<1, 32>>>(out);
    return cudaDeviceSynchronize();
}
