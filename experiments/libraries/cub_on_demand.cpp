// The functions of cub.h, as the experiments call them: see on_demand.h. libharness_cub.so lies beside the
// experiment. Where no case runs CUB, on the SIMT machine, it is not needed.
#include "experiments/harness/cub.h"
#include "experiments/libraries/cub_instances.h"
#include "experiments/libraries/on_demand.h"
#include "kernels/predicates.cuh"
#include "kernels/segmented.cuh"

namespace harness {
namespace {

OnDemand& library() {
    static OnDemand cub("libharness_cub.so", "make gpu builds it");
    return cub;
}

template <class Function>
Function* in_library(Function* own) {
    return library().get(own);
}

}  // namespace

#define DEVICE_FUNCTIONS                                                       \
    template <class T>                                                         \
    Work cub_device_scan(Vectors<T> v) {                                       \
        return in_library(cub_device_scan<T>)(v);                              \
    }                                                                          \
    template <class T>                                                         \
    Work cub_device_exclusive_scan(Vectors<T> v) {                             \
        return in_library(cub_device_exclusive_scan<T>)(v);                    \
    }                                                                          \
    template <class T>                                                         \
    Work cub_device_reduce(Vectors<T> v) {                                     \
        return in_library(cub_device_reduce<T>)(v);                            \
    }                                                                          \
    template <class T, class Op>                                               \
    Work cub_device_scan_by(Vectors<T> v) {                                    \
        return in_library(cub_device_scan_by<T, Op>)(v);                       \
    }                                                                          \
    template <class T>                                                         \
    Work cub_device_select(Vectors<T> v, Below<T> keep, long long* selected) { \
        return in_library(cub_device_select<T>)(v, keep, selected);            \
    }                                                                          \
    std::string cub_version() { return in_library(cub_version)(); }            \
    CUB_DEVICE_INSTANCES

DEVICE_FUNCTIONS

template <class Key>
Work cub_device_radix_sort(Vectors<Key> keys) {
    return in_library<Work(Vectors<Key>)>(cub_device_radix_sort<Key>)(keys);
}
template <class Key, class Payload>
Work cub_device_radix_sort(Vectors<Key> keys, const Payload* payloads_in, Payload* payloads_out) {
    return in_library(cub_device_radix_sort<Key, Payload>)(keys, payloads_in, payloads_out);
}
template <class T>
Work cub_device_run_length_encode(Vectors<T> v, long long* lengths, long long* runs) {
    return in_library(cub_device_run_length_encode<T>)(v, lengths, runs);
}
template <class T>
Work cub_device_run_length_decode(Vectors<T> v, const long long* lengths) {
    return in_library(cub_device_run_length_decode<T>)(v, lengths);
}
CUB_TOOLKIT_INSTANCES

template <class T, int TILE>
Work cub_block_scan(Vectors<T> v) {
    return in_library(cub_block_scan<T, TILE>)(v);
}
template <class T, int TILE>
Work cub_block_reduce(Vectors<T> v) {
    return in_library(cub_block_reduce<T, TILE>)(v);
}
CUB_BLOCK_INSTANCES

namespace newest {

DEVICE_FUNCTIONS

template <class T>
Work cub_device_scan_run_to_run(Vectors<T> v) {
    return in_library(cub_device_scan_run_to_run<T>)(v);
}
CUB_NEWEST_INSTANCES

}  // namespace newest

bool has_newest_cub() { return library().find(newest::cub_version) != nullptr; }

}  // namespace harness
