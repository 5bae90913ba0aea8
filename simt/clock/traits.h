// What the clock knows of an instruction before it is executed: who executes it, and for how long.
#pragma once
#include <vector>

#include "simt/clock/control.h"
#include "simt/clock/prices.h"
#include "simt/run/launch.h"

namespace sass::clock {

/// The units of a scheduler; the pipe to memory (MIO) and the unit for barriers of all four.
enum class Unit : std::uint8_t {
    none,
    floats,
    products,
    alu,
    doubles,
    special,
    uniform,
    tensor,
    memory,
    barrier
};
constexpr int UNITS = 8;  ///< those of a scheduler

struct Traits {
    Control control;
    Unit unit = Unit::none;
    double cycles = 0;         ///< for which it holds the unit; of the pipe to memory see Request and Tally
    double latency = 0;        ///< from there to the result, if a scoreboard waits for it
    bool is_global = false;    ///< of global or local memory: waits for it are long ones
    bool bypasses_l1 = false;  ///< strong accesses
    bool stores_locally = false;  ///< STL: L1 passes it on to L2
    bool is_branch = false;
    bool waits_at_barrier = false;  ///< of the block
    bool is_of_cluster = false;     ///< UCGABAR_ARV, UCGABAR_WAIT
    bool is_fence = false;          ///< beyond the block
    bool forgets_l1 = false;        ///< CCTL.IVALL
    bool copies = false;  ///< LDGSTS, bulk copies: what LDGDEPBAR, ARRIVES and UTMACMDFLUSH wait for
    bool is_bulk = false;
    bool closes_copies = false;
    bool sleeps = false;           ///< NANOSLEEP
    bool is_at_once = false;       ///< as if the results that it waits for were there, see Options
    std::int8_t awaits = -1;       ///< DEPBAR: this scoreboard,
    std::uint8_t outstanding = 0;  ///< until so many are left
};

std::vector<Traits> traits_of(const Kernel& kernel, const Prices& prices);

}  // namespace sass::clock
