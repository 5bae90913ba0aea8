// Says: not ended after 2 s .*; it is in spin: block 0, thread 0 .*, tests/try/refused/endless.cu:\d
// Options: --limit 2

__global__ void spin(int* out) {
    for (unsigned i = 0; i != 1; i += 2) out[i % 2] = i;
}

int main() {
    int* out;
    cudaMalloc(&out, 8);
    spin<<<1, 1>>>(out);
}
