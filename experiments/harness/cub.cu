// The toolkit's CUB.
#define CUB_WORK harness
#include "experiments/harness/cub_device.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/cub.cuh>

#include "kernels/device/scan_tiles.cuh"
#include "kernels/launch.cuh"
#include "kernels/segmented.cuh"

namespace harness {
namespace {

template <int TILE>
constexpr int THREADS = TILE < 128 ? TILE : 128;
template <int TILE>
constexpr int ITEMS = TILE / THREADS<TILE>;

/// Elements move in whole, coalesced rows and change hands in shared memory.
template <class T, int TILE>
__global__ void cub_scan_tiles(const T* in, T* out, long long n) {
    using Load = cub::BlockLoad<T, THREADS<TILE>, ITEMS<TILE>, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using Scan = cub::BlockScan<T, THREADS<TILE>>;
    using Store = cub::BlockStore<T, THREADS<TILE>, ITEMS<TILE>, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    __shared__ union {
        typename Load::TempStorage load;
        typename Scan::TempStorage scan;
        typename Store::TempStorage store;
    } storage;
    const long long base = blockIdx.x * static_cast<long long>(TILE);
    const int count = n - base < TILE ? static_cast<int>(n - base) : TILE;

    T items[ITEMS<TILE>];
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

    T items[ITEMS<TILE>];
    cub::LoadDirectStriped<THREADS<TILE>>(threadIdx.x, in + base, items, count, T(0));
    const T sum = Reduce(storage).Sum(items);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// A run as an endless row of its value, and where the run begins in the output.
template <class T>
struct RunOfValue {
    const T* values;
    __host__ __device__ auto operator()(long long run) const {
        return thrust::make_constant_iterator(values[run]);
    }
};
template <class T>
struct PlaceOfRun {
    T* out;
    const long long* offsets;
    __host__ __device__ T* operator()(long long run) const { return out + offsets[run]; }
};

}  // namespace

template <class T, int TILE>
Work cub_block_scan(Vectors<T> v) {
    const auto blocks = static_cast<unsigned>(tiles(v.n, TILE));
    return
        [v, blocks] { launch(cub_scan_tiles<T, TILE>, blocks, THREADS<TILE>, v.stream, v.in, v.out, v.n); };
}

template <class T, int TILE>
Work cub_block_reduce(Vectors<T> v) {
    const auto blocks = static_cast<unsigned>(tiles(v.n, TILE));
    return
        [v, blocks] { launch(cub_reduce_tiles<T, TILE>, blocks, THREADS<TILE>, v.stream, v.in, v.out, v.n); };
}

template <class Key>
Work cub_device_radix_sort(Vectors<Key> v) {
    return with_storage("cub::DeviceRadixSort", [=](void* storage, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(storage, bytes, v.in, v.out, v.n, 0, 8 * sizeof(Key), v.stream);
    });
}

template <class Key, class Payload>
Work cub_device_radix_sort(Vectors<Key> v, const Payload* payloads_in, Payload* payloads_out) {
    return with_storage("cub::DeviceRadixSort", [=](void* storage, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(storage, bytes, v.in, v.out, payloads_in, payloads_out, v.n, 0,
                                               8 * sizeof(Key), v.stream);
    });
}

template <class T>
Work cub_device_run_length_encode(Vectors<T> v, long long* lengths, long long* runs) {
    return with_storage("cub::DeviceRunLengthEncode", [=](void* storage, std::size_t& bytes) {
        return cub::DeviceRunLengthEncode::Encode(storage, bytes, v.in, v.out, lengths, runs, v.n, v.stream);
    });
}

template <class T>
Work cub_device_run_length_decode(Vectors<T> v, const long long* lengths) {
    const auto room = allocate(v.n * sizeof(long long));
    auto* const offsets = static_cast<long long*>(room.get());
    const auto scan = with_storage("cub::DeviceScan", [=](void* storage, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(storage, bytes, lengths, offsets, v.n, v.stream);
    });
    const thrust::counting_iterator<long long> runs(0);
    const auto from = thrust::make_transform_iterator(runs, RunOfValue<T>{v.in});
    const auto to = thrust::make_transform_iterator(runs, PlaceOfRun<T>{v.out, offsets});
    const auto copy = with_storage("cub::DeviceCopy", [=](void* storage, std::size_t& bytes) {
        return cub::DeviceCopy::Batched(storage, bytes, from, to, lengths, v.n, v.stream);
    });
    return [room, scan, copy] {
        scan();
        copy();
    };
}

template Work cub_device_scan_by<int, Sum<int>>(Vectors<int>);
template Work cub_device_scan_by<int, Max<int>>(Vectors<int>);
template Work cub_device_scan_by<long long, Sum<long long>>(Vectors<long long>);
template Work cub_device_scan_by<Flagged<int>, Segmented<Sum<int>>>(Vectors<Flagged<int>>);
template Work cub_device_radix_sort(Vectors<int>);
template Work cub_device_radix_sort(Vectors<long long>);
template Work cub_device_radix_sort(Vectors<float>);
template Work cub_device_radix_sort(Vectors<double>);
template Work cub_device_radix_sort(Vectors<int>, const int*, int*);
template Work cub_device_radix_sort(Vectors<long long>, const int*, int*);
template Work cub_device_radix_sort(Vectors<float>, const int*, int*);
template Work cub_device_run_length_encode(Vectors<int>, long long*, long long*);
template Work cub_device_run_length_decode(Vectors<int>, const long long*);
template Work cub_device_run_length_decode(Vectors<float>, const long long*);
template Work cub_block_reduce<float, 1024>(Vectors<float>);
template Work cub_block_scan<float, 64>(Vectors<float>);
template Work cub_block_scan<float, 128>(Vectors<float>);
template Work cub_block_scan<float, 256>(Vectors<float>);
template Work cub_block_scan<float, 512>(Vectors<float>);
template Work cub_block_scan<float, 1024>(Vectors<float>);
template Work cub_block_scan<float, 2048>(Vectors<float>);
template Work cub_block_scan<double, 64>(Vectors<double>);
template Work cub_block_scan<double, 128>(Vectors<double>);
template Work cub_block_scan<double, 256>(Vectors<double>);
template Work cub_block_scan<double, 512>(Vectors<double>);
template Work cub_block_scan<double, 1024>(Vectors<double>);
template Work cub_block_scan<double, 2048>(Vectors<double>);

}  // namespace harness
