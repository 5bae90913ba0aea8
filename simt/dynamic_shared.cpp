// The dynamic shared memory that kernels declare as `extern __shared__ __align__(128) char memory[];`. A
// program whose kernels use another name or type defines it by SIMT_DYNAMIC_SHARED.
#include <cuda_runtime.h>

alignas(128) thread_local char memory[227 * 1024];
