// The pipes of a multiprocessor that an instruction may have to wait for, from which its time is predicted.
// A scheduler issues one warp instruction a cycle, but every second one at the most to the ALU (integers
// without products, logic, comparisons, choices) and to the unit for doubles, and every eighth one to the
// special functions' (XU). Loads, stores, shuffles and barriers of all four schedulers share one pipe to
// memory (MIO), which takes one a cycle, also where no lane is at work.
// Source: CUDA C++ Programming Guide, throughput of native arithmetic instructions, compute capability 9.0;
// which opcodes are whose: Nsight Compute's documentation, pipelines.
#pragma once
#include <string>

#include "simt/decode/instruction.h"

namespace sass {

/// By the opcode without its modifiers.
Pipe pipe_of(const std::string& opcode);

inline bool is_of_mio(Class counted) {
    switch (counted) {
        case Class::shared_load:
        case Class::shared_store:
        case Class::shared_atomic:
        case Class::global_load:
        case Class::global_store:
        case Class::asynchronous_load:
        case Class::global_atomic:
        case Class::local_load:
        case Class::local_store:
        case Class::block_barrier:
        case Class::shuffle: return true;
        default: return false;
    }
}

}  // namespace sass
