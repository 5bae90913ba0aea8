// Says: error.cu:5:18: error: ‘undeclared’ was not declared in this scope

__global__ void set(int* out) {
    out[1] = 0;
    out[0] = 1 + undeclared;
}

int main() { set<<<1, 1>>>(nullptr); }
