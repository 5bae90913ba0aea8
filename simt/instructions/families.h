// The instructions by family, and what families share.
#pragma once
#include <vector>

#include "simt/decode/decode.h"

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
std::vector<Opcode> convergence_opcodes();
std::vector<Opcode> barrier_opcodes();
std::vector<Opcode> special_opcodes();  ///< registers
std::vector<Opcode> system_opcodes();
std::vector<Opcode> copy_opcodes();  ///< asynchronous

/// A uniform register gets the value of all lanes.
void set_uniform(Warp& w, std::uint16_t d, std::uint32_t value);

/// Of a comparison: i.p = result and (or, xor) i.pa, i.q = not result and .. .
void set_both(Warp& w, const Instruction& i, std::uint32_t lanes, std::uint32_t result, int combined);
int combination(Decoder& d);  ///< 0 AND, 1 OR, 2 XOR

}  // namespace sass
