// CUB, the field's own scans, reductions and what is built on them, as cases to compare with. Plain
// declarations: CUB itself is compiled once, in cub.cu, for the elements and tiles that the experiments use;
// and the newest CUB beside the toolkit's, in cub_newest.cu, where its package is installed. GPU only.
//
// Elements of the device-wide scan, reduction and selection of either CUB: signed char, short, int, long
// long, float, double. Of the scans by an operator: Brackets by Bicyclic; Affine<unsigned>, Affine<float>,
// Affine<double> by ComposeAffine.
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

/// Whether the functions of `newest` are there. Where they are not, code that names them is discarded:
/// if constexpr (has_newest_cub).
#ifdef HARNESS_NEWEST_CUB
inline constexpr bool has_newest_cub = true;
#else
inline constexpr bool has_newest_cub = false;
#endif

/// The same, of the newest CUB.
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
Work cub_device_select(Vectors<T> vectors, Below<T> keep, long long* kept);
std::string cub_version();

/// cub::DeviceScan::InclusiveSum that is asked to be deterministic from run to run: floats are added up in
/// the same order whenever the same vector is scanned on the same GPU. Of ints it is the scan as it is.
template <class T>
Work cub_device_scan_run_to_run(Vectors<T> vectors);

}  // namespace newest

}  // namespace harness
