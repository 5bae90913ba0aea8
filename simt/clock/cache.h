// A cache of lines of four sectors, each there or not, in sets; of a set the line that was used longest ago
// goes first.
#pragma once
#include <cstdint>
#include <vector>

#include "simt/clock/request.h"

namespace sass::clock {

class Cache {
   public:
    /// As many bytes, rounded down to whole sets; none: every sector misses.
    explicit Cache(double bytes) : sets_(std::uint64_t(bytes) / (WAYS * LINE)), lines_(sets_ * WAYS) {}

    /// Of L2: which have a line.
    struct Halves {
        bool has[2] = {}, is_written = false;
    };
    struct Sector {
        bool is_there;     ///< was; from now on it is
        bool was_written;  ///< by a touch that writes
        Halves& halves;
        double& arrives;  ///< when the line's last sector does
    };
    Sector touch(std::uint64_t sector, bool writes = false) {
        if (sets_ == 0) return {false, false, nobody_, nowhere_ = 0};
        const std::uint64_t line = sector / SECTORS;
        const auto bit = std::uint8_t(1u << sector % SECTORS);
        Line& way = way_of(line);
        if (way.number != line) way = {line};
        way.used = ++now_;
        const bool is_there = way.sectors & bit, was_written = way.written & bit;
        way.sectors |= bit;
        if (writes) way.written |= bit;
        return {is_there, was_written, way.halves, way.arrives};
    }
    void clear() { lines_.assign(lines_.size(), Line()); }

   private:
    static constexpr std::uint64_t WAYS = 16, SECTORS = 4, LINE = SECTOR * SECTORS;
    struct Line {
        std::uint64_t number = ~0ull;
        std::uint8_t sectors = 0, written = 0;
        Halves halves = {};
        std::uint64_t used = 0;
        double arrives = 0;
    };
    /// The line, or the one that makes room for it.
    Line& way_of(std::uint64_t line) {
        Line* const set = &lines_[(line * 0x9e3779b97f4a7c15ull >> 20) % sets_ * WAYS];
        Line* oldest = set;
        for (Line* way = set; way != set + WAYS; ++way) {
            if (way->number == line) return *way;
            if (way->used < oldest->used) oldest = way;
        }
        return *oldest;
    }

    std::uint64_t sets_, now_ = 0;
    double nowhere_ = 0;
    Halves nobody_;
    std::vector<Line> lines_;
};

}  // namespace sass::clock
