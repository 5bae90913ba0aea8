// The GPU's memory, which all multiprocessors share: L2, and DRAM behind it.
//
//     multiprocessor --port--> L2 --------------> DRAM
//                              sectors at its     bursts at its rate, more for a row that is not open
//                              rate; a latency    and a latency
//
// A part of a GPU has that part of all rates and of the cache.
#pragma once
#include <unordered_map>
#include <vector>

#include "simt/clock/cache.h"
#include "simt/clock/prices.h"
#include "simt/clock/request.h"
#include "simt/clock/server.h"

namespace sass::clock {

class Memory {
   public:
    Memory(const Prices& prices, double share);
    // Each returns the cycle at which the multiprocessor knows that it is done.
    double load(double at, std::uint64_t sector);
    double store(double at, const Request::Sector& sector);
    double atomic(double at, const Request& request);

   private:
    double read_dram(double at, std::uint64_t sector);
    double queued(double at);
    bool opens_row(std::uint64_t sector);

    const Prices& prices_;
    const double share_;
    const double l2_sector_, dram_read_, dram_write_, partial_,
        atomic_;  ///< cycles of a sector, a byte, a sector
    Cache l2_;
    Server l2_pipe_, dram_, partials_, atomics_;
    std::vector<std::uint64_t> open_rows_;
    std::unordered_map<std::uint64_t, Server> words_;  ///< of atomics
};

}  // namespace sass::clock
