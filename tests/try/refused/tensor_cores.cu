// Says: tensor_cores.cu:2: the SIMT machine does not run tensor cores (mma.h)
#include <mma.h>

__global__ void nothing() {}

int main() { nothing<<<1, 1>>>(); }
