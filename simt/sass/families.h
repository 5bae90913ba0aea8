// The instructions by family, and what families share.
#pragma once
#include <vector>

#include "simt/sass/decode.h"

namespace sass {

std::vector<Opcode> integer_opcodes();
std::vector<Opcode> bit_opcodes();
std::vector<Opcode> comparison_opcodes();
std::vector<Opcode> float_opcodes();
std::vector<Opcode> conversion_opcodes();
std::vector<Opcode> half_opcodes();
std::vector<Opcode> memory_opcodes();  ///< global, shared, generic
std::vector<Opcode> local_opcodes();   ///< local memory, constants
std::vector<Opcode> ordering_opcodes();
std::vector<Opcode> atomic_opcodes();
std::vector<Opcode> warp_opcodes();  ///< among lanes
std::vector<Opcode> control_opcodes();
std::vector<Opcode> system_opcodes();
std::vector<Opcode> copy_opcodes();  ///< asynchronous

/// Of a comparison: i.p = result and (or, xor) i.pa, i.q = not result and .. .
void set_both(Warp& w, const Instruction& i, std::uint32_t lanes, std::uint32_t result, int combined);
int combination(Decoder& d);  ///< 0 AND, 1 OR, 2 XOR

}  // namespace sass
