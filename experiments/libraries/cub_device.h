// The device-wide functions of CUB as work: one source for two versions of CUB, compiled in cub_toolkit.cu
// with the toolkit's and in cub_newest.cu with the newest. Before the include, CUB_WORK must name the
// namespace of cub.h that the functions go into.
//
// What keeps the two apart in one program:
//   - device code: each file is compiled to a module of its own, without links between modules;
//   - CUB and Thrust: their names carry their version and the architectures; in cub_newest.cu a namespace
//     around them (THRUST_CUB_WRAPPED_NAMESPACE) tells them apart even if the versions are equal;
//   - libcu++: its names carry only an ABI version, which the two share; cub_newest.cu gives them another
//     inline namespace (_LIBCUDACXX_ABI_NAMESPACE);
//   - what is written here: an unnamed namespace, and CUB_WORK.
// So no two inline functions share a name, of which the linker would keep only one.
// experiments/test/test_two_cubs.py checks this with nm.
#pragma once
#ifndef CUB_WORK
#error "define CUB_WORK: the namespace that the functions go into"
#endif

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cub/version.cuh>
#include <memory>

#include "experiments/harness/cub.h"
#include "experiments/harness/cuda_check.h"
#include "experiments/libraries/cub_instances.h"
#include "kernels/predicates.cuh"

namespace harness {
namespace {

/// Device memory that is freed with the last copy of the work.
std::shared_ptr<void> allocate(std::size_t bytes) {
    void* data = nullptr;
    check(cudaMalloc(&data, bytes), "cudaMalloc for CUB");
    return {data, [](void* p) { (void)cudaFree(p); }};
}

/// call(storage, bytes): a CUB function. Queries the bytes it needs and allocates them.
template <class Call>
Work with_storage(const char* name, Call call) {
    std::size_t bytes = 0;
    check(call(nullptr, bytes), name);
    return [call, bytes, storage = allocate(bytes)]() mutable { (void)call(storage.get(), bytes); };
}

}  // namespace
}  // namespace harness

namespace CUB_WORK {

namespace cub = CUB_NS_QUALIFIER;

template <class T>
harness::Work cub_device_scan(harness::Vectors<T> v) {
    return harness::with_storage("cub::DeviceScan", [=](void* storage, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(storage, bytes, v.in, v.out, v.n, v.stream);
    });
}

template <class T>
harness::Work cub_device_exclusive_scan(harness::Vectors<T> v) {
    return harness::with_storage("cub::DeviceScan", [=](void* storage, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(storage, bytes, v.in, v.out, v.n, v.stream);
    });
}

template <class T, class Op>
harness::Work cub_device_scan_by(harness::Vectors<T> v) {
    return harness::with_storage("cub::DeviceScan", [=](void* storage, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveScan(storage, bytes, v.in, v.out, Op{}, v.n, v.stream);
    });
}

template <class T>
harness::Work cub_device_reduce(harness::Vectors<T> v) {
    return harness::with_storage("cub::DeviceReduce", [=](void* storage, std::size_t& bytes) {
        return cub::DeviceReduce::Sum(storage, bytes, v.in, v.out, v.n, v.stream);
    });
}

template <class T>
harness::Work cub_device_select(harness::Vectors<T> v, Below<T> keep, long long* selected) {
    return harness::with_storage("cub::DeviceSelect", [=](void* storage, std::size_t& bytes) {
        return cub::DeviceSelect::If(storage, bytes, v.in, v.out, selected, v.n, keep, v.stream);
    });
}

CUB_DEVICE_INSTANCES

/// "3.0.1"
std::string cub_version() {
    return std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
           std::to_string(CUB_SUBMINOR_VERSION);
}

}  // namespace CUB_WORK
