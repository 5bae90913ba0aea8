// Which words of a wide load the program uses. The compiler may load 16 bytes where the source reads 12: what
// it does not use races with nobody, and need not be initialised.
#pragma once
#include <cstddef>
#include <cstdint>

#include "simt/decode/decode.h"

namespace sass {

constexpr std::size_t FARTHEST = 512;  ///< instructions after a load that are looked at

/// A bit for each 4-byte word that the load at this index writes to a register: is it read before it is
/// overwritten, on any path? Where the code does not tell, yes.
std::uint8_t words_used(const Code& code, std::uint32_t site);

/// Does the code near the load at this index load what lies beside it, from the same base? So a struct is
/// copied.
bool loads_a_neighbour(const Code& code, std::uint32_t site);

}  // namespace sass
