// What the compiler has written into an instruction about time: bits 105 to 125 of its 128.
//
//     105-108  stall: cycles until the warp's next instruction
//     109      yield: another warp may go first
//     110-112  scoreboard that is set until the result is there
//     113-115  scoreboard that is set until operands have been read
//     116-121  scoreboards that it waits for, a mask
//     122-125  operands that are kept for reuse
//
// Results that come after a fixed time need no scoreboard: the stall counts of those in between see to it.
#pragma once
#include <cstdint>

namespace sass::clock {

constexpr int SCOREBOARDS = 6, NO_SCOREBOARD = 7;

struct Control {
    std::uint8_t stall = 0, sets_at_result = NO_SCOREBOARD, sets_at_read = NO_SCOREBOARD, waits_for = 0;

    Control() = default;
    /// upper: the upper 64 bits of the instruction.
    explicit Control(std::uint64_t upper)
        : stall(std::uint8_t(upper >> 41 & 15)),
          sets_at_result(std::uint8_t(upper >> 46 & 7)),
          sets_at_read(std::uint8_t(upper >> 49 & 7)),
          waits_for(std::uint8_t(upper >> 52 & 63)) {}
};

}  // namespace sass::clock
