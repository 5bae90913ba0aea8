// Which blocks are clocked, and on how much of a GPU.
//
// A launch of a few waves runs as a whole, on all multiprocessors. Of a longer one some blocks run on a few
// multiprocessors, which have their part of L2 and of all rates: runs of blocks that follow one another, from
// all over the grid. The rest follows from their steady rate. Blocks that wait for others run as a whole,
// whatever it takes.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/clock/prices.h"
#include "simt/run/launch.h"

namespace sass::clock {

struct Plan {
    unsigned multiprocessors;
    unsigned resident;                    ///< blocks of a multiprocessor
    std::vector<std::uint64_t> clusters;  ///< of blocks, mostly of one, in the order in which they start
    std::uint64_t size;                   ///< of a cluster
    double share;                         ///< of all blocks, and of the GPU's rates
    double all_blocks;                    ///< whose time is asked for
    bool is_sample;
    bool may_wait;  ///< blocks for what others write
};

Plan plan_of(const Kernel& kernel, const Prices& prices);

}  // namespace sass::clock
