// Says: does not run dynamic parallelism: a kernel that launches a kernel

__global__ void child() {}

__global__ void parent() { child<<<1, 1>>>(); }

int main() { parent<<<1, 1>>>(); }
