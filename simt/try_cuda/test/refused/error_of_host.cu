// Says: error_of_host.cu(8): error: identifier "cudaMaloc" is undefined
// Status: 2

__global__ void set(int* out) { *out = 1; }

int main() {
    int* out;
    cudaMaloc(&out, 4);
    set<<<1, 1>>>(out);
}
