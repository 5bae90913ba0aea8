// CUB, the field's own scans and reductions, as cases to compare with. Plain declarations: CUB itself is
// compiled once, in cub.cu, for the elements and tiles that the experiments use. GPU only.
#pragma once
#include "experiments/harness/suite.h"

namespace harness {

/// cub::DeviceScan::InclusiveSum and cub::DeviceReduce::Sum; the temporary storage is allocated beforehand.
template <class T>
Work cub_device_scan(Vectors<T> vectors);
template <class T>
Work cub_device_reduce(Vectors<T> vectors);

/// cub::BlockScan::InclusiveSum and cub::BlockReduce::Sum, one tile of TILE elements a block, with its loads
/// and stores through cub::BlockLoad and cub::BlockStore. Threads and items a thread are chosen as CUB's
/// users would: 128 threads or as many as there are elements.
template <class T, int TILE>
Work cub_block_scan(Vectors<T> vectors);
template <class T, int TILE>
Work cub_block_reduce(Vectors<T> vectors);

/// "3.0.1"
std::string cub_version();

}  // namespace harness
