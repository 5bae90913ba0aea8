// CUB, the field's own scans, reductions and what is built on them, as cases to compare with. Plain
// declarations: CUB itself is compiled once, in cub.cu, for the elements and tiles that the experiments use.
// GPU only.
#pragma once
#include "experiments/harness/suite.h"

template <class T>
struct Below;  // kernels/predicates.cuh, for those who select

namespace harness {

/// cub::DeviceScan::InclusiveSum and ExclusiveSum, and cub::DeviceReduce::Sum; the temporary storage is
/// allocated beforehand.
template <class T>
Work cub_device_scan(Vectors<T> vectors);
template <class T>
Work cub_device_exclusive_scan(Vectors<T> vectors);
template <class T>
Work cub_device_reduce(Vectors<T> vectors);

/// cub::DeviceScan::InclusiveScan, with an operator.
template <class T, class Op>
Work cub_device_scan_by(Vectors<T> vectors);

/// cub::BlockScan::InclusiveSum and cub::BlockReduce::Sum, one tile of TILE elements a block, with its loads
/// and stores through cub::BlockLoad and cub::BlockStore. Threads and items a thread are chosen as CUB's
/// users would: 128 threads or as many as there are elements.
template <class T, int TILE>
Work cub_block_scan(Vectors<T> vectors);
template <class T, int TILE>
Work cub_block_reduce(Vectors<T> vectors);

/// cub::DeviceSelect::If: the elements that `keep` wants, in their order; *kept: how many, on the device.
template <class T>
Work cub_device_select(Vectors<T> vectors, Below<T> keep, long long* kept);

/// cub::DeviceRadixSort::SortKeys and SortPairs; a payload for each key, on the device.
template <class Key>
Work cub_device_radix_sort(Vectors<Key> keys);
template <class Key, class Payload>
Work cub_device_radix_sort(Vectors<Key> keys, const Payload* payloads_in, Payload* payloads_out);

/// cub::DeviceRunLengthEncode::Encode: the values of the runs to vectors.out, their lengths, and *runs, how
/// many there are; on the device, with room for vectors.n each. CUB 3.0 takes fewer than 2^31 elements here.
template <class T>
Work cub_device_run_length_encode(Vectors<T> vectors, long long* lengths, long long* runs);

/// Run-length decoding as the documentation of cub::DeviceCopy::Batched shows it, after
/// cub::DeviceScan::ExclusiveSum of the lengths: vectors.n runs, each value of vectors.in written lengths[i]
/// times to vectors.out, which has room for all.
template <class T>
Work cub_device_run_length_decode(Vectors<T> vectors, const long long* lengths);

/// "3.0.1"
std::string cub_version();

}  // namespace harness
