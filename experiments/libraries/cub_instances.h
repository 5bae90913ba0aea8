// The element types, operators and tiles for which the functions of cub.h exist: explicit instantiations, to
// be placed in the namespace of the functions, after their definitions.
#pragma once

/// Of cub_device.h, for either CUB.
#define CUB_DEVICE_INSTANCES                               \
    CUB_SUMS_AND_SELECTION(signed char)                    \
    CUB_SUMS_AND_SELECTION(short)                          \
    CUB_SUMS_AND_SELECTION(int)                            \
    CUB_SUMS_AND_SELECTION(long long)                      \
    CUB_SUMS_AND_SELECTION(float)                          \
    CUB_SUMS_AND_SELECTION(double)                         \
    CUB_SCAN_BY(Brackets, Bicyclic)                        \
    CUB_SCAN_BY(Affine<unsigned>, ComposeAffine<unsigned>) \
    CUB_SCAN_BY(Affine<float>, ComposeAffine<float>)       \
    CUB_SCAN_BY(Affine<double>, ComposeAffine<double>)

#define CUB_SUMS_AND_SELECTION(T)                                          \
    template harness::Work cub_device_scan(harness::Vectors<T>);           \
    template harness::Work cub_device_exclusive_scan(harness::Vectors<T>); \
    template harness::Work cub_device_reduce(harness::Vectors<T>);         \
    template harness::Work cub_device_select(harness::Vectors<T>, Below<T>, long long*);

#define CUB_SCAN_BY(T, ...) template harness::Work cub_device_scan_by<T, __VA_ARGS__>(harness::Vectors<T>);

/// Of cub_toolkit.cu.
#define CUB_TOOLKIT_INSTANCES                                                         \
    CUB_SCAN_BY(int, Sum<int>)                                                        \
    CUB_SCAN_BY(int, Max<int>)                                                        \
    CUB_SCAN_BY(long long, Sum<long long>)                                            \
    CUB_SCAN_BY(Flagged<int>, Segmented<Sum<int>>)                                    \
    template Work cub_device_radix_sort(Vectors<int>);                                \
    template Work cub_device_radix_sort(Vectors<long long>);                          \
    template Work cub_device_radix_sort(Vectors<float>);                              \
    template Work cub_device_radix_sort(Vectors<double>);                             \
    template Work cub_device_radix_sort(Vectors<int>, const int*, int*);              \
    template Work cub_device_radix_sort(Vectors<long long>, const int*, int*);        \
    template Work cub_device_radix_sort(Vectors<float>, const int*, int*);            \
    template Work cub_device_run_length_encode(Vectors<int>, long long*, long long*); \
    template Work cub_device_run_length_decode(Vectors<int>, const long long*);       \
    template Work cub_device_run_length_decode(Vectors<float>, const long long*);

/// Of cub_block.cu.
#define CUB_BLOCK_INSTANCES                                      \
    template Work cub_block_reduce<float, 1024>(Vectors<float>); \
    CUB_BLOCK_SCANS(float)                                       \
    CUB_BLOCK_SCANS(double)

#define CUB_BLOCK_SCANS(T)                             \
    template Work cub_block_scan<T, 64>(Vectors<T>);   \
    template Work cub_block_scan<T, 128>(Vectors<T>);  \
    template Work cub_block_scan<T, 256>(Vectors<T>);  \
    template Work cub_block_scan<T, 512>(Vectors<T>);  \
    template Work cub_block_scan<T, 1024>(Vectors<T>); \
    template Work cub_block_scan<T, 2048>(Vectors<T>);

/// Of cub_newest.cu.
#define CUB_NEWEST_INSTANCES                                        \
    template Work cub_device_scan_run_to_run(Vectors<signed char>); \
    template Work cub_device_scan_run_to_run(Vectors<short>);       \
    template Work cub_device_scan_run_to_run(Vectors<int>);         \
    template Work cub_device_scan_run_to_run(Vectors<long long>);   \
    template Work cub_device_scan_run_to_run(Vectors<float>);       \
    template Work cub_device_scan_run_to_run(Vectors<double>);
