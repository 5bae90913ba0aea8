// Says: ptx.cu:5: the SIMT machine does not run inline PTX

__global__ void lane(int* out) {
    int number;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(number));
    *out = number;
}

int main() { lane<<<1, 1>>>(nullptr); }
