// A launch with too many threads: the program learns of it, and the report names it.
// Prints: invalid argument
// Counts: launches 1, requests 0
#include <cstdio>

__global__ void nothing() {}

int main() {
    nothing<<<1, 2048>>>();
    std::puts(cudaGetErrorString(cudaGetLastError()));
}
