// CUDA's qualifiers.
#ifndef SIMT_QUALIFIERS
#define SIMT_QUALIFIERS

// Protected visibility marks kernels in the symbol table. The machine uses it to detect a kernel that
// accesses another kernel's shared array. The linker gives the bounds of the constants' section. Nothing
// initialises shared memory, so an array of a class with constructors needs no guard variable: constinit.
#define __global__ __attribute__((visibility("protected"), noinline))
#define __device__ __attribute__((always_inline))
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __shared__ __constinit thread_local
#define __constant__ __attribute__((section("simt_constants")))
#define __launch_bounds__(...)
#define __managed__

#endif
