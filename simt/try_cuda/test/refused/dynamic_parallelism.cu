// Says: parent: dynamic_parallelism.cu:7: the machine has no launches from kernels
// Options: -rdc=true
// Status: 3

__global__ void child() {}

__global__ void parent() { child<<<1, 1>>>(); }

int main() {
    parent<<<1, 1>>>();
    return cudaDeviceSynchronize() == cudaSuccess;
}
