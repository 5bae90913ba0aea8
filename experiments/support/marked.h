// An operator whose applications the SIMT machine counts as the source states them, whatever the compiler
// makes of them.
#pragma once

namespace harness {

/// Applies Op, and leaves a mark: PTX's pmevent, which does nothing else. A kernel with it is a twin of the
/// one that is timed; it is never timed itself. Of an operator of floats no twin is needed: its instruction
/// is the application.
template <class Op>
struct Marked : Op {
    template <class T>
    __device__ T operator()(T left, T right) const {
        asm volatile("pmevent 0;");
        return Op::operator()(left, right);
    }
};

}  // namespace harness
