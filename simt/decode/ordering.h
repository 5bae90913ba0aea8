// What instructions mean for the order of events.
#pragma once
#include "simt/decode/decode.h"

namespace sass {

/// By one line alone.
Ordering ordering_of(const Opcode& opcode, const Line& line);
/// By several lines of a function, whose first instruction is `first`: what the compiler makes of an atomic
/// by many lanes, of one on 2 bytes, of a warp sync.
void order_together(Code& code, const Function& function, std::size_t first);

}  // namespace sass
