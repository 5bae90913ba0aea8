"""The kernels of kernels.cu on Numba's CUDA simulator, by CPU time. Usage: numba_kernels.py KERNEL N"""

import os
import sys
import time
from pathlib import Path

os.environ["NUMBA_ENABLE_CUDASIM"] = "1"

import numpy  # noqa: E402
from numba import cuda, float32  # noqa: E402

TILE, SIDE, EDGE = 1024, 32, 16


@cuda.jit
def matrix_product(a, b, c, n):
    x = cuda.shared.array((EDGE, EDGE), float32)
    y = cuda.shared.array((EDGE, EDGE), float32)
    row, column = cuda.threadIdx.y, cuda.threadIdx.x
    i = cuda.blockIdx.y * EDGE + row
    j = cuda.blockIdx.x * EDGE + column
    total = 0.0
    for k in range(0, n, EDGE):
        x[row, column] = a[i * n + k + column]
        y[row, column] = b[(k + row) * n + j]
        cuda.syncthreads()
        for t in range(EDGE):
            total += x[row, t] * y[t, column]
        cuda.syncthreads()
    c[i * n + j] = total


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


@cuda.jit
def saxpy(a, x, y):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    y[i] = a * x[i] + y[i]


def main(name: str, n: int) -> None:
    of_matrices = name == "matrix_product"
    ones = numpy.ones(n * n if of_matrices else n, numpy.float32)
    x, y, z = (cuda.to_device(ones) for _ in range(3))
    launches = {
        "matrix_product": (matrix_product, (n // EDGE, n // EDGE), (EDGE, EDGE), (x, y, z, n)),
        "hillis_steele": (hillis_steele, n // TILE, TILE, (x, y)),
        "copy": (copy, n // 256, 256, (x, y)),
        "transpose": (transpose, n // SIDE**2, (SIDE, SIDE), (x, y)),
        "saxpy": (saxpy, n // 256, 256, (2.0, x, y)),
    }
    kernel, blocks, threads, arguments = launches[name]
    start = time.process_time()
    kernel[blocks, threads](*arguments)
    seconds = time.process_time() - start
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak = next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
    print(f"{seconds:.9f} {n**3 if of_matrices else n} {ones.nbytes * 4} {peak}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
