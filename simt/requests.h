// Warp requests: which lanes of a warp execute an instruction together, and what it costs.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/counters.h"

namespace simt {

enum class Kind : std::uint8_t {
    shared_load,
    shared_store,
    global_load,
    global_store,
    volatile_load,
    shared_atomic,
    global_atomic,
    op,
    sync,
    shuffle,
    vote,
    reduction,
    bulk_load,
    bulk_store,
    bulk_sectors,
    mbarrier_arrival
};

/// One warp instruction: the lanes that execute the instruction at `site` for the k-th time in a step.
struct Request {
    const void* site;     ///< return address of the hook; identifies the instruction
    std::uint32_t visit;  ///< k
    std::uint32_t site_index;
    Kind kind;
    std::uint8_t size;  ///< bytes per lane
    std::uint32_t lanes = 0;
    std::uintptr_t address[32];
};

/// Passes over the 32 banks of 4 bytes that a shared-memory request takes: the largest number of distinct
/// words in one bank, with a separate rule for 8- and 16-byte accesses. `ideal` is the minimum for any
/// request for as many distinct words, served in the same parts. The rule was fitted to an H200's counters
/// and holds for every pattern in results/nvidia-h200/wavefronts.csv (probe: simt/probes/wavefronts.cu).
struct Wavefronts {
    int taken;
    int ideal;

    void operator+=(const Wavefronts& other) {
        taken += other.taken;
        ideal += other.ideal;
    }
};
Wavefronts wavefronts(const Request& request);

/// Number of distinct 32-byte sectors that a global-memory request touches.
int sectors(const Request& request);

/// Sectors that a bulk copy from shared to global memory writes. It travels in packets, one for each 128
/// bytes of shared memory; a sector that two packets write counts twice. Every copy whose sectors were
/// compared with a hardware counter begins at a multiple of 128 bytes.
int bulk_sectors(std::uintptr_t to, std::uintptr_t from, unsigned bytes);

/// What a request takes: passes over the banks, or sectors, or neither.
struct Cost {
    Wavefronts passes = {0, 0};
    int sectors = 0;
};
Cost cost_of(const Request& request);

/// Add the request and its cost to the counters.
void add(Counters& counters, const Request& request, const Cost& cost);

/// The requests of one warp in one step. The machine runs lanes one after another, not in lockstep: the k-th
/// visit of a lane to a site joins the request that the first lane's k-th visit opened. Lanes reconverge at a
/// warp sync: a later visit joins no earlier request, even if its lane has visited the site less often.
class WarpLog {
   public:
    /// Lane `lane` visits a site. `size` in bytes; 0 for an op, like the address.
    void add(unsigned lane, const void* site, Kind kind, unsigned size, std::uintptr_t address) {
        const std::uint32_t expected = next_[lane];
        if (expected < requests_.size()) {
            Request& request = requests_[expected];
            std::uint32_t& visits = sites_[request.site_index].visits[lane];
            if (request.site == site && request.kind == kind && visits == request.visit) {
                ++visits;
                return enlist(expected, lane, address);
            }
        }
        enlist(request_of(lane, site, kind, size), lane, address);
    }

    /// `lanes`, a mask, synchronise and reconverge.
    void sync(std::uint32_t lanes);

    /// Add the counts of the step's requests to `counters`, and of each to those of its site: to what
    /// at_site(site) returns, unless it is null.
    template <class AtSite>
    void count(Counters& counters, AtSite at_site) const {
        bool applied = false;
        for (const Request& request : requests_) {
            const Cost cost = cost_of(request);
            applied |= request.kind == Kind::op;
            simt::add(counters, request, cost);
            if (Counters* const site = at_site(request.site)) simt::add(*site, request, cost);
        }
        counters.active_warps += applied;
    }

    /// Discard the requests: the next step starts.
    void clear();

    const std::vector<Request>& requests() const { return requests_; }

   private:
    struct Site {
        const void* address;
        Kind kind;
        std::uint32_t visits[32];
        std::vector<std::uint32_t> requests;
    };
    std::uint32_t site_of(const void* site, Kind kind);
    std::uint32_t request_of(unsigned lane, const void* site, Kind kind, unsigned size);
    void make_room();
    void enlist(std::uint32_t index, unsigned lane, std::uintptr_t address) {
        requests_[index].lanes |= 1u << lane;
        requests_[index].address[lane] = address;
        next_[lane] = index + 1;
    }

    std::vector<Request> requests_;
    std::vector<Site> sites_;
    std::size_t sites_used_ = 0;
    std::uint32_t next_[32] = {};      // by lane, its most likely next request: the one after its last
    std::size_t synced_requests_ = 0;  // number of requests at the last warp sync
    std::uint32_t synced_lanes_ = 0;   // mask of the lanes of the last warp sync
};

}  // namespace simt
