// CUB's block-wide scan and reduction in kernels of our own, one tile per block.
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

#include "experiments/harness/cub.h"
#include "experiments/libraries/cub_instances.h"
#include "kernels/launch.cuh"
#include "kernels/tile.cuh"

namespace harness {
namespace {

template <int TILE>
constexpr int THREADS = TILE < 128 ? TILE : 128;
template <int TILE>
constexpr int ITEMS_PER_THREAD = TILE / THREADS<TILE>;

/// Loads and stores are coalesced; elements are transposed through shared memory.
template <class T, int TILE>
__global__ void cub_scan_tiles(const T* in, T* out, long long n) {
    using Load = cub::BlockLoad<T, THREADS<TILE>, ITEMS_PER_THREAD<TILE>, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<T, THREADS<TILE>>;
    using Store = cub::BlockStore<T, THREADS<TILE>, ITEMS_PER_THREAD<TILE>, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
        typename Store::TempStorage store;
    } storage;
    const long long base = blockIdx.x * static_cast<long long>(TILE);
    const int count = n - base < TILE ? static_cast<int>(n - base) : TILE;

    T items[ITEMS_PER_THREAD<TILE>];
    Load(storage.load).Load(in + base, items, count, T(0));
    __syncthreads();
    Scan(storage.scan).InclusiveSum(items, items);
    __syncthreads();
    Store(storage.store).Store(out + base, items, count);
}

template <class T, int TILE>
__global__ void cub_reduce_tiles(const T* in, T* sums, long long n) {
    using Reduce = cub::BlockReduce<T, THREADS<TILE>>;
    __shared__ typename Reduce::TempStorage storage;
    const long long base = blockIdx.x * static_cast<long long>(TILE);
    const int count = n - base < TILE ? static_cast<int>(n - base) : TILE;

    T items[ITEMS_PER_THREAD<TILE>];
    cub::LoadDirectStriped<THREADS<TILE>>(threadIdx.x, in + base, items, count, T(0));
    const T sum = Reduce(storage).Sum(items);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

}  // namespace

template <class T, int TILE>
Work cub_block_scan(Vectors<T> v) {
    const auto blocks = static_cast<unsigned>(ceil_div(v.n, TILE));
    return
        [v, blocks] { launch(cub_scan_tiles<T, TILE>, blocks, THREADS<TILE>, v.stream, v.in, v.out, v.n); };
}

template <class T, int TILE>
Work cub_block_reduce(Vectors<T> v) {
    const auto blocks = static_cast<unsigned>(ceil_div(v.n, TILE));
    return
        [v, blocks] { launch(cub_reduce_tiles<T, TILE>, blocks, THREADS<TILE>, v.stream, v.in, v.out, v.n); };
}

CUB_BLOCK_INSTANCES

}  // namespace harness
