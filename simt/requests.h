// Warp requests: which lanes of a warp act together, and what that costs.
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
    op
};

/// One warp instruction: lanes of a warp at one site for the k-th time in a step.
struct Request {
    const void* site;    ///< return address of the hook, which stands for the instruction
    std::uint32_t turn;  ///< k
    std::uint32_t site_index;
    Kind kind;
    std::uint8_t size;  ///< bytes a lane
    std::uint32_t lanes = 0;
    std::uintptr_t address[32];
};

/// Passes over the 32 banks, 4 bytes wide each, that a shared-memory request takes: the largest number of
/// distinct words in one bank, with a rule of its own for 8- and 16-byte accesses. And the fewest that any
/// request for as many distinct words, served in the same parts, could take. The rule was fitted to an H200's
/// counters and holds for every pattern in results/nvidia-h200/wavefronts.csv (probe:
/// simt/probes/wavefronts.cu).
struct Wavefronts {
    int taken;
    int ideal;

    void operator+=(const Wavefronts& other) {
        taken += other.taken;
        ideal += other.ideal;
    }
};
Wavefronts wavefronts(const Request& request);

/// Distinct 32-byte sectors that a global-memory request touches.
int sectors(const Request& request);

/// The requests of one warp in one step. Lanes come one after another, not side by side: the k-th visit of
/// a lane to a site joins the request that the first lane's k-th visit opened. Lanes that meet go on side by
/// side: a visit behind the meeting joins none before it, even if a lane has been to the site less often.
class WarpLog {
   public:
    void add(unsigned lane, const void* site, Kind kind, unsigned size, std::uintptr_t address);
    void meet(std::uint32_t lanes);

    /// Add the step's counts to `counters` and forget its requests.
    void count(Counters& counters) const;
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

    std::vector<Request> requests_;
    std::vector<Site> sites_;
    std::size_t sites_used_ = 0;
    std::uint32_t next_[32] = {};  // a lane's likely next request: the one after its last
    std::size_t met_ = 0;          // requests at the last meeting, and the lanes that met
    std::uint32_t lanes_met_ = 0;
};

}  // namespace simt
