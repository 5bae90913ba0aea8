"""The kernels of kernels.cu on Numba's CUDA simulator, by CPU time. Usage: numba_kernels.py n"""

import os
import sys
import time

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy  # noqa: E402
from numba import cuda, float32  # noqa: E402

TILE, SIDE = 1024, 32


@cuda.jit
def hillis_steele(source, result):
    tile = cuda.shared.array(TILE, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * TILE + t
    tile[t] = source[i]
    cuda.syncthreads()
    stride = 1
    while stride < TILE:
        left = tile[t - stride] if t >= stride else 0.0
        cuda.syncthreads()
        tile[t] += left
        cuda.syncthreads()
        stride *= 2
    result[i] = tile[t]


@cuda.jit
def copy(source, result):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    result[i] = source[i]


@cuda.jit
def transpose(source, result):
    tile = cuda.shared.array((SIDE, SIDE), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    i = (cuda.blockIdx.x * SIDE + y) * SIDE + x
    tile[y, x] = source[i]
    cuda.syncthreads()
    result[i] = tile[x, y]


def main(n: int) -> None:
    source = cuda.to_device(numpy.ones(n, numpy.float32))
    result = cuda.device_array(n, numpy.float32)
    shapes = [
        (hillis_steele, n // TILE, TILE),
        (copy, n // 256, 256),
        (transpose, n // SIDE**2, (SIDE, SIDE)),
    ]
    for kernel, blocks, threads in shapes:
        start = time.process_time()
        kernel[blocks, threads](source, result)
        print(kernel.py_func.__name__ if hasattr(kernel, "py_func") else kernel.fn.__name__, end=" ")
        print(f"{time.process_time() - start:.9f}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
