// The toolkit's CUB.
#define CUB_WORK harness
#include "experiments/libraries/cub_device.h"

#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/cub.cuh>

#include "kernels/segmented.cuh"

namespace harness {
namespace {

/// A run as an unbounded iterator over its value, and the place where the run begins in the output.
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

CUB_TOOLKIT_INSTANCES

}  // namespace harness
