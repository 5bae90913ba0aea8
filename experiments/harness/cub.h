// CUB's scans, reductions and what is built on them, as cases to compare with. Plain declarations: CUB is
// compiled once, for the element types and tiles that the experiments use, into a library that is opened when
// the first of these functions is called (experiments/libraries/). GPU only.
//
// Element types of the device-wide scan, reduction and selection, for either CUB: signed char, short, int,
// long long, float, double. Types and operators of cub_device_scan_by: Brackets by Bicyclic;
// Affine<unsigned>, Affine<float>, Affine<double> by ComposeAffine.
#pragma once
#include "experiments/harness/suite.h"

namespace trial {
template <class T>
struct Below;  // kernels/predicates.cuh, which only selections include
}  // namespace trial

namespace harness {

/// cub::DeviceScan::InclusiveSum and ExclusiveSum, and cub::DeviceReduce::Sum; the temporary storage is
/// allocated in advance.
template <class T>
Work cub_device_scan(Vectors<T> vectors);
template <class T>
Work cub_device_exclusive_scan(Vectors<T> vectors);
template <class T>
Work cub_device_reduce(Vectors<T> vectors);

/// cub::DeviceScan::InclusiveScan, with an operator.
template <class T, class Op>
Work cub_device_scan_by(Vectors<T> vectors);

/// cub::BlockScan::InclusiveSum and cub::BlockReduce::Sum, one tile of TILE elements per block, with loads
/// and stores through cub::BlockLoad and cub::BlockStore. Blocks have 128 threads, as CUB's users would
/// choose, or one thread per element of a smaller tile.
template <class T, int TILE>
Work cub_block_scan(Vectors<T> vectors);
template <class T, int TILE>
Work cub_block_reduce(Vectors<T> vectors);

/// cub::DeviceSelect::If: the elements for which `keep` holds, in order; *selected: how many, on the device.
template <class T>
Work cub_device_select(Vectors<T> vectors, Below<T> keep, long long* selected);

/// cub::DeviceRadixSort::SortKeys and SortPairs; a payload for each key, on the device.
template <class Key>
Work cub_device_radix_sort(Vectors<Key> keys);
template <class Key, class Payload>
Work cub_device_radix_sort(Vectors<Key> keys, const Payload* payloads_in, Payload* payloads_out);

/// cub::DeviceRunLengthEncode::Encode: the runs' values to vectors.out, their lengths to `lengths`, their
/// number to *runs, all on the device. vectors.out and `lengths` must have room for vectors.n elements each.
/// CUB 3.0 takes fewer than 2^31 elements here.
template <class T>
Work cub_device_run_length_encode(Vectors<T> vectors, long long* lengths, long long* runs);

/// Run-length decoding as the documentation of cub::DeviceCopy::Batched shows it, after
/// cub::DeviceScan::ExclusiveSum of the lengths: of vectors.n runs, value i of vectors.in is written
/// lengths[i] times to vectors.out, which must have room for all.
template <class T>
Work cub_device_run_length_decode(Vectors<T> vectors, const long long* lengths);

/// "3.0.1"
std::string cub_version();

/// Whether the library contains the newest CUB too: the functions of `newest`.
bool has_newest_cub();

/// The same functions of the newest CUB.
namespace newest {

template <class T>
Work cub_device_scan(Vectors<T> vectors);
template <class T>
Work cub_device_exclusive_scan(Vectors<T> vectors);
template <class T>
Work cub_device_reduce(Vectors<T> vectors);
template <class T, class Op>
Work cub_device_scan_by(Vectors<T> vectors);
template <class T>
Work cub_device_select(Vectors<T> vectors, Below<T> keep, long long* selected);
std::string cub_version();

/// cub::DeviceScan::InclusiveSum with run-to-run determinism: floats are added in the same order whenever the
/// same vector is scanned on the same GPU. For ints it is the ordinary scan.
template <class T>
Work cub_device_scan_run_to_run(Vectors<T> vectors);

}  // namespace newest

}  // namespace harness
