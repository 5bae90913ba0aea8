// What the lanes of a warp would each have in its uniform registers, if each had registers of its own.
//
// A uniform instruction is executed once for the lanes that are together, and all lanes see its result. So
// the compiler may use one only where it makes no difference to those that are elsewhere. Where it is wrong
// about that, a lane reads what is not its own.
#pragma once
#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "simt/decode/instruction.h"

namespace sass {

class Uniform {
   public:
    void clear() { parted_.reset(), count_ = 0; }
    /// Does a lane have a word of its own in any register?
    bool any() const { return count_ != 0; }
    /// The lanes that have one in this row, and want no other.
    std::uint32_t parted(std::uint16_t row, std::uint32_t lanes, std::uint32_t now) const;
    std::uint32_t own(std::uint16_t row, int lane) const { return own_[row - UNIFORM][std::size_t(lane)]; }
    /// Lanes have changed the row; others, of the living ones, were not there.
    void set(std::uint16_t row, std::uint32_t lanes, std::uint32_t others, std::uint32_t before,
             std::uint32_t now);

   private:
    static constexpr int ROWS = NOWHERE - UNIFORM;
    std::bitset<ROWS> parted_;
    std::size_t count_ = 0;  ///< of bits in it
    std::vector<std::array<std::uint32_t, LANES>> own_;
};

}  // namespace sass
