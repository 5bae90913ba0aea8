// What the clock says of a launch.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "simt/clock/stalls.h"

namespace sass::clock {

/// Of the cycles that were clocked, the share in which something was busy.
struct Busy {
    double issue = 0;   ///< the schedulers, or the unit of theirs that computes most
    double pipe = 0;    ///< the pipe to memory, of all multiprocessors
    double bytes = 0;   ///< DRAM
    double starts = 0;  ///< what starts blocks
};

struct Timing {
    std::string unknown;           ///< why there is no time; empty: there is one
    double us = 0;                 ///< the launch included
    double launch_us = 0;          ///< of that, before the first block starts
    double cycles = 0;             ///< that were clocked
    double warps = 0;              ///< of a multiprocessor, on average over these
    unsigned multiprocessors = 0;  ///< on which
    std::uint64_t blocks = 0;      ///< that were clocked
    bool is_sample = false;
    double halves_us[2] = {};  ///< of a sample: the time by the rate of each half
    double blocks_per_us = 0;  ///< of the GPU, once it is full; 0: it never is
    Busy busy;
    std::vector<Stalls> stalls;   ///< by instruction of the code
    std::vector<Interval> trace;  ///< of the traced block, in no order
};

}  // namespace sass::clock
