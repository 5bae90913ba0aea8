// What the programs of clusters share.
#pragma once
#include <cooperative_groups.h>

namespace hazards {

__device__ inline cooperative_groups::cluster_group cluster() { return cooperative_groups::this_cluster(); }
/// The same place in the shared memory of the cluster's other block.
template <class T>
__device__ T* other(T* own) {
    return cluster().map_shared_rank(own, cluster().block_rank() ^ 1);
}

}  // namespace hazards
