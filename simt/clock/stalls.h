// Why warps do not issue, in Nsight Compute's words, in cycles of warps by instruction: the one that waits.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

namespace sass::clock {

enum class Stall : std::uint8_t {
    selected,            ///< issues
    not_selected,        ///< could, but another warp does
    wait,                ///< a fixed number of cycles
    long_scoreboard,     ///< for global or local memory
    short_scoreboard,    ///< for shared memory, special functions and the like
    barrier,             ///< for the block's other warps
    mio_throttle,        ///< the queue of the pipe to memory is full
    lg_throttle,         ///< the same, before an access to global or local memory
    math_pipe_throttle,  ///< its unit is busy
    branch_resolving,    ///< a branch has been taken
    membar,              ///< a fence
    sleeping,
    no_instruction  ///< it has not begun
};
constexpr int STALLS = 13;
inline constexpr const char* STALL_NAMES[STALLS] = {
    "selected", "not_selected", "wait",          "long_scoreboard",    "short_scoreboard",
    "barrier",  "mio_throttle", "lg_throttle",   "math_pipe_throttle", "branch_resolving",
    "membar",   "sleeping",     "no_instruction"};

struct Stalls {
    std::array<std::uint64_t, STALLS> cycles = {};
    void add(Stall why, std::uint64_t count) { cycles[std::size_t(why)] += count; }
    void operator+=(const Stalls& other) {
        for (std::size_t k = 0; k < STALLS; ++k) cycles[k] += other.cycles[k];
    }
    std::uint64_t sum() const {
        std::uint64_t all = 0;
        for (const std::uint64_t each : cycles) all += each;
        return all;
    }
};

/// A part of a warp's time: at which instruction of the code, and why.
struct Interval {
    std::uint32_t warp, place;
    Stall why;
    std::uint64_t from, until;  ///< cycles; until: the first one after it
};

}  // namespace sass::clock
