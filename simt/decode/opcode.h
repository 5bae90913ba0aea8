// A row of opcodes.def.
#pragma once
#include <string>
#include <vector>

#include "simt/decode/instruction.h"

namespace sass {

class Decoder;

/// What an opcode may mean for the order of events. All: a strong access, if it has the modifier .STRONG.
enum class Order : std::uint8_t {
    plain,
    access,         ///< to memory; whether it is volatile or strong tells the PTX that it is made from
    shared_access,  ///< the same of shared memory, where modifiers do not tell
    shared_atomic,
    fence,
    warp_sync,
    nop  ///< stands for a warp sync where the lanes are together anyway
};

struct Opcode {
    const char* name;  ///< without modifiers
    Pipe pipe;
    Class counted;
    Order order;
    bool is_control;
    const char* operands;
    Handler (*decode)(Decoder&);
};

const std::vector<Opcode>& opcodes();
/// Null if it is unknown. `is_uniform`: UIADD3 is IADD3 on uniform registers, with all lanes at work.
const Opcode* find_opcode(const std::string& name, bool& is_uniform);

#define OPCODE(name, pipe, counted, order, operands, decode) Handler make_##decode(Decoder& d);
#define CONTROL OPCODE
#include "simt/decode/opcodes.def"
#undef OPCODE
#undef CONTROL

}  // namespace sass
