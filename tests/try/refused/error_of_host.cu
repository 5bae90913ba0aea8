// Says: error_of_host.cu:7:5: error: ‘cudaMaloc’ was not declared in this scope

__global__ void set(int* out) { *out = 1; }

int main() {
    int* out;
    cudaMaloc(&out, 4);
    set<<<1, 1>>>(out);
}
