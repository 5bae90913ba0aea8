// The other unit of two_units.cu.
__device__ int offset = 5;
__device__ int scaled(int x) { return 2 * x; }
__global__ void scale(int* value) { *value = scaled(*value); }
