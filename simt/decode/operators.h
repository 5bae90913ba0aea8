// Which instructions apply the operator of a scan or a reduction.
//
// Source lines say which function an instruction comes from, also if it was inlined. An operator's body may
// become several instructions; the one that stands for an application is named by its opcode, in a list such
// as
//
//     Sum: FADD DADD; Max: FMNMX FSETP DSETP
//
// For sm_100 and later nvcc hoists an application out of its condition and gives it the line of the call: in
// a kernel whose name has the operator of floats, its opcode counts on any line outside of operators, too,
// unless it is a comparison.
//
// What an operator of integers becomes, the compiler mixes with its surroundings: x = c ? op(y, x) : x is x +
// (c ? y : 0), an addition by all lanes, on another line. Where applications of the source are to be counted,
// the operator leaves a mark, PTX's pmevent, which does nothing: a kernel with marks has its applications
// counted by them alone.
#pragma once
#include <string>

namespace sass {

struct Code;

/// Marks the instructions of the code that apply one of these operators, and notes whether they show every
/// application: not if the kernel's name has one of the operators with another type than float or double, and
/// no marks. Throws std::runtime_error for a list that cannot be read.
void mark_operators(Code& code, const std::string& list);

}  // namespace sass
