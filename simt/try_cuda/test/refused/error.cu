// Says: error.cu(6): error: identifier "undeclared" is undefined
// Status: 2

__global__ void set(int* out) {
    out[1] = 0;
    out[0] = 1 + undeclared;
}

int main() { set<<<1, 1>>>(nullptr); }
