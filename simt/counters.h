// What the SIMT machine counts. The results and the analysis use the same names.
#pragma once
#include <cstdint>

namespace simt {

/// Sums over the warps of one step or one launch. A request is one warp instruction: the lanes of a warp
/// that execute the same instruction for the k-th time between two block barriers.
///
/// The counts depend neither on the number of cores nor on the schedule, unless blocks communicate. Then
/// volatile loads vary, as does everything that depends on their values or on those of atomics. Failed polls
/// of volatile loads are not counted.
struct Counters {
    std::int64_t ops = 0;                       ///< applications of a Counted operator, by lane
    std::int64_t warp_ops = 0;                  ///< the same, by warp instruction
    std::int64_t shared_load_requests = 0;      ///< warp loads from shared memory
    std::int64_t shared_store_requests = 0;     ///< warp stores to shared memory
    std::int64_t shared_loads_of_8_bytes = 0;   ///< of these loads, those of 8 bytes a lane
    std::int64_t shared_loads_of_16_bytes = 0;  ///< of these loads, those of 16 bytes a lane
    std::int64_t shared_load_wavefronts = 0;    ///< passes over the banks for these loads
    std::int64_t shared_store_wavefronts = 0;   ///< passes over the banks for these stores
    std::int64_t shared_atomic_wavefronts = 0;  ///< passes for atomics, each address of a warp counted once
    std::int64_t ideal_wavefronts = 0;          ///< the fewest passes that all of these need
    std::int64_t global_load_requests = 0;      ///< warp loads from global memory
    std::int64_t global_store_requests = 0;     ///< warp stores to global memory
    std::int64_t global_load_sectors = 0;       ///< distinct 32-byte sectors, summed over the loads
    std::int64_t global_store_sectors = 0;      ///< distinct 32-byte sectors, summed over the stores
    std::int64_t volatile_load_requests = 0;    ///< volatile warp loads from global memory
    std::int64_t volatile_load_sectors = 0;     ///< distinct 32-byte sectors, summed over these loads
    std::int64_t atomic_requests = 0;           ///< warp atomics, shared and global
    std::int64_t request_lanes = 0;             ///< active lanes, summed over requests except volatile loads
    std::int64_t active_warps = 0;              ///< warps that applied an operator, summed over steps
    std::int64_t barriers = 0;                  ///< block barriers passed, summed over blocks
    std::int64_t shuffles = 0;                  ///< warp shuffles
    std::int64_t votes = 0;                     ///< warp votes: ballot, any, all
    std::int64_t warp_reductions = 0;           ///< __reduce_*_sync
    std::int64_t bulk_bytes_loaded = 0;         ///< bytes of bulk copies from global to shared memory
    std::int64_t bulk_bytes_stored = 0;         ///< bytes of bulk copies from shared to global memory
    std::int64_t bulk_sectors_stored = 0;       ///< 32-byte sectors that they write, packet by packet
    std::int64_t mbarrier_arrivals = 0;         ///< arrivals at mbarriers, by lane

    /// Call visit(name, reference) for every counter above, in this order.
    template <class Self, class Visit>
    static void for_each(Self& self, Visit visit) {
        visit("ops", self.ops);
        visit("warp_ops", self.warp_ops);
        visit("shared_load_requests", self.shared_load_requests);
        visit("shared_store_requests", self.shared_store_requests);
        visit("shared_loads_of_8_bytes", self.shared_loads_of_8_bytes);
        visit("shared_loads_of_16_bytes", self.shared_loads_of_16_bytes);
        visit("shared_load_wavefronts", self.shared_load_wavefronts);
        visit("shared_store_wavefronts", self.shared_store_wavefronts);
        visit("shared_atomic_wavefronts", self.shared_atomic_wavefronts);
        visit("ideal_wavefronts", self.ideal_wavefronts);
        visit("global_load_requests", self.global_load_requests);
        visit("global_store_requests", self.global_store_requests);
        visit("global_load_sectors", self.global_load_sectors);
        visit("global_store_sectors", self.global_store_sectors);
        visit("volatile_load_requests", self.volatile_load_requests);
        visit("volatile_load_sectors", self.volatile_load_sectors);
        visit("atomic_requests", self.atomic_requests);
        visit("request_lanes", self.request_lanes);
        visit("active_warps", self.active_warps);
        visit("barriers", self.barriers);
        visit("shuffles", self.shuffles);
        visit("votes", self.votes);
        visit("warp_reductions", self.warp_reductions);
        visit("bulk_bytes_loaded", self.bulk_bytes_loaded);
        visit("bulk_bytes_stored", self.bulk_bytes_stored);
        visit("bulk_sectors_stored", self.bulk_sectors_stored);
        visit("mbarrier_arrivals", self.mbarrier_arrivals);
    }

    Counters& operator+=(const Counters& other);

    /// Wavefronts beyond the fewest that the requests need.
    std::int64_t bank_conflicts() const {
        return shared_load_wavefronts + shared_store_wavefronts + shared_atomic_wavefronts - ideal_wavefronts;
    }

    /// Memory requests of all kinds except volatile loads.
    std::int64_t requests() const {
        return shared_load_requests + shared_store_requests + global_load_requests + global_store_requests +
               atomic_requests;
    }

    /// Mean number of active lanes of a memory request, out of 32; 0 if there was no request.
    double active_lanes() const { return requests() == 0 ? 0 : double(request_lanes) / double(requests()); }
};

}  // namespace simt
