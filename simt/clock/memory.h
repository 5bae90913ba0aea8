// The GPU's memory, which all multiprocessors share: L2, and DRAM behind it.
//
//     multiprocessor --port--> L2 --------------> DRAM
//                              sectors at its     bursts at its rate, more for a row that is not open
//                              rate; a latency    and a latency
//
// L2 is in two halves. What one has written moves when the other is asked for it.
//
// Atomics wait at the slice of L2 that has their address, one word of a sector after the other, and additions
// of floats for the one before at the same word.
//
// A part of a GPU has that part of all rates and of the cache. Where all of its multiprocessors do atomics at
// one address, all of the GPU's do.
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
    /// k: the sector is the k-th that a request asks of its line, from 1.
    double load(double at, std::uint64_t sector, int k, unsigned multiprocessor);
    /// begins_partial_line: it is the first of a line of which a sector is not whole.
    double store(double at, const Request::Sector& sector, bool begins_partial_line, unsigned multiprocessor);
    double store_locally(double at, bool begins_partial_line);  ///< a sector of a thread's own memory
    double atomic(double at, const Request& request, unsigned multiprocessor);
    double dram_busy() const { return dram_.busy(); }  ///< cycles

   private:
    /// What serves atomics one after the other, and the multiprocessors that have asked it, a bit each.
    struct Place {
        Server server;
        std::uint64_t of;
    };
    double serve(Place& place, double at, double cycles, unsigned multiprocessor) const;
    double read_dram(double at, std::uint64_t sector);
    double queued(double at);
    double spread(std::uint64_t sector) const;
    double behind_misses(double at);
    double moved(double at, Cache::Halves& halves, std::uint64_t line, bool writes, unsigned multiprocessor);
    bool opens_row(std::uint64_t sector);

    const Prices prices_;
    const double share_;
    const Rate loads_;                                        ///< of L2
    const double stored_, partial_line_;                      ///< cycles of a sector, and of a line besides
    const double dram_read_, dram_write_, partial_, atomic_;  ///< cycles of a byte, a sector
    Cache l2_;
    double take(double at, bool begins_partial_line, double factor);
    Calendar l2_pipe_{8192}, l2_stores_{8192}, dram_{8192}, partials_{8192}, atomics_{8192};
    Load dram_load_, reads_load_;
    std::vector<std::uint64_t> open_rows_;
    std::unordered_map<std::uint64_t, Place> slices_, words_;  ///< of atomics
    std::unordered_map<std::uint64_t, double> moves_;          ///< lines, until when
};

}  // namespace sass::clock
