// Says: library.cu:2: the SIMT machine does not run Thrust and CUB (thrust/device_vector.h)
#include <thrust/device_vector.h>

int main() { return 0; }
